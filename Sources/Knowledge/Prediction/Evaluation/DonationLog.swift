public import HunchModel

/// Turns a user's donations into the events of a log, for ``Evaluator``.
///
/// Equivalent donations are one action. For media, the action is the item if it was played before, and otherwise its app
/// with a new item: a new item cannot be predicted, but that its app plays something new can.
///
/// ```swift
/// var (log, evaluator) = (DonationLog(), Evaluator())
/// try store.forEachDonation { _ = try evaluator.add(log.event($0)) }
/// ```
public struct DonationLog: Sendable {
    /// The hashes of the actions that were played.
    private var played: Set<Int> = []

    /// Creates a log without events.
    public init() {}

    /// Returns the event of the next donation, in order of date.
    public mutating func event(_ donation: Donation) -> LoggedEvent {
        var action = Action(donation)
        // Hashes take a tenth of the memory of the actions. Two of a million plays collide once in 37 million logs.
        if donation.kind == .playMedia, played.insert(action.hashValue).inserted { action.parameters = [:] }
        return LoggedEvent(
            user: "", action: action, circumstances: Circumstances(donation.context), date: donation.date)
    }
}
