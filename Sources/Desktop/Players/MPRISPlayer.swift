public import HunchDBus
public import HunchModel

/// A snapshot of a player on the session bus.
public struct MPRISPlayer: Hashable, Sendable, Identifiable {
    /// The player's unique bus name, valid while the player runs.
    public let id: BusName
    /// The shortest of its MPRIS names.
    public let name: BusName
    /// All its MPRIS names, sorted.
    public let names: [BusName]
    /// Its display name; empty if it reports none.
    public let identity: String
    /// Its `DesktopEntry`, without `.desktop`; `nil` if it reports none.
    public let desktopEntry: String?
    /// Its playback status; `nil` if it has not reported any.
    public let status: PlaybackStatus?
    /// The current item, with the estimated position in microseconds; `nil` if the player reports neither a title nor
    /// an address.
    public let info: NowPlayingInfo?
    /// Whether it accepts `Play`.
    public let canPlay: Bool
    /// Whether it can seek.
    public let canSeek: Bool
    /// Whether it accepts commands at all.
    public let canControl: Bool
    /// Whether it provides its queue.
    public let hasTrackList: Bool
    /// Whether it answered the last request.
    public let isResponding: Bool
    /// A lower bound on the number of its messages that were dropped because they were too many or too large.
    public let droppedChanges: Int
    /// The desktop identifier of its app, derived from its process; `nil` if unknown.
    public internal(set) var application: AppID?
    /// Its process and the ancestors of it, nearest first; empty if unknown.
    public internal(set) var processes: [UInt32] = []
    /// Whether it controls playback on another device, such as a phone.
    public internal(set) var isRemote = false
    /// Whether it says that it plays, while its reported position does not advance.
    public internal(set) var isStalled = false
    /// Whether the audio server plays something of it.
    public internal(set) var sound = PlayerSound.unknown
    /// Whether playback began so recently that it need not be heard yet.
    public internal(set) var hasJustStarted = false

    /// The identifier of the current item; see ``ItemIdentity``.
    public var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }

    /// Whether it plays on this computer. Its own word counts only if it answers, and the sound does not contradict it.
    public var isPlaying: Bool {
        guard status == .playing, isResponding, !isRemote else { return false }
        switch sound {
        case .heard: return true
        case .silent, .muted: return hasJustStarted
        case .unknown: return !isStalled
        }
    }

    /// Whether it plays or is paused, so that media keys and widgets act on it.
    public var isActive: Bool { status == .playing || status == .paused }

    /// The possible desktop identifiers, the likeliest first: its own `DesktopEntry`, its bus name without the instance
    /// (`org.mpris.MediaPlayer2.chromium.instance42` → `chromium`), and its identity in lower case.
    ///
    /// Only a desktop file shows which of them exists.
    public var desktopIDCandidates: [AppID] {
        let all =
            [desktopEntry].compactMap(\.self) + namedDesktopIDs.map(\.rawValue)
            + [identity.lowercased().split(separator: " ").joined(separator: "-")]
        return Self.distinct(all)
    }

    /// The possible desktop identifiers from its bus name alone; never empty.
    public var namedDesktopIDs: [AppID] {
        let suffix = name.text.dropFirst(MPRIS.namespace.count + 1)
        var parts = suffix.split(separator: ".")
        while parts.count > 1, let last = parts.last, Self.tellsInstance(last) { parts.removeLast() }
        let named = Self.distinct([parts.joined(separator: "."), parts.last.map(String.init) ?? ""])
        return named.isEmpty ? [AppID(name.text)] : named
    }

    private static func distinct(_ candidates: [String]) -> [AppID] {
        var seen: Set<String> = [""]
        return candidates.filter { seen.insert($0).inserted }.map { AppID($0) }
    }

    /// Returns whether the player belongs to this app. If ``application`` is unknown, any possible identifier matches.
    public func mayBelong(to desktopID: AppID) -> Bool {
        (application.map { [$0] } ?? desktopIDCandidates).contains {
            $0.rawValue.lowercased() == desktopID.rawValue.lowercased()
        }
    }

    private static func tellsInstance(_ part: Substring) -> Bool {
        part.hasPrefix("instance") || part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// A change of a player, with the item that it concerns.
public struct MediaObservation: Hashable, Sendable {
    /// The kind of change.
    public enum Change: String, CaseIterable, Hashable, Sendable {
        /// An item started or resumed, a player was first seen playing, or the next item of a queue started.
        case started
        /// The player changed the metadata of the item that plays.
        case changed
        /// The player paused.
        case paused
        /// The player stopped, or the item ended.
        case stopped
        /// The player left the bus.
        case gone
    }

    /// The kind of change.
    public let change: Change
    /// The player at that moment.
    public let player: MPRISPlayer
    /// The item that the change concerns; for `stopped` and `gone`, the previous item. The position in microseconds is
    /// the player's answer at that moment. For `stopped` and `gone`, or without an answer, it is estimated from the
    /// last known one. `nil` only with `gone`, if the player never played while followed.
    public let info: NowPlayingInfo?

    /// The identifier of the item; see ``ItemIdentity``.
    public var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }
}
