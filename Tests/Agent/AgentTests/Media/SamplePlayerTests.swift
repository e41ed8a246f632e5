import Agent
import Services
import HunchModel
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// The sample player as an app of its own, with an agent, a headset and a real audio server.
@Suite("Sample player", .serialized, .timeLimit(.minutes(15))) struct SamplePlayerTests {
    private static let name: AppID = "org.example.Player"
    private static let mpris: BusName = "org.mpris.MediaPlayer2.sampleplayer"

    private static func status(_ scene: MediaScene) async throws -> String {
        try await Proxy(scene.rig.agent.connection, mpris, "/org/mpris/MediaPlayer2").property(
            "org.mpris.MediaPlayer2.Player", "PlaybackStatus")
    }

    /// Runs the player with a folder of two episodes, of which the first was left after 42 seconds.
    private nonisolated(nonsending) func withPlayer(
        _ body: nonisolated(nonsending) (MediaScene, Daemon) async throws -> Void
    ) async throws {
        try await withMediaScene(
            played: [Self.name], configure: { $0.preparationTime = .seconds(20) }
        ) { scene in
            let home = scene.rig.home
            let music = home.directory.file("music")
            var files: [String] = []
            for number in [41, 42] {
                let wave = WaveFile(seconds: 300, title: "Episode \(number)", artist: "The Night Bus")
                files.append(try home.directory.write(wave.bytes, to: "music/Night Bus/\(number).wav"))
            }
            let marks = [URL(filePath: files[0]).absoluteString: ["position": 42_000_000, "length": 300_000_000]]
            try home.directory.write(
                Array(JSONEncoder().encode(marks)), to: "state/\(Self.name)/bookmarks.json")
            try home.directory.write(
                Guide.text("Tests/Apps/SamplePlayer/\(Self.name).desktop"), to: "data/applications/\(Self.name).desktop"
            )
            let player = Command(
                try builtProduct("sample-player"), [music],
                environment: scene.rig.environment.merging(["XDG_RUNTIME_DIR": home.runtime]) { $1 },
                ready: .busName(Self.name.rawValue, on: scene.rig.bus))
            try await withDaemon(player) { try await body(scene, $0) }
        }
    }

    @Test func `A started item is prepared silently and resumed on accepting`()
        async throws
    {
        try await withPlayer { scene, player in
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Resume “Episode 41”")
            #expect(shown.body.contains("The Night Bus · Sample Player"))
            // The player has opened its output but plays no sound.
            #expect(try await Self.status(scene) == "Stopped")
            #expect(try await !scene.audio.control("list", "sink-inputs").contains("Corked: no"))

            try await scene.notifications.activate(shown.number, "play")
            try await eventually("sound", because: "the audio server is asked") {
                try await scene.audio.control("list", "sink-inputs").contains("Corked: no") ? () : nil
            }
            #expect(try await Self.status(scene) == "Playing")
            let proxy = Proxy(scene.rig.agent.connection, Self.mpris, "/org/mpris/MediaPlayer2")
            try await eventually("a position beyond where it was left", because: "Position has no signal") {
                let position: Int64 = try await proxy.property("org.mpris.MediaPlayer2.Player", "Position")
                return position > 42_000_000 ? () : nil
            }

            // It then stores its position.
            let () = try await proxy.call("org.mpris.MediaPlayer2.Player", "Pause")
            player.signal(15)
            #expect(try await player.waitForExit() == .exited(0))
            let marks = try scene.rig.home.directory.read("state/\(Self.name)/bookmarks.json")
            #expect(!marks.contains("\"position\":42000000"), "\(marks)")
        }
    }

    @Test func `An invalid file is refused, and the player goes on`() async throws {
        try await withPlayer { scene, _ in
            let broken = try scene.rig.home.directory.write("no sound at all", to: "music/broken.wav")
            let outside = try scene.rig.home.directory.write(
                WaveFile(seconds: 1, title: "Outside", artist: "").bytes, to: "outside.wav")
            for file in [broken, outside, "/dev/null"] {
                let uri = URL(filePath: file).absoluteString
                let error = try await scene.rig.refusal { rig in
                    let _: VariantMap = try await rig.agent.connection.call(
                        BusName(Self.name.rawValue), "/org/example/Player", "org.hunch.PlayableContent1",
                        "InitializePlaybackQueue", [uri], VariantMap())
                }
                #expect(error?.name == .failed, "\(file): \(String(describing: error))")
            }
            #expect(try await Self.status(scene) == "Stopped")
            try await scene.putOn()
            #expect(try await scene.notifications.request(1).summary == "Resume “Episode 41”")
        }
    }

    @Test func `It meets all requirements of playable content`() async throws {
        try await withPlayer { scene, _ in
            let file = URL(filePath: scene.rig.home.directory.file("music/Night Bus/42.wav")).absoluteString
            let result = try await scene.rig.hunch("conformance", Self.name.rawValue, "--play", file)
            #expect(result.status == .exited(0), "\(result)")
            #expect(try await Self.status(scene) == "Playing")
        }
    }
}
