/// The traits of a moment by which further weights are added to the common ones.
struct Situation: Hashable, Sendable {
    /// The way the moment came about.
    enum Gate: Int, CaseIterable, Sendable {
        case trigger, sessionStart, withinSession
    }

    /// The possible values of ``seenLengths``.
    static let allSeenLengths = 0...Learner.lengths.upperBound

    let gate: Gate
    /// The number of sequences, of the last 1…4 actions, that were seen before, 0…4. The more, the more their order tells.
    let seenLengths: Int
}
