import EventLoops
import HunchDBus
import TestSupport

/// A small MPRIS player whose tracks a test changes.
actor RadioPlayer {
    private nonisolated let connection: Connection
    private let server: ObjectServer
    private var title = ""
    private var length: Int64 = 0
    private var artwork: String?
    private var url: String?
    /// The reported position in microseconds; `nil` if it reports none.
    private var position: Int64?
    private var status = "Stopped"
    /// The number of pauses.
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
                .property("Position", notice: .none) { await self.position ?? -1 },
                .property("CanPause") { true },
                .method("Play") { _ in try await self.play() }, .method("Pause") { _ in try await self.pauseAsTold() },
                .method("PlayPause") { _ in try await self.playPause() },
                .method("OpenUri", arguments: ["uri"]) { (_, uri: String) in try await self.open(uri) },
            ])
    }

    private var metadata: VariantMap {
        var metadata: VariantMap = [
            "mpris:trackid": .objectPath("/track/1"), "xesam:title": .string(title),
            "xesam:url": .string(url ?? "https://radio.example/\(title).ogg"), "mpris:length": .int64(length),
        ]
        metadata["mpris:artUrl"] = artwork.map(Value.string)
        return metadata
    }

    /// Plays a track from now on.
    ///
    /// - Parameters:
    ///   - url: of the track; `nil` for one on a network.
    ///   - position: the constant reported position; `nil` if it reports none.
    func play(
        _ title: String, length: Int64 = 600_000_000, artwork: String? = nil, url: String? = nil,
        position: Int64? = nil
    ) async throws {
        (self.title, self.length, self.artwork, self.url, status) = (title, length, artwork, url, "Playing")
        self.position = position
        try await server.propertiesChanged(Self.path, Self.player, ["Metadata", "PlaybackStatus"])
    }

    private func play() async throws {
        status = "Playing"
        try await server.propertiesChanged(Self.path, Self.player, ["PlaybackStatus"])
    }

    private func open(_ uri: String) async throws {
        let name = uri.split(separator: "/").last?.split(separator: ".").first ?? ""
        try await play(String(name), url: uri)
    }

    /// Whether it plays.
    var isPlaying: Bool { status == "Playing" }

    private func playPause() async throws {
        if isPlaying { try await pause() } else { try await play() }
    }

    /// Reports a position from now on, in microseconds.
    func stand(at position: Int64) { self.position = position }

    /// Advances the reported position by some microseconds.
    func advance(by distance: Int64) { position = (position ?? 0) + distance }

    /// Prepares a track.
    func load(_ title: String) async throws {
        (self.title, length, url, status) = (title, 600_000_000, nil, "Paused")
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
