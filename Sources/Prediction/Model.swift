internal import Glibc

/// Weights with what they are for: all evidence, or a part of it.
///
/// Where the order of the actions tells nothing, evidence from it is noise that small weights would take hundreds of
/// events to silence. Two models learn side by side, and the one that lately was surprised less counts for more.
struct Model: Sendable {
    /// What is left of a surprise after an event.
    private static let memory = 0.99
    /// What is held against order until it has shown what it tells, in nats, where it may be any order; and against doing
    /// without it where it is the order in which things were done.
    private static let doubtedOrder = 6.0
    private static let toldOrder = 3.0

    /// What is evidence besides how often an action is done, and after which triggers.
    enum Scope: Sendable {
        /// What followed on what, how lately each was done, and the circumstances.
        case everything
        /// How lately each was done, and the circumstances.
        case withoutSequences
        /// The circumstances.
        case withoutOrder
    }

    let scope: Scope
    var weights: Weights
    /// How surprised it was by what was done, in nats, the past decayed.
    private(set) var surprise: Double

    /// - Parameter isDoubted: whether the order in which actions come may be another than that in which they were done.
    init(_ scope: Scope, isDoubted: Bool = false) {
        self.scope = scope
        surprise =
            switch scope {
            case .everything: isDoubted ? Self.doubtedOrder : 0
            case .withoutSequences: 0
            case .withoutOrder: isDoubted ? 0 : Self.toldOrder
            }
        weights = Weights(
            frequency: scope == .withoutOrder ? 1 : EvidenceSlot.initialWeights[EvidenceSlot.frequency])
    }

    private func uses(_ slot: Int) -> Bool {
        switch slot {
        case EvidenceSlot.frequency, EvidenceSlot.trigger...: true
        case EvidenceSlot.recency..<EvidenceSlot.recentSequence: scope == .everything || scope == .withoutSequences
        default: scope == .everything
        }
    }

    /// How much each kind of evidence counts in a situation, by its place; 0 for what is not used.
    func weights(_ gate: Weights.Gate) -> [Double] {
        (0..<EvidenceSlot.count).map { uses($0) ? weights.value($0, gate) : 0 }
    }

    /// Moves the weights towards what would have predicted what was done.
    ///
    /// - Parameter right: the places of what was done among the candidates; not empty.
    mutating func learn(_ moment: Moment, right: [Int]) {
        let probabilities = moment.probabilities(weights(moment.gate))
        let count = Double(right.count)
        surprise = surprise * Self.memory - right.reduce(0) { $0 + log(max(probabilities[$1], 1e-12)) } / count
        // What was done less what was expected: the gradient of the likelihood by each candidate's score.
        var rest = probabilities.map { -count * $0 }
        for place in right { rest[place] += 1 }
        for column in moment.columns where uses(column.slot) {
            weights.learn(column.slot, moment.gate, gradient: moment.product(column, rest) / count.squareRoot())
        }
    }
}
