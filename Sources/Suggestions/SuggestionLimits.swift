public import FoundationEssentials

/// How much a person is to be bothered.
public struct SuggestionLimits: Hashable, Sendable {
    /// The most suggestions shown within an hour that nobody asked for.
    public var perHour = 6
    /// How likely a suggestion has to be taken, 0…1, by its score and by how the person took earlier ones.
    public var leastChance = 0.3
    /// Dismissals in a row after which a pair is muted; up to twice as many where it was taken several times in a row before.
    public var dismissalsToMute = 3
    /// The time for which a mute holds, in seconds. It is that after which a person's answers count half. Then the pair may be
    /// offered again. If it is turned down once more, it is muted again.
    public var muteTime: Double = 30 * 86_400
    /// How long a moment is, in seconds: within it only a better suggestion replaces one, and a newer place an older one.
    public var moment: Double = 10
    /// How long carrying out may take, in seconds, before it counts as failed.
    public var carryingOut: Double = 60
    /// The most suggestions kept that one caller asked for; the oldest goes first.
    public var requested = 64
    /// The most suggestions kept that all callers together asked for.
    public var requestedInAll = 512
    /// The most pairs whose dismissals are counted, and triggers whose answers are; the longest untouched goes first.
    public var pairs = 256

    /// The usual limits.
    public init() {}

    /// Whether a mute that began at a date still holds. One from far ahead does not: the clock was set back since.
    public func isMuted(since begin: Date, at now: Date) -> Bool { abs(now.timeIntervalSince(begin)) < muteTime }
}
