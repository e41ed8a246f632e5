public import FoundationEssentials

/// The result of a trigger: something was offered, or a hold.
public struct TriggerResult: Hashable, Sendable {
    /// The trigger.
    public var trigger: Trigger
    /// The date of the decision.
    public var date: Date
    /// The date of the trigger, if the decision was postponed; `nil` if it was made at once.
    public var occasion: Date?
    /// Whether the trigger happened before the agent started, which took it up again.
    public var isTakenUp: Bool
    /// Whether something was offered. With a hold, it was offered but not shown.
    public var wasOffered: Bool
    /// The reason why nothing was offered, or why it was not shown; `nil` if there was nothing to suggest.
    public var hold: Hold?

    /// Creates a result.
    public init(
        _ trigger: Trigger, at date: Date, after occasion: Date? = nil, isTakenUp: Bool = false,
        wasOffered: Bool = false, hold: Hold? = nil
    ) {
        self.trigger = trigger
        self.date = date
        self.occasion = occasion
        self.isTakenUp = isTakenUp
        self.wasOffered = wasOffered
        self.hold = hold
    }
}

/// The result of the last trigger of each kind, and of each device. Kept in memory only.
public struct TriggerLog: Hashable, Sendable {
    /// The maximum number of results. The oldest is dropped first.
    public static let limit = 16

    /// The results, oldest first.
    public private(set) var results: [TriggerResult] = []

    /// Creates an empty log.
    public init() {}

    /// Notes a result in place of the earlier one of the same kind.
    public mutating func note(_ result: TriggerResult) {
        results.removeAll { $0.trigger.kind == result.trigger.kind }
        results = (results + [result]).suffix(Self.limit)
    }

    /// Returns the results of both logs. Of two of the same kind, the newer one counts, and `other` if they are equally old.
    public func merged(with other: TriggerLog) -> TriggerLog {
        var log = TriggerLog()
        for result in (results + other.results).sorted(by: { $0.date < $1.date }) { log.note(result) }
        return log
    }
}
