import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of failures to start playback: the user gets the reason, and no play is recorded.
@Suite("Failed playback", .serialized, .timeLimit(.minutes(15)))
struct FailedPlayTests {
    private func installRadio(_ scene: MediaScene) throws {
        try scene.rig.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %u\n",
            to: "data/applications/org.example.Radio.desktop")
    }

    private func points(_ scene: MediaScene, of device: AudioDevice.ID? = nil) throws -> [ResumePoint] {
        try StoreFile(home: scene.rig.home).use { try $0.resumePoints(device: device) }
    }

    private func waitForPoint(_ scene: MediaScene, _ title: String) async throws {
        try await eventually("“\(title)” being remembered", because: "the store tells nobody") {
            try points(scene).contains { $0.info.title == title } ? () : nil
        }
    }

    @Test("The notification gives the reason, and Play can be retried")
    func refused() async throws {
        try await withMediaScene { scene in
            try await scene.withApp(mode: "refuseOnce") { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await scene.notifications.activate(shown.number, "play")
                let failed = try await scene.notifications.request(2)
                #expect(failed.summary == "“Episode 1” was not resumed")
                #expect(failed.body == "Podcasts refuses to play: there is no connection", "\(failed)")
                #expect(failed.actions.contains("Try again") && failed.actions.contains("Not now"))
                #expect(try await scene.rig.agent.suggestions().map(\.state) == ["failed"])
                #expect(try await scene.rig.agent.status().problems?.count == 1)
                #expect(try points(scene).isEmpty)
                let plays = try scene.rig.donations().count

                try await scene.notifications.activate(failed.number, "play")
                try await app.waitForLine(containing: "playing show-1/episode-1")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                #expect(
                    try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted", "failed", "accepted"])
                #expect(try scene.rig.donations().count == plays + 1)
                #expect(try await scene.rig.agent.status().problems == [], "the problem is solved")
            }
        }
    }

    @Test("Playback that is slow to begin shows Starting")
    func starting() async throws {
        try await withMediaScene(configure: { $0.startingTime = .milliseconds(50) }) { scene in
            try await scene.withApp(mode: "hangOnPlay") { _ in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await scene.notifications.activate(shown.number, "play")
                let starting = try await scene.notifications.request(2)
                #expect(starting.summary == "Starting Podcasts" && starting.actions.isEmpty)
                let failed = try await scene.notifications.request(3)
                #expect(failed.replaces == starting.number)
                #expect(failed.body.hasPrefix("Podcasts does not answer"), "\(failed)")
            }
        }
    }

    /// Presses *Play* after the headset left, and returns the notification that waits for it.
    private func playAfterLeaving(_ scene: MediaScene) async throws -> NotificationRecorder.Request {
        try await scene.putOn()
        let shown = try await scene.notifications.request(1)
        try await scene.takeOff()
        try await scene.notifications.activate(shown.number, "play")
        let waiting = try await scene.notifications.request(2)
        #expect(waiting.summary == "Waiting for WH-1000")
        return waiting
    }

    private static let gone = "WH-1000 disconnected and did not come back"

    @Test("“hunch accept” after the headset left fails with the reason, which is shown, too")
    func acceptedAfterLeaving() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(5) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                try await scene.takeOff()
                let answer = try await scene.rig.hunch("accept")
                #expect(answer.status == .exited(3) && answer.standardOutput.isEmpty, "\(answer)")
                let warning = "WH-1000 is not connected; playback starts only if it comes back within seconds"
                #expect(answer.standardError == "hunch: \(warning)\nhunch: \(Self.gone)\n", "\(answer)")
                #expect(try await scene.notifications.request(2).summary == "Waiting for WH-1000")
                let failed = try await scene.notifications.request(3)
                #expect(failed.summary == "“Episode 1” was not resumed" && failed.body == Self.gone, "\(failed)")
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted", "failed"])
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("Play after the headset left reports that, and plays nothing")
    func deviceGone() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(5) }) { scene in
            try await scene.withApp { app in
                let waiting = try await playAfterLeaving(scene)
                #expect(waiting.actions.isEmpty, "\(waiting)")
                #expect(waiting.body == "WH-1000 disconnected. If it comes back within seconds, playback starts")
                let failed = try await scene.notifications.request(3)
                #expect(failed.summary == "“Episode 1” was not resumed" && failed.body == Self.gone)
                #expect(!failed.actions.contains("Play") && !failed.actions.contains("Try again"))
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("Play while the headset is away briefly says that it waits")
    func deviceReturns() async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(60) }) { scene in
            try await scene.withApp { app in
                _ = try await playAfterLeaving(scene)
                try await scene.putOn()
                try await app.waitForLine(containing: "playing show-1/episode-1")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            }
        }
    }

    @Test("A missing file is not suggested, or fails with a reason")
    func missingFile() async throws {
        try await withMediaScene(played: []) { scene in
            try installRadio(scene)
            let file = try scene.rig.home.directory.write("x", to: "music/stick.ogg")
            try await scene.putOn()
            try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("Stick", url: "file://" + file)
                try await waitForPoint(scene, "Stick")
                try await scene.takeOff()
                try await radio.pause()
                try await eventually("the pause being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["status"] == .string("Paused") }
                        ? () : nil
                }
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary == "Play “Stick”")
                try FileManager.default.removeItem(atPath: file)
                try await scene.notifications.activate(shown.number, "play")
                let failed = try await scene.notifications.request(2)
                #expect(failed.body == "Radio cannot open stick.ogg: the file no longer exists", "\(failed)")
                #expect(await !radio.isPlaying)
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForHold("Radio cannot play “Stick”: the file stick.ogg no longer exists")
                #expect(scene.notifications.record.state.requests.count == 2)
            }
        }
    }

    @Test("A closed browser is opened at the page, whether or not the page plays at once")
    func closedBrowser() async throws {
        let page = "https://video.example/watch?v=1"
        try await withMediaScene(played: [], configure: { $0.appearanceTime = .milliseconds(500) }) { scene in
            try scene.rig.installApp("firefox", "MimeType=text/html;x-scheme-handler/https;\n")
            try StoreFile(home: scene.rig.home).use { store in
                let info = NowPlayingInfo(title: "A Film", contentURL: page, length: 600_000_000, position: 300_000_000)
                let point = ResumePoint(
                    device: AudioDevice.ID(scene.headset.address), application: "firefox", item: page, info: info,
                    pausedByDisconnect: false, date: Date())
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary.contains("A Film"))
            try await scene.notifications.activate(shown.number, "play")
            try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            #expect(try await scene.rig.started("firefox").first == page)
            #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
        }
    }

    @Test("An item that cannot be reopened is replaced by the previous one")
    func itemBefore() async throws {
        let page = "https://video.example/watch?v=1"
        try await withMediaScene(played: []) { scene in
            try scene.rig.installApp("firefox", "MimeType=text/html;x-scheme-handler/https;\n")
            try installRadio(scene)
            try StoreFile(home: scene.rig.home).use { store in
                for (application, item, age) in [("firefox", page, 60.0), ("org.example.Radio", "file:///no.ogg", 20)] {
                    let info = NowPlayingInfo(
                        title: item, contentURL: item, length: 600_000_000, position: 300_000_000)
                    let point = ResumePoint(
                        device: "speakers", application: AppID(application), item: item, info: info,
                        pausedByDisconnect: false, date: Date(timeIntervalSinceNow: -age))
                    let outcome = try store.remember(point, now: Date())
                    #expect(outcome.isRecorded)
                }
            }
            try await scene.putOn()
            #expect(try await scene.notifications.request(1).summary.contains(page))
        }
    }

    @Test("A player whose position does not advance is not remembered")
    func standingStill() async throws {
        try await withMediaScene(
            played: [],
            configure: {
                $0.hearingTime = .milliseconds(200)
                $0.playTime = { _ in .milliseconds(20) }
            }
        ) { scene in
            try installRadio(scene)
            try StoreFile(home: scene.rig.home).use { store in
                let info = NowPlayingInfo(title: "Before", length: 600_000_000, position: 300_000_000)
                let point = ResumePoint(
                    device: "speakers", application: "org.example.Radio", item: "x:before", info: info,
                    pausedByDisconnect: false, date: Date())
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("Stuck", position: 0)
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string("Stuck") }
                        ? () : nil
                }
                try await radio.pause()
                try await radio.play("Heard", position: 0)
                try await eventually("it being remembered", because: "the store tells nobody") {
                    await radio.advance(by: 1_000_000)
                    return try points(scene).contains { $0.info.title == "Heard" } ? () : nil
                }
                try await eventually("the play counting", because: "the store tells nobody") {
                    try scene.rig.donations().contains { $0.parameters["title"] == "Heard" } ? () : nil
                }
                #expect(try scene.rig.donations().map { $0.parameters["title"] } == ["Heard"])
                // The resume point of the replaced item stays until another item has played.
                #expect(try points(scene).map(\.info.title) == ["Heard"])
            }
        }
    }
}
