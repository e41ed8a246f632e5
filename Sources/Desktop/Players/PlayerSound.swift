internal import HunchModel
internal import Triggers

/// Whether the audio server plays something of a player.
public enum PlayerSound: Hashable, Sendable {
    /// The audio server does not report streams, or the player's stream cannot be distinguished from others.
    case unknown
    /// A stream of the player sounds, or did a moment ago.
    case heard
    /// No stream of the player sounds.
    case silent
    /// The player has a stream, which is muted or paused.
    case muted
}

extension MPRISPlayer {
    /// Returns whether one of the audio server's streams is this player's.
    ///
    /// Processes decide, where both are known. A Flatpak app has processes of its own numbers, but an identifier that
    /// the server confirms. Claims of a program about itself count as evidence for a player, never against it.
    ///
    /// - Parameter streams: all streams; `nil` if the audio server does not report them.
    func sound(among streams: [AudioStream]?) -> PlayerSound {
        guard let streams else { return .unknown }
        // A filter plays what others play.
        let sounding = streams.filter { $0.isSounding && $0.groups.isEmpty }
        let programs = PlayerTraits.programs(of: self)
        if sounding.contains(where: { plays($0) || !programs.isDisjoint(with: $0.names) }) { return .heard }
        if streams.contains(where: { $0.groups.isEmpty && owns($0) == true }) { return .muted }
        if sounding.isEmpty { return .silent }
        if processes.isEmpty || !programs.isEmpty { return .unknown }
        return sounding.contains { $0.processes.isEmpty && $0.application == nil } ? .unknown : .silent
    }

    private var apps: [String] { [application?.rawValue, desktopEntry].compactMap { $0?.lowercased() } }

    private func plays(_ stream: AudioStream) -> Bool {
        if let isOwn = owns(stream) { return isOwn }
        let names = apps + namedDesktopIDs.map { $0.rawValue.lowercased() } + [identity.lowercased()]
        return names.contains { !$0.isEmpty && stream.names.contains($0) }
    }

    /// Returns whether a stream is proven to be this player's, or another program's; `nil` if neither is proven.
    private func owns(_ stream: AudioStream) -> Bool? {
        if let application = stream.application, apps.contains(application) { return true }
        if let own = processes.first, let playing = stream.processes.first {
            return stream.processes.contains(own) || processes.contains(playing)
        }
        return stream.application == nil ? nil : false
    }
}
