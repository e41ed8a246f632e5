import EventLoops
import HunchDBus
import Media
import Players
import TestSupport

/// A fake MPRIS player with selectable quirks of real players.
actor FakePlayer {
    struct Track: Sendable {
        var url: String?
        var title: String
        var length: Int64 = 600_000_000
    }

    /// The behaviour of `OpenUri`.
    enum Opening: Sendable {
        /// The item becomes current; a playing player continues, and a paused one stays paused.
        case opens
        /// The item becomes current and plays.
        case plays
        /// The method is unknown, as in audacious.
        case unknown
        /// It is accepted, and nothing happens.
        case nothing
        /// The item becomes current at first without title and with a length of −1, as in VLC.
        case late
    }

    struct Manner: Sendable {
        var identity = "Fake Player"
        var desktopEntry: String? = "fake"
        var opening = Opening.opens
        var hasTrackList = false
        var canPlay = true
        var canSeek = true
        /// `Play` is accepted, and nothing happens.
        var ignoresPlay = false
        /// `Play` is accepted, and nothing happens while it is paused; `PlayPause` works, as in Strawberry 1.2.
        var obeysOnlyPlayPause = false
        /// `Play` starts a paused item from the beginning, without reporting the jump.
        var startsAnew = false
        /// Its items have no track identifier.
        var hidesTracks = false
        /// Its position is always 0, as in Plexamp 4.12.
        var tellsNoPosition = false
        /// The number of first `SetPosition` calls that are accepted without effect, as in mpv before it has read the
        /// file.
        var forgottenSeeks = 0
        /// It does not report jumps.
        var jumpsSilently = false
        /// It says that it plays, and its position does not advance.
        var standsStill = false
        /// It leaves the bus when it is asked to play or to open something.
        var quits = false
        /// The same, after it took its object off the bus, so that the request is refused.
        var refusesAndQuits = false
        /// Changes are not signalled.
        var isSilent = false
        /// Its volume; `nil` if it has none.
        var volume: Double?
        /// The number of first `GetAll` calls that fail, as when the object appears later than the name.
        var failingReads = 0
        /// The process of the browser that it represents, as plasma-browser-integration reports it.
        var proxiedProcess: Int32?
    }

    nonisolated let connection: Connection
    nonisolated let calls = Watched<[String]>([])
    private let server: ObjectServer
    private var manner: Manner
    private var tracks: [Track]
    private var current: Int?
    private var status = "Stopped"
    private var position: Int64 = 0
    /// When the position was what it says, while it plays.
    private var since: MonotonicInstant?
    private var isMetadataLate = false
    private var hanging = false
    private var tellsLengths = true

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    init(on connection: Connection, _ manner: Manner, tracks: [Track]) async throws {
        self.connection = connection
        self.manner = manner
        self.tracks = tracks
        current = tracks.isEmpty ? nil : 0
        server = await ObjectServer(on: connection)
        try await server.export(MPRIS.path, [root, player] + (manner.hasTrackList ? [trackList] : []))
    }

    // MARK: Control from the test

    func own(_ names: BusName...) async throws {
        for name in names { _ = try await connection.requestName(name) }
    }

    func set(_ status: PlaybackStatus, at position: Int64? = nil) async throws {
        self.status = status.rawValue.prefix(1).uppercased() + status.rawValue.dropFirst()
        self.position = position ?? heard
        since = status == .playing ? .now : nil
        try await tell("PlaybackStatus")
    }

    /// The current position.
    private var heard: Int64 {
        guard let since, !manner.standsStill else { return position }
        return position + Int64(since.duration(to: .now) / .microseconds(1))
    }

    /// Makes a track the current one, adding it to the queue.
    func load(_ track: Track, telling: Bool = true) async throws {
        tracks.append(track)
        current = tracks.count - 1
        position = 0
        if since != nil { since = .now }
        if telling { try await tell("Metadata") }
    }

    func tellMetadata() async throws {
        isMetadataLate = false
        try await tell("Metadata")
    }

    /// From now on, it answers no call and no read of properties.
    func hang(_ hangs: Bool = true) { hanging = hangs }

    /// Sends one signal unchanged.
    func emit(_ changed: VariantMap) async throws {
        try await connection.emit(
            MPRIS.path, .properties, "PropertiesChanged",
            body: [MPRIS.player.text.dbusValue, changed.dbusValue, [String]().dbusValue])
    }

    func emitSeeked(_ position: Int64) async throws {
        self.position = position
        if since != nil { since = .now }
        if manner.jumpsSilently { return }
        try await connection.emit(MPRIS.path, MPRIS.player, "Seeked", body: [position.dbusValue])
    }

    /// From now on, it reports no lengths.
    func forgetLengths() { tellsLengths = false }

    var present: (status: String, title: String?, position: Int64) {
        (status, current.map { tracks[$0].title }, position)
    }

    // MARK: The object

    private func tell(_ properties: MemberName...) async throws {
        if manner.isSilent { return }
        try await server.propertiesChanged(MPRIS.path, MPRIS.player, properties)
    }

    private func answer<Result>(_ value: Result) async throws -> Result {
        if hanging { try await connection.loop.sleep(for: .seconds(86_400)) }
        if manner.failingReads > 0 {
            manner.failingReads -= 1
            throw DBusError(.unknownObject, "no object yet")
        }
        return value
    }

    private func note(_ call: String) async throws {
        calls.update { $0.append(call) }
        if manner.quits { await connection.close() }
        if manner.refusesAndQuits {
            Task {
                try await connection.loop.sleep(for: .milliseconds(50))
                await connection.close()
            }
            throw DBusError(.unknownMethod, "Object does not exist at path “\(MPRIS.path.text)”")
        }
        if hanging { try await connection.loop.sleep(for: .seconds(86_400)) }
    }

    private func path(_ index: Int) throws -> ObjectPath { try ObjectPath("/track/t\(index)") }

    private func metadata(_ index: Int) throws -> VariantMap {
        var metadata: VariantMap = [:]
        if !manner.hidesTracks { metadata["mpris:trackid"] = .objectPath(try path(index)) }
        metadata["kde:pid"] = manner.proxiedProcess.map(Value.int32)
        metadata["xesam:url"] = tracks[index].url.map(Value.string)
        if tellsLengths { metadata["mpris:length"] = .int64(isMetadataLate ? -1 : tracks[index].length) }
        if !isMetadataLate { metadata["xesam:title"] = .string(tracks[index].title) }
        return metadata
    }

    private var currentMetadata: VariantMap {
        get throws { try current.map(metadata) ?? [:] }
    }

    private var root: ExportedInterface {
        ExportedInterface(
            MPRIS.root,
            [
                .property("Identity") { try await self.answer(self.manner.identity) },
                .property("DesktopEntry") { await self.manner.desktopEntry ?? "" },
                .property("HasTrackList") { await self.manner.hasTrackList },
            ])
    }

    private var player: ExportedInterface {
        let members: [ExportedMember] = [
            .property("PlaybackStatus") { try await self.answer(self.status) },
            .property("Metadata") { try await self.currentMetadata },
            .property("Position", notice: .none) { await self.manner.tellsNoPosition ? Int64(0) : self.heard },
            .property("CanPlay") { await self.manner.canPlay },
            .property("CanSeek") { await self.manner.canSeek },
            .property("CanControl") { true },
            .method("Play") { (_) in try await self.play() },
            .method("PlayPause") { (_) in try await self.playPause() },
            .method("Seek", arguments: ["offset"]) { (_, offset: Int64) in try await self.seek(by: offset) },
            .method("OpenUri", arguments: ["uri"]) { (_, uri: String) in try await self.open(uri) },
            .method("SetPosition", arguments: ["track", "position"]) {
                (_, track: ObjectPath, position: Int64) in try await self.seek(track, position)
            },
        ]
        return ExportedInterface(MPRIS.player, members + volumes)
    }

    var volume: Double { manner.volume ?? 0 }

    /// Sets the volume as the user does in its window.
    func turn(to volume: Double) { manner.volume = volume }

    private func set(volume: Double) async throws {
        try await note("Volume \(volume)")
        manner.volume = volume
    }

    /// The property `Volume`, if it has one.
    private var volumes: [ExportedMember] {
        guard manner.volume != nil else { return [] }
        return [
            .property("Volume", get: { await self.volume }, set: { (_, volume) in try await self.set(volume: volume) })
        ]
    }

    private var trackList: ExportedInterface {
        ExportedInterface(
            MPRIS.trackList,
            [
                .property("Tracks") { try await self.paths },
                .method("GetTracksMetadata", arguments: ["tracks"], results: ["metadata"]) {
                    (_, tracks: [ObjectPath]) in try await self.metadata(of: tracks)
                },
                .method("GoTo", arguments: ["track"]) { (_, track: ObjectPath) in try await self.go(to: track) },
            ])
    }

    private var paths: [ObjectPath] { get throws { try tracks.indices.map(path) } }

    private func metadata(of wanted: [ObjectPath]) async throws -> [VariantMap] {
        try await note("GetTracksMetadata \(wanted.count)")
        return try tracks.indices.filter { wanted.contains(try path($0)) }.map(metadata)
    }

    private func go(to track: ObjectPath) async throws {
        try await note("GoTo \(track)")
        current = try tracks.indices.first { try path($0) == track }
        try await tell("Metadata")
    }

    private func play() async throws {
        try await note("Play")
        if manner.ignoresPlay || manner.obeysOnlyPlayPause && status == "Paused" { return }
        try await set(.playing, at: manner.startsAnew ? 0 : nil)
    }

    private func playPause() async throws {
        try await note("PlayPause")
        if !manner.ignoresPlay { try await set(status == "Playing" ? .paused : .playing) }
    }

    private func seek(by offset: Int64) async throws {
        try await note("Seek \(offset / 1_000_000) s")
        try await emitSeeked(heard + offset)
    }

    private func seek(_ track: ObjectPath, _ position: Int64) async throws {
        try await note("SetPosition \(position)")
        guard let current, try path(current) == track else { return }
        if manner.forgottenSeeks > 0 {
            manner.forgottenSeeks -= 1
            return
        }
        try await emitSeeked(position)
    }

    private func open(_ uri: String) async throws {
        try await note("OpenUri \(uri)")
        let track = Track(url: uri, title: uri.split(separator: "/").last.map(String.init) ?? uri)
        switch manner.opening {
        case .opens: try await load(track)
        case .plays:
            try await load(track)
            try await set(.playing)
        case .unknown: throw DBusError(.unknownMethod, "no such method OpenUri")
        case .nothing: break
        case .late:
            isMetadataLate = true
            try await load(track)
        }
    }
}

/// Runs a fake player on a connection of its own while `body` runs.
nonisolated(nonsending) func withFakePlayer<Value>(
    on bus: PrivateBus, as names: [BusName] = ["org.mpris.MediaPlayer2.fake"],
    _ manner: FakePlayer.Manner = FakePlayer.Manner(), tracks: [FakePlayer.Track] = [],
    _ body: nonisolated(nonsending) (FakePlayer) async throws -> Value
) async throws -> Value {
    try await withConnection(to: bus) { connection in
        let player = try await FakePlayer(on: connection, manner, tracks: tracks)
        for name in names { try await player.own(name) }
        return try await body(player)
    }
}
