import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// The whole path from a connected headset to playback, with an app that serves playable content.
@Suite(.serialized, .timeLimit(.minutes(15))) struct MediaServiceTests {
    @Test func `A ready device prepares its app, and only Play starts it`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 1"))
                #expect(shown.body.contains("Podcasts"))
                #expect(shown.actions.contains("Play") && shown.actions.contains("Not now"))
                try await app.waitForLine(containing: "prepare [] for headset")
                #expect(app.count(of: "initiate") == 0)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                #expect(offered.kind == "media" && offered.application == MediaScene.podcasts)
                #expect(offered.applicationName == "Podcasts")
                #expect(offered.source == "From Podcasts")

                try await scene.notifications.activate(shown.number, "play", token: "token-7")
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing show-1/episode-1")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                #expect(app.count(of: "initiate") == 1)
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
                #expect(try StoreFile(home: scene.rig.home).counts()["resumePoint"] == 1)
                let listed = try await scene.rig.hunch("history", "--suggestions").output()
                #expect(listed.contains("Episode 1") && listed.contains("Accepted"), "\(listed)")

                // When the device reconnects, the item last played on it is prepared.
                try await scene.takeOff()
                try await app.waitForLine(containing: "context: no device")
                let line = app.lineCount
                try await scene.putOn()
                try await app.waitForLine(containing: "prepare [show-1/episode-1] for headset", from: line)
                _ = try await scene.notifications.request(2)
                #expect(app.count(of: "initiate") == 1)
            }
        }
    }

    @Test(arguments: ["hang", "error", "crash", "wrong", "huge"])
    func `The next app is suggested if one cannot prepare`(mode: String) async throws {
        try await withMediaScene(played: ["org.example.Awful"]) { scene in
            try await scene.withApp("org.example.Awful", name: "Awful", mode: mode) { awful in
                try await scene.putOn()
                if mode != "wrong" { try await awful.waitForLine(containing: "prepare [] for headset") }
                let clock = ContinuousClock()
                let taken = try await clock.measure { _ = try await scene.rig.agent.status().transfer }
                // Less than the agent waits for an app that hangs.
                #expect(taken < .seconds(4))
                try await scene.waitForHold("Awful prepared nothing")
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(scene.notifications.record.state.requests.isEmpty)
                try await scene.takeOff()
                let device = scene.headset.address
                try StoreFile(home: scene.rig.home).use { store in
                    let point = ResumePoint(
                        device: AudioDevice.ID(device), application: MediaScene.podcasts, item: nil,
                        info: NowPlayingInfo(title: "Episode 1"), pausedByDisconnect: false, date: Date())
                    let outcome = try store.remember(point, now: Date())
                    #expect(outcome.isRecorded)
                }
                try await scene.withApp { podcasts in
                    try await scene.putOn()
                    let shown = try await scene.notifications.request(1)
                    #expect(shown.body.contains("Podcasts"))
                    #expect(awful.count(of: "initiate") + podcasts.count(of: "initiate") == 0)
                }
            }
        }
    }

    @Test func `An app that does not start is reported`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                // A running app refuses unknown items. This one has ended and cannot be launched.
                app.signal(9)
                _ = try await app.waitForExit()
                let refusal = try await scene.rig.refusal { try await $0.agent.accept(offered.id) }
                #expect(refusal?.name == .actionFailed)
                #expect(refusal?.message.contains("Podcasts") == true, "\(String(describing: refusal))")
                // It may be tried again.
                #expect(try await scene.rig.agent.suggestions().map(\.state) == ["failed"])
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted", "failed"])
                let failed = try await scene.notifications.request(2)
                #expect(failed.summary == "“Episode 1” was not resumed", "\(failed)")
                #expect(failed.body.contains("Podcasts"), "\(failed)")
            }
        }
    }

    @Test func `Three dismissals mute the app on the device across restarts`()
        async throws
    {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                for visit in 1...3 {
                    try await scene.putOn()
                    let shown = try await scene.notifications.request(visit)
                    try await scene.notifications.activate(shown.number, "not-now")
                    try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                    try await scene.takeOff()
                }
                let store = StoreFile(home: scene.rig.home)
                #expect(try store.outcomes() == ["shown", "dismissed", "shown", "dismissed", "shown", "dismissed"])
                #expect(try store.counts()["mutedPair"] == 1)
                // An attempt that was interrupted for a moment is made again.
                let prepared = app.count(of: "prepare")
                try await scene.putOn()
                try await scene.waitForHold("muted")
                let simulated = try await scene.rig.hunch("simulate", "headset")
                #expect(simulated.status == .exited(1) && simulated.standardOutput.contains("held: "))
                #expect(
                    simulated.standardError.hasPrefix(
                        "hunch: nothing would be suggested: org.example.Podcasts is muted"))
                let suggestions = try await scene.rig.hunch("suggestions")
                #expect(suggestions.status == .exited(1) && suggestions.standardError.contains("is muted"))
                // The fourth notification is about muting.
                #expect(scene.notifications.record.state.requests.count == 4)
                // Muted apps are not asked to prepare anything.
                #expect(app.count(of: "prepare") == prepared)
                #expect(app.count(of: "initiate") == 0)

                // Muting can be undone.
                let muted = try await scene.rig.hunch("muted").output()
                let title = "Resume “Episode 1”"
                #expect(muted == "Podcasts (dismissed last: \(title))\t\(scene.headset.name)\tmedia\n", "\(muted)")
                let odd = try await scene.rig.hunch("muted", "--undo", "org.example.Podcasts", "--at", "unlock")
                #expect(odd.status == .exited(1) && odd.standardError == "hunch: org.example.Podcasts is not muted\n")
                let undone = try await scene.rig.hunch(
                    "muted", "--undo", "org.example.Podcasts", "--at", scene.headset.name, "--json"
                ).output()
                #expect(undone.contains(#""muted":false"#))
                #expect(try await scene.rig.hunch("muted").status == .exited(1))
                #expect(try store.counts()["mutedPair"] == 0)
                // The status does not name a hold that has ended, either.
                #expect(try await scene.rig.agent.status().holds?.isEmpty == true)
                // The refusals no longer count, so that the very next trigger leads to a suggestion.
                #expect(try store.outcomes() == ["shown", "dismissed", "shown", "dismissed", "shown", "dismissed"])
                try await scene.takeOff()
                try await scene.putOn()
                #expect(try await scene.notifications.request(5).actions.contains("play"))
            }
        }
    }

    @Test func `A disconnect withdraws the device's suggestion`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await scene.takeOff()
                try await scene.notifications.waitForClosing(of: shown.number)
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                // The user did not dismiss it.
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "withdrawn"])
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test func `Disabling withdraws the suggestion and stops everything`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await scene.rig.agent.disable()
                try await scene.notifications.waitForClosing(of: shown.number)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try await scene.rig.agent.devices().allSatisfy { !$0.isConnected })
                #expect(app.count(of: "prepare") == 1)
            }
        }
    }

    @Test func `Accepting on the bus closes the notification and plays`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                #expect(try await scene.rig.hunch("accept", offered.id).status == .exited(0))
                try await scene.notifications.waitForClosing(of: shown.number)
                try await app.waitForLine(containing: "playing show-1/episode-1")
                #expect(try await scene.rig.hunch("accept", offered.id).status == .exited(1))
                #expect(app.count(of: "playing show-1/episode-1") == 1)
            }
        }
    }

    @Test func `A suggestion no server shows can be dismissed on the bus`()
        async throws
    {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                scene.notifications.setManner(.refusing(DBusError(.failed, "not now")))
                try await scene.putOn()
                let offered = try await scene.rig.waitForSuggestions("a suggestion on the bus") { $0.first }
                _ = try await scene.notifications.request(1)
                #expect(offered.state == "offered")
                #expect(try StoreFile(home: scene.rig.home).outcomes().isEmpty)
                try await scene.rig.agent.dismiss(offered.id)
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "dismissed"])
                #expect(try await scene.rig.agent.status().transfer.value("engagements") == UInt64(2))
            }
        }
    }

    @Test func `Devices, Players and Simulate have no side effects`() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                let devices = try await scene.rig.hunch("devices", "--json")
                #expect(devices.standardOutput.contains(#""id":"00:11:22:33:44:55""#), "\(devices)")
                #expect(devices.standardOutput.contains(#""kind":"headset""#))
                #expect(try await scene.rig.hunch("players").status == .exited(1))

                let simulated = try await scene.rig.hunch("simulate", "headset", "--json")
                #expect(simulated.status == .exited(0), "\(simulated)")
                #expect(simulated.standardOutput.contains(#""app":"org.example.Podcasts""#))
                #expect(simulated.standardOutput.contains(#""running":true"#))
                let other = try await scene.rig.hunch("simulate", "car")
                #expect(other.status == .exited(1))
                #expect(other.standardError.hasPrefix("hunch: no device of the kind “car” is here; "))
                let wrong = try await scene.rig.hunch("simulate", "toaster")
                #expect(wrong.status == .exited(2))
                #expect(wrong.standardError.contains("headphones"))
                #expect(app.count(of: "prepare") == 0)
                #expect(scene.notifications.record.state.requests.isEmpty)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }
}
