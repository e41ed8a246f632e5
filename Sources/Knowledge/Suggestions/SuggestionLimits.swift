public import FoundationEssentials
internal import HunchModel

/// The limits on suggestions, to protect the user from too many.
public struct SuggestionLimits: Hashable, Sendable {
    /// The time for which a suggestion stands.
    public static let offerTime = Duration.seconds(600)
    /// The maximum number of uninvited suggestions shown within an hour.
    public var perHour = 6
    /// The minimum chance that a suggestion is accepted, 0…1, by its score and earlier engagements.
    public var leastChance = 0.3
    /// The dismissals in a row that mute a pair, up to twice as many after several acceptances in a row.
    public var dismissalsToMute = 3
    /// The duration of a mute, in seconds. It equals the half-life of an engagement's influence. Afterwards the pair
    /// may be offered again, and a single dismissal mutes it again.
    public var muteTime: Double { Double(muteDays) * 86_400 }
    /// The number of days that a mute lasts.
    public var muteDays = 30
    /// The time in seconds in which only a better suggestion or a newer place replaces the previous one.
    public var moment: Double = 10
    /// The time in seconds for which an urgent suggestion holds those that are not urgent, from when it was made and from when
    /// it was shown.
    public var urgentTime: Double = 2 * 60
    /// The time after which carrying out a suggestion counts as failed, in seconds.
    public var carryingOut: Double = 60
    /// The maximum number of suggestions kept for one caller. The oldest is dropped first.
    public var requested = 64
    /// The maximum number of requested suggestions kept for all callers together.
    public var requestedInAll = 512
    /// The maximum number of pairs and of triggers with remembered engagements. The least recently changed is dropped
    /// first.
    public var pairs = 256

    /// Creates the default limits.
    public init() {}

    /// Whether an open suggestion holds those that are not urgent: it is urgent itself, and is new, or new to the user.
    func isKept(_ life: SuggestionLife, at now: Date) -> Bool {
        life.suggestion.isUrgent && life.state.isOpen && abs(now.timeIntervalSince(life.state.date)) < urgentTime
    }

    /// Whether a mute that began at a date still lasts. A mute far in the future does not, as the clock was set back.
    public func isMuted(since begin: Date, at now: Date) -> Bool { abs(now.timeIntervalSince(begin)) < muteTime }
}
