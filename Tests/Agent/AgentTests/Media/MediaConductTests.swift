import Agent
import Services
import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Tests of when nothing is suggested, and that no data is left.
@Suite(.serialized, .timeLimit(.minutes(15))) struct MediaConductTests {
    @Test func `While paused, no app prepares and nothing is suggested`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try StoreFile(home: scene.rig.home).use { try $0.setPaused(until: Date(timeIntervalSinceNow: 3_600)) }
                try await scene.putOn()
                try await scene.waitForHold("paused")
                #expect(app.count(of: "prepare") == 0)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(scene.notifications.record.state.requests.isEmpty)
            }
        }
    }

    @Test func `At most six suggestions are made an hour`() async throws {
        let clock = Watched(Date())
        try await withMediaScene(configure: { $0.now = { clock.state } }) { scene in
            try await scene.withApp { app in
                for visit in 1...6 {
                    try await scene.putOn()
                    _ = try await scene.notifications.request(visit)
                    try await scene.rig.waitForSuggestions("it being shown") { $0.first?.state == "shown" ? () : nil }
                    // One that is withdrawn at once does not count.
                    clock.update { $0 += 60 }
                    try await scene.takeOff()
                    try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                }
                try await scene.putOn()
                try await scene.waitForHold("enough was suggested")
                #expect(scene.notifications.record.state.requests.count == 6 && app.count(of: "prepare") == 6)
                try await scene.takeOff()
                clock.update { $0 += 3_601 }
                try await scene.putOn()
                _ = try await scene.notifications.request(7)
            }
        }
    }

    @Test func `An unplayed app is not suggested for an unknown device`() async throws {
        try await withMediaScene(played: []) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                try await scene.waitForHold("nothing had been played")
                #expect(app.count(of: "prepare") == 0)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }

    @Test func `A flapping link keeps the suggestion`() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                try await scene.takeOff()
                #expect(try await scene.rig.agent.suggestions().map(\.id) == [offered.id])
                try await scene.putOn()
                try await scene.waitForDevice("the headset being ready again") { try $0.value("ready") == true }
                #expect(try await scene.rig.agent.suggestions().map(\.id) == [offered.id])
                #expect(scene.notifications.record.state.requests.count == 1)
                #expect(scene.notifications.record.state.closed.isEmpty)
                try await scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "playing")
                #expect(app.count(of: "playing") == 1)
            }
        }
    }

    @Test func `Play waits for a device that is away briefly`() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                try await scene.takeOff()
                async let accepted: Void = scene.rig.agent.accept(offered.id)
                _ = try await eventually("the suggestion being carried out", because: "it is another call") {
                    try await scene.rig.agent.suggestions().first?.state == "accepted" ? true : nil
                }
                #expect(app.count(of: "initiate") == 0)
                try await scene.putOn()
                try await accepted
                try await app.waitForLine(containing: "playing")
                #expect(app.count(of: "playing") == 1)
            }
        }
    }

    @Test func `Disabling while a server is asked leaves nothing shown`()
        async throws
    {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                scene.notifications.setManner(.holding)
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                async let disabled: Void = scene.rig.agent.disable()
                try await eventually("being switched off", because: "Status has no signal") {
                    try await scene.rig.agent.status().transfer.value("enabled") == false ? () : nil
                }
                scene.notifications.release()
                try await disabled
                try await scene.notifications.waitForClosing(of: shown.number)
            }
        }
    }

    @Test func `Accept is answered in time, whatever the app does`() async throws {
        try await withMediaScene(configure: {
            $0.preparationTime = .seconds(20)
            $0.performanceTime = .milliseconds(100)
        }) { scene in
            try await scene.withApp(mode: "slow") { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                let refusal = try await scene.rig.refusal { try await $0.agent.accept(offered.id) }
                #expect(refusal?.name == .actionFailed)
                #expect(refusal?.message.contains("did not begin in time") == true, "\(String(describing: refusal))")
                try await app.waitForLine(containing: "playing")
            }
        }
    }

    @Test func `A later observation of the player is not overwritten`() async throws {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            try await scene.withApp(mode: "slow") { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                async let accepted: Void = scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "initiate")
                let device = scene.headset.address
                let info = NowPlayingInfo(title: "Episode 7", position: 77_000_000)
                try StoreFile(home: scene.rig.home).use { store in
                    _ = try store.remember(
                        ResumePoint(
                            device: AudioDevice.ID(device), application: MediaScene.podcasts, item: "7", info: info,
                            pausedByDisconnect: false, date: Date()), now: Date())
                }
                try await accepted
                let points = try StoreFile(home: scene.rig.home).use {
                    try $0.resumePoints(device: AudioDevice.ID(device))
                }
                #expect(points.map(\.info.position) == [77_000_000])
            }
        }
    }
}
