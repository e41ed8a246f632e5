internal import FoundationEssentials
internal import HunchDBus
public import HunchModel

/// The result of the last trigger of a kind, as `org.hunch.Agent1.Status` reports it.
public struct TriggerReport: BusValue {
    /// The trigger, with the words of `org.hunch.Donations1`.
    public var trigger = ""
    /// The date of the decision, in microseconds since 1970 (UTC).
    public var date: UInt64 = 0
    /// The date of the trigger, in microseconds since 1970 (UTC), if the decision was postponed.
    public var occasion: UInt64?
    /// Whether the trigger happened before the agent started, which took it up again.
    public var isTakenUp = false
    /// Whether something was offered.
    public var wasOffered = false
    /// The reason why nothing was offered, or why it was not shown.
    public var hold: Hold?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// Creates the report of a result.
    public init(_ result: TriggerResult) {
        trigger = result.trigger.description
        date = result.date.microseconds
        occasion = result.occasion?.microseconds
        isTakenUp = result.isTakenUp
        wasOffered = result.wasOffered
        hold = result.hold
    }

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("trigger", \.trigger), .key("date", \.date), .key("occasion", \.occasion),
        .key("taken-up", \.isTakenUp), .key("offered", \.wasOffered), .key("hold", \.hold),
    ]
}
