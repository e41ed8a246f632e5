import HunchDBus
import TestSupport

/// A small MPRIS player whose tracks a test changes.
actor RadioPlayer {
    private nonisolated let connection: Connection
    private let server: ObjectServer
    private var title = ""
    private var length: Int64 = 0
    private var artwork: String?
    private var status = "Stopped"
    /// How often somebody had it pause.
    private(set) var pauses = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }
    private static let root: InterfaceName = "org.mpris.MediaPlayer2"
    private static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"
    private static let path: ObjectPath = "/org/mpris/MediaPlayer2"

    init(on connection: Connection, as name: BusName = "org.mpris.MediaPlayer2.radio") async throws {
        self.connection = connection
        server = await ObjectServer(on: connection)
        try await server.export(Self.path, [root, player])
        _ = try await connection.requestName(name)
    }

    private nonisolated var root: ExportedInterface {
        ExportedInterface(
            Self.root, [.property("Identity") { "Radio" }, .property("DesktopEntry") { "org.example.Radio" }])
    }

    private nonisolated var player: ExportedInterface {
        ExportedInterface(
            Self.player,
            [
                .property("PlaybackStatus") { await self.status }, .property("Metadata") { await self.metadata },
                .property("CanControl") { true }, .property("CanPlay") { true },
                .property("CanPause") { true },
                .method("Play") { _ in try await self.play() }, .method("Pause") { _ in try await self.pauseAsTold() },
                .method("PlayPause") { _ in try await self.playPause() },
            ])
    }

    private var metadata: VariantMap {
        var metadata: VariantMap = [
            "mpris:trackid": .objectPath("/track/1"), "xesam:title": .string(title),
            "xesam:url": .string("file:///\(title).ogg"), "mpris:length": .int64(length),
        ]
        metadata["mpris:artUrl"] = artwork.map(Value.string)
        return metadata
    }

    /// Plays a track from now on.
    func play(_ title: String, length: Int64 = 600_000_000, artwork: String? = nil) async throws {
        (self.title, self.length, self.artwork, status) = (title, length, artwork, "Playing")
        try await server.propertiesChanged(Self.path, Self.player, ["Metadata", "PlaybackStatus"])
    }

    private func play() async throws {
        status = "Playing"
        try await server.propertiesChanged(Self.path, Self.player, ["PlaybackStatus"])
    }

    /// Whether it plays.
    var isPlaying: Bool { status == "Playing" }

    private func playPause() async throws {
        if isPlaying { try await pause() } else { try await play() }
    }

    /// Has a track ready to be played.
    func load(_ title: String) async throws {
        (self.title, length, status) = (title, 600_000_000, "Paused")
        try await server.propertiesChanged(Self.path, Self.player, ["Metadata", "PlaybackStatus"])
    }

    private func pauseAsTold() async throws {
        pauses += 1
        try await pause()
    }

    func pause() async throws {
        status = "Paused"
        try await server.propertiesChanged(Self.path, Self.player, ["PlaybackStatus"])
    }
}
