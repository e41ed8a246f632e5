package import HunchDBus
internal import HunchModel
internal import Localization

/// Sends requests to an MPRIS player. Each has a deadline and throws ``MediaError``.
struct PlayerCommands {
    let bus: Connection
    let player: MPRISPlayer
    let deadline: Duration
    /// The name of the player for people.
    let name: String

    func play() async throws { try await ask(MPRIS.player, "Play", []) }

    func playPause() async throws { try await ask(MPRIS.player, "PlayPause", []) }

    func pause() async throws { try await ask(MPRIS.player, "Pause", []) }

    func open(_ uri: String) async throws { try await ask(MPRIS.player, "OpenUri", [uri.dbusValue]) }

    /// - Parameter position: The position in microseconds from the start.
    func seek(to position: Int64, in track: ObjectPath) async throws {
        try await ask(MPRIS.player, "SetPosition", [track.dbusValue, position.dbusValue])
    }

    /// - Parameter offset: The distance in microseconds.
    func seek(by offset: Int64) async throws { try await ask(MPRIS.player, "Seek", [offset.dbusValue]) }

    /// Returns the volume, 0…1 or more.
    func volume() async throws -> Double {
        let reply = try await exchange(.properties, "Get", [MPRIS.player.text.dbusValue, "Volume".dbusValue])
        return try read { try Double(dbusValue: reply.arguments(Value.self).unwrapped) }
    }

    func set(volume: Double) async throws {
        try await ask(
            .properties, "Set", [MPRIS.player.text.dbusValue, "Volume".dbusValue, .variant(volume.dbusValue)])
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
            throw MediaError(.invalidReply, localized("%1 sent values of wrong types", name), underlying: error)
        }
    }
}

extension MediaError {
    /// Converts a D-Bus error of a request to an app.
    package init(_ error: DBusError, app: String, request: String) {
        let words = error.message.isEmpty ? error.name.rawValue : error.message.cut(to: 200)
        switch error.name {
        case .noReply, .timedOut:
            self.init(
                .noReply, localized("%1 does not answer; it may hang, so try to restart it", app), underlying: error)
        case .serviceUnknown, .nameHasNoOwner:
            self.init(.notRunning, localized("%1 is not running", app), underlying: error)
        case .disconnected:
            self.init(.disconnected, localized("the session bus closed the connection"), underlying: error)
        case .invalidArgs where error.message.hasPrefix("expected "), .limitsExceeded:
            self.init(
                .invalidReply, localized("%1 sent an invalid answer to %2: %3", app, request, words), underlying: error)
        default:
            self.init(.refused, Self.refusal(of: request, by: app, words), underlying: error)
        }
    }

    /// Returns a sentence about an app that refused a request.
    private static func refusal(of request: String, by app: String, _ words: String) -> String {
        switch request {
        case "Play", "PlayPause", "InitiatePlayback": localized("%1 refuses to play: %2", app, words)
        case "Pause": localized("%1 refuses to pause: %2", app, words)
        case "OpenUri", "GoTo": localized("%1 refuses to open it: %2", app, words)
        case "SetPosition", "Seek": localized("%1 refuses to go to a position: %2", app, words)
        case "InitializePlaybackQueue": localized("%1 refuses to prepare anything: %2", app, words)
        default: localized("%1 refuses to answer %2: %3", app, request, words)
        }
    }
}
