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

/// Tests of resume points.
@Suite("Resume points of a device", .serialized, .timeLimit(.minutes(15)))
struct ResumeTests {
    /// The first bytes of a picture of 64 × 64 pixels.
    static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0]

    private func isReady(_ scene: MediaScene) async throws {
        try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
    }

    private func point(
        _ scene: MediaScene, where holds: @escaping @Sendable (ResumePoint) -> Bool
    ) async throws -> ResumePoint {
        let device = scene.headset.address
        return try await eventually("what is remembered", because: "the store tells nobody") {
            try StoreFile(home: scene.rig.home).use { try $0.resumePoints(device: AudioDevice.ID(device)) }.first(
                where: holds)
        }
    }

    private func copies(_ scene: MediaScene) -> [String] {
        let folder = scene.rig.environment["XDG_CACHE_HOME"].map { $0 + "/hunch/artwork" } ?? ""
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    @Test("Interrupted playback is suggested without player and picture")
    func interrupted() async throws {
        try await withMediaScene(played: []) { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %u\nMimeType=audio/ogg;\n",
                to: "data/applications/org.example.Radio.desktop")
        } _: { scene in
            let cover = try scene.rig.home.directory.write(Self.picture, to: "covers/News.png")
            try await scene.putOn()
            try await isReady(scene)
            let copy = try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("News", artwork: "file://" + cover)
                let kept = try await point(scene) { $0.info.artworkURL?.contains("/hunch/artwork/") == true }
                #expect(kept.application == "org.example.Radio" && !kept.pausedByDisconnect)
                try FileManager.default.removeItem(atPath: cover)
                try await scene.takeOff()
                try await radio.pause()
                let paused = try await point(scene) { $0.pausedByDisconnect }
                #expect(paused.info.artworkURL == kept.info.artworkURL)
                return try #require(kept.info.artworkURL)
            }
            try await eventually("the player going", because: "Players has no signal") {
                try await scene.rig.agent.players().map(\.transfer).isEmpty ? () : nil
            }
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary.contains("News"))
            #expect(shown.body.contains("Was playing when WH-1000 disconnected"), "\(shown.body)")
            #expect(shown.hints["image-path"] == .string(copy))
            #expect(try Data(contentsOf: URL(filePath: String(copy.dropFirst(7)))) == Data(Self.picture))
        }
    }

    @Test("Only the last disconnect is reported as the one that interrupted playback")
    func laterDisconnect() async throws {
        try await withMediaScene(played: []) { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %u\nMimeType=audio/ogg;\n",
                to: "data/applications/org.example.Radio.desktop")
        } _: { scene in
            let item = "https://radio.example/News.ogg"
            try StoreFile(home: scene.rig.home).use { store in
                let info = NowPlayingInfo(title: "News", contentURL: item, length: 600_000_000)
                let point = ResumePoint(
                    device: AudioDevice.ID(scene.headset.address), application: "org.example.Radio", item: item,
                    info: info, pausedByDisconnect: true, date: Date(timeIntervalSinceNow: -60))
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            try await scene.putOn()
            #expect(try await scene.notifications.request(1).body.contains("Was playing when WH-1000 disconnected"))
            try await scene.takeOff()
            _ = try await point(scene) { !$0.pausedByDisconnect }
            try await scene.putOn()
            let shown = try await scene.notifications.request(2)
            #expect(shown.summary.contains("News") && !shown.body.contains("disconnected"), "\(shown)")
        }
    }

    @Test("Forgetting that finds nothing keeps the play in progress")
    func emptyForgetting() async throws {
        try await withMediaScene(played: []) { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %u\nMimeType=audio/ogg;\n",
                to: "data/applications/org.example.Radio.desktop")
        } _: { scene in
            try await scene.putOn()
            try await isReady(scene)
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("News")
                _ = try await point(scene) { !$0.pausedByDisconnect }
                for scope in [ForgetScope.since(Date() + 60), .place("Nowhere"), .application("org.example.Nobody")] {
                    _ = try await scene.rig.agent.forget(scope)
                }
                try await scene.takeOff()
                try await radio.pause()
                _ = try await point(scene) { $0.pausedByDisconnect }
            }
        }
    }

    /// Plays on the headset, disconnects it, and runs `body` with the player.
    private nonisolated(nonsending) func playNewsAndGo(
        _ scene: MediaScene, _ body: nonisolated(nonsending) (RadioPlayer) async throws -> Void
    ) async throws {
        try await scene.putOn()
        try await isReady(scene)
        try await withClient(of: scene.rig.bus) { client in
            let radio = try await RadioPlayer(on: client.connection)
            try await radio.play("News")
            _ = try await point(scene) { $0.info.title == "News" }
            try await scene.takeOff()
            try await body(radio)
        }
    }

    @Test(
        "Interrupted playback that no app can play is not suggested")
    func gone() async throws {
        try await withMediaScene(played: []) { scene in
            try await playNewsAndGo(scene) { radio in
                try await radio.pause()
                _ = try await point(scene) { $0.pausedByDisconnect }
            }
            try await eventually("the player going", because: "Players has no signal") {
                try await scene.rig.agent.players().map(\.transfer).isEmpty ? () : nil
            }
            try await scene.putOn()
            try await eventually("the reason", because: "what is not offered is told to nobody") {
                try await scene.rig.hunch("suggestions").standardError.contains(
                    "cannot play “News”: the app org.example.Radio is not installed") ? () : nil
            }
            let simulated = try await scene.rig.hunch("simulate", "headset").standardOutput
            #expect(simulated.contains("held: the app org.example.Radio is not installed"), "\(simulated)")
        }
    }

    @Test("A pause on the speakers outranks the device's earlier item")
    func paused() async throws {
        try await withMediaScene(played: []) { scene in
            try await playNewsAndGo(scene) { radio in
                // On the machine's own speakers.
                try await radio.play("Weather")
                try await eventually("the second being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string("Weather") }
                        ? () : nil
                }
                try await eventually("it being heard", because: "the store tells nobody") {
                    try StoreFile(home: scene.rig.home).use { try $0.resumePoints(device: "speakers") }.first
                        .map { _ in () }
                }
                try await radio.pause()
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(
                    shown.summary == "Play “Weather”" && shown.body.contains("You used"), "\(shown)")
                #expect(try await point(scene) { _ in true }.info.title == "News")
            }
        }
    }

    @Test("Play first remembers the position of the item it replaces")
    func replaced() async throws {
        try await withMediaScene(played: []) { scene in
            let (device, item) = (scene.headset.address, "https://radio.example/News.ogg")
            try StoreFile(home: scene.rig.home).use { store in
                let info = NowPlayingInfo(title: "News", contentURL: item, length: 600_000_000)
                let point = ResumePoint(
                    device: AudioDevice.ID(device), application: "org.example.Radio", item: item, info: info,
                    pausedByDisconnect: false, date: Date())
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                await radio.stand(at: 300_000_000)
                try await radio.load("Film")
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string("Film") }
                        ? () : nil
                }
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary == "Play “News”")
                try await scene.notifications.activate(shown.number, "play")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                let points = try StoreFile(home: scene.rig.home).use { try $0.resumePoints() }
                #expect(points.first { $0.device.rawValue == device }?.info.title == "News")
                let film = try #require(points.first { $0.device == "speakers" })
                #expect(film.info.title == "Film" && film.info.position == 300_000_000)
            }
        }
    }

    @Test("No picture of an excluded app is copied")
    func excluded() async throws {
        try await withMediaScene(played: []) { scene in
            let secret = try scene.rig.home.directory.write(Self.picture, to: "covers/secret.png")
            let open = try scene.rig.home.directory.write(Self.picture + [0], to: "covers/open.png")
            _ = try await scene.rig.agent.exclude("org.example.Radio")
            try await scene.putOn()
            try await isReady(scene)
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("Secret", artwork: "file://" + secret)
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string("Secret") }
                        ? () : nil
                }
                _ = try await scene.rig.agent.include("org.example.Radio")
                try await radio.play("Open", artwork: "file://" + open)
                let kept = try await point(scene) { $0.info.artworkURL?.contains("/hunch/artwork/") == true }
                #expect(kept.info.title == "Open" && copies(scene).count == 1, "\(copies(scene))")
            }
        }
    }
}
