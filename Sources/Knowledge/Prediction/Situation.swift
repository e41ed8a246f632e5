/// The traits of a moment that select additional weights.
struct Situation: Hashable, Sendable {
    /// The gate: whether a trigger is present, a session starts, or a session continues.
    enum Gate: Int, CaseIterable, Sendable {
        case trigger, sessionStart, withinSession
    }

    /// The possible values of ``seenLengths``.
    static let allSeenLengths = 0...Learner.lengths.upperBound

    let gate: Gate
    /// The number of n-gram contexts (the last 1…4 actions) seen before, 0…4. More of them make order more informative.
    let seenLengths: Int
}
