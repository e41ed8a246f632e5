/// Weights with what they are for: all evidence, or a part of it.
///
/// Where the order of the actions tells nothing, evidence from it is noise that small weights would take hundreds of
/// events to silence; where the hour decides, small weights would take as long to grow. So several models learn side by
/// side in a ``Mixture``.
struct Model: Sendable {
    /// What is left of a surprise after an event.
    private static let memory = 0.99
    /// The handicap of order and recency until they have shown their worth, in nats, where the order may be any.
    private static let doubtedOrder = 6.0
    /// What is held against trusting circumstances at once.
    private static let eagerness = 2.0

    /// What is evidence besides how often an action is done, and after which triggers.
    enum Scope: Sendable {
        /// What followed on what, how lately each was done, and the circumstances.
        case everything
        /// How lately each was done, and the circumstances.
        case withoutSequences
        /// The circumstances.
        case withoutOrder
        /// Rates of returning by recency; circumstances may be noise too.
        case returns
        /// Nothing: the order, lately done ones included, and circumstances may all be noise.
        case plain
    }

    let scope: Scope
    var weights: Weights
    /// How surprised it was by what was done, in nats, the past decayed.
    private(set) var surprise: Double

    /// - Parameters:
    ///   - isDoubted: whether the order in which actions come may be another than that in which they were done.
    ///   - isEager: whether circumstances count from the start, and all weights move fast.
    init(_ scope: Scope, isDoubted: Bool, isEager: Bool = false) {
        self.scope = scope
        let isOfOrder = scope == .everything || scope == .returns
        surprise = (isOfOrder && isDoubted ? Self.doubtedOrder : 0) + (isEager ? Self.eagerness : 0)
        let frequency =
            switch scope {
            case .everything, .withoutSequences: EvidenceSlot.initialWeights[EvidenceSlot.frequency]
            case .withoutOrder, .plain: 1.0
            case .returns: 0.0
            }
        weights = isEager ? .eager(frequency: frequency) : Weights(frequency: frequency)
    }

    private func uses(_ slot: Int) -> Bool {
        switch slot {
        case EvidenceSlot.frequency, EvidenceSlot.trigger: true
        case EvidenceSlot.returning: scope == .returns
        case EvidenceSlot.hoursAbout...: scope != .returns && scope != .plain
        case EvidenceSlot.recency..<EvidenceSlot.recentSequence: scope == .everything || scope == .withoutSequences
        default: scope == .everything
        }
    }

    /// How much a kind of evidence counts in a situation; 0 for what is not used.
    func weight(_ slot: Int, _ situation: Situation) -> Double { uses(slot) ? weights.value(slot, situation) : 0 }

    /// Takes in how likely what was done was to it.
    ///
    /// - Parameter surprise: the mean of the negative logarithms, in nats.
    mutating func take(surprise: Double) { self.surprise = self.surprise * Self.memory + surprise }

    /// Moves the weight of what is used towards what would have predicted what was done.
    ///
    /// - Parameter gradient: that of the likelihood by the weight.
    mutating func learn(_ slot: Int, _ situation: Situation, gradient: Double) {
        if uses(slot) { weights.learn(slot, situation, gradient: gradient) }
    }
}
