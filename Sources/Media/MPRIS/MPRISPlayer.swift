public import HunchDBus
public import HunchModel

/// A player on the session bus, as it was at one moment.
public struct MPRISPlayer: Hashable, Sendable, Identifiable {
    /// The connection of the player, which lasts as long as the player runs.
    public let id: BusName
    /// Its name: of several, the shortest.
    public let name: BusName
    /// All its MPRIS names, in order.
    public let names: [BusName]
    /// What people call it; empty when it does not tell.
    public let identity: String
    /// Its `DesktopEntry`, without `.desktop`; `nil` when it tells none.
    public let desktopEntry: String?
    /// Whether it plays; `nil` when it has not told.
    public let status: PlaybackStatus?
    /// What it plays or would play, with the position in microseconds that it should be at; `nil` when it has told
    /// neither a title nor an address.
    public let info: NowPlayingInfo?
    /// Whether it accepts `Play`.
    public let canPlay: Bool
    /// Whether it can be sent to a position.
    public let canSeek: Bool
    /// Whether it accepts commands at all.
    public let canControl: Bool
    /// Whether it tells its queue.
    public let hasTrackList: Bool
    /// Whether it answered when it was last asked.
    public let isResponding: Bool
    /// How many of its messages, at least, were left unread because there were too many or because they were too large.
    public let droppedChanges: Int
    /// Desktop identifier of its app, as whoever follows the players found out from its process; `nil` when nobody did.
    public internal(set) var application: String?

    /// The identifier of what it plays or would play; see ``ItemIdentity``.
    public var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }

    /// Whether it plays or is paused: whether it has something that keys and widgets act on.
    public var isActive: Bool { status == .playing || status == .paused }

    /// Desktop identifiers that it may have, likeliest first: what it says itself; its bus name without what tells
    /// several instances apart (`org.mpris.MediaPlayer2.chromium.instance42` → `chromium`); its identity in lower case.
    ///
    /// Only a desktop file tells which of them exists.
    public var desktopIDCandidates: [String] {
        let all =
            [desktopEntry].compactMap(\.self) + namedDesktopIDs
            + [identity.lowercased().split(separator: " ").joined(separator: "-")]
        return Self.distinct(all)
    }

    /// Those that its bus name alone stands for; never empty.
    public var namedDesktopIDs: [String] {
        let suffix = name.text.dropFirst(MPRIS.namespace.count + 1)
        var parts = suffix.split(separator: ".")
        while parts.count > 1, let last = parts.last, Self.tellsInstance(last) { parts.removeLast() }
        let named = Self.distinct([parts.joined(separator: "."), parts.last.map(String.init) ?? ""])
        return named.isEmpty ? [name.text] : named
    }

    private static func distinct(_ candidates: [String]) -> [String] {
        var seen: Set<String> = [""]
        return candidates.filter { seen.insert($0).inserted }
    }

    /// Whether the app with this desktop identifier is the player's, or may be where ``application`` is not known.
    public func mayBelong(to desktopID: String) -> Bool {
        (application.map { [$0] } ?? desktopIDCandidates).contains { $0.lowercased() == desktopID.lowercased() }
    }

    private static func tellsInstance(_ part: Substring) -> Bool {
        part.hasPrefix("instance") || part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Something that happened to a player, with what was playing at that moment.
public struct MediaObservation: Hashable, Sendable {
    /// What happened.
    public enum Change: String, CaseIterable, Hashable, Sendable {
        /// An item began to play, or went on. Also when the player was playing already when it was first seen, and when
        /// the next item of a queue begins.
        case started
        /// The player told more or other things about the item that plays.
        case changed
        /// What played was paused.
        case paused
        /// What played or was paused was stopped, or ended.
        case stopped
        /// The player left the bus.
        case gone
    }

    /// What happened.
    public let change: Change
    /// The player just then.
    public let player: MPRISPlayer
    /// What it concerns: with `stopped` and `gone` what was playing before. The position in microseconds is what the
    /// player answered at that moment; with `stopped` and `gone`, and when it did not answer, it is reckoned from the
    /// last known one. `nil` only with `gone`, for a player that played nothing since it was seen.
    public let info: NowPlayingInfo?

    /// The identifier of what it concerns; see ``ItemIdentity``.
    public var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }
}
