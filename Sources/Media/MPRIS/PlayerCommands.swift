internal import HunchDBus
internal import HunchModel

/// Sends requests to an MPRIS player. Each has a deadline and throws ``MediaError``.
struct PlayerCommands {
    let bus: Connection
    let player: MPRISPlayer
    let deadline: Duration

    private var name: String { player.identity.isEmpty ? player.name.text : player.identity }

    func play() async throws { try await ask(MPRIS.player, "Play", []) }

    func pause() async throws { try await ask(MPRIS.player, "Pause", []) }

    func open(_ uri: String) async throws { try await ask(MPRIS.player, "OpenUri", [uri.dbusValue]) }

    /// - Parameter position: The position in microseconds from the start.
    func seek(to position: Int64, in track: ObjectPath) async throws {
        try await ask(MPRIS.player, "SetPosition", [track.dbusValue, position.dbusValue])
    }

    func go(to track: ObjectPath) async throws { try await ask(MPRIS.trackList, "GoTo", [track.dbusValue]) }

    /// Returns the tracks of the queue.
    func tracks() async throws -> [ObjectPath] {
        let reply = try await exchange(.properties, "Get", [MPRIS.trackList.text.dbusValue, "Tracks".dbusValue])
        return try read { try [ObjectPath](dbusValue: reply.arguments(Value.self)) }
    }

    /// Returns the metadata of the given tracks, in their order. Omits tracks without a title and an address.
    func metadata(of tracks: some Sequence<ObjectPath>) async throws -> [(track: ObjectPath, info: NowPlayingInfo)] {
        let tracks = Array(tracks)
        if tracks.isEmpty { return [] }
        let reply = try await exchange(MPRIS.trackList, "GetTracksMetadata", [tracks.dbusValue])
        let all = try read { try reply.arguments([VariantMap].self) }
        return zip(tracks, all).compactMap { track, metadata in
            MPRISMetadata.info(metadata).map { (track, $0) }
        }
    }

    private func ask(_ interface: InterfaceName, _ member: MemberName, _ body: [Value]) async throws {
        _ = try await exchange(interface, member, body)
    }

    private func exchange(_ interface: InterfaceName, _ member: MemberName, _ body: [Value]) async throws -> Message {
        let call = MethodCall(player.id, MPRIS.path, interface, member, body: body, startsService: false)
        do {
            return try await bus.reply(to: call, timeout: deadline)
        } catch let error as DBusError {
            throw MediaError(error, app: name, request: member.text)
        }
    }

    private func read<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw MediaError(.invalidReply, "\(name) sent values of wrong types", underlying: error)
        }
    }
}

extension MediaError {
    /// Converts a D-Bus error of a request to an app.
    init(_ error: DBusError, app: String, request: String) {
        let words = error.message.isEmpty ? error.name.rawValue : error.message.cut(to: 200)
        switch error.name {
        case .noReply, .timedOut:
            self.init(.noReply, "\(app) does not answer; it may hang, so try to restart it", underlying: error)
        case .serviceUnknown, .nameHasNoOwner:
            self.init(.notRunning, "\(app) is not running", underlying: error)
        case .disconnected:
            self.init(.disconnected, "the session bus closed the connection", underlying: error)
        case .invalidArgs where error.message.hasPrefix("expected "), .limitsExceeded:
            self.init(
                .invalidReply, "\(app) sent an invalid answer to \(request): \(words)", underlying: error)
        default:
            self.init(.refused, "\(app) refuses \(Self.phrase(request)): \(words)", underlying: error)
        }
    }

    /// Returns a request in words.
    private static func phrase(_ request: String) -> String {
        switch request {
        case "Play", "InitiatePlayback": "to play"
        case "Pause": "to pause"
        case "OpenUri", "GoTo": "to open it"
        case "SetPosition": "to go to a position"
        case "InitializePlaybackQueue": "to prepare anything"
        default: "to answer \(request)"
        }
    }
}
