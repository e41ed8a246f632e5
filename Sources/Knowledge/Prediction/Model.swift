/// Weights with their scope: all kinds of evidence, or some.
///
/// Where order carries no information, evidence from it is noise that small weights would need hundreds of events to
/// suppress. Where the hour decides, small weights would take as long to grow. So several models learn side by side in
/// a ``Mixture``.
struct Model: Sendable {
    /// The decay factor of the surprise per event.
    private static let memory = 0.99
    /// The initial surprise of models that use order or recency while order is doubted, in nats.
    private static let doubtedOrder = 6.0
    /// The initial surprise of eager models, in nats.
    private static let eagerness = 2.0

    /// The kinds of evidence that a model uses besides frequency and triggers.
    enum Scope: Sendable {
        /// Sequences, recency and circumstances.
        case everything
        /// Recency and circumstances.
        case withoutSequences
        /// Circumstances only.
        case withoutOrder
        /// Return rates by recency only; circumstances may be noise too.
        case returns
        /// Nothing else; order, recency and circumstances may all be noise.
        case plain
    }

    let scope: Scope
    var weights: Weights
    /// The decayed sum of the surprise at observed actions, in nats.
    private(set) var surprise: Double

    /// - Parameters:
    ///   - isDoubted: Whether actions may arrive out of order.
    ///   - isEager: Whether circumstances count from the start and all weights learn fast.
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

    /// Returns the weight of a kind of evidence in a situation; 0 if it is out of scope.
    func weight(_ slot: Int, _ situation: Situation) -> Double { uses(slot) ? weights.value(slot, situation) : 0 }

    /// Adds the surprise of an event.
    ///
    /// - Parameter surprise: The mean negative log probability of the observed actions, in nats.
    mutating func take(surprise: Double) { self.surprise = self.surprise * Self.memory + surprise }

    /// Moves the weights of a kind of evidence in scope towards predicting the observed actions.
    ///
    /// - Parameter gradient: The gradient of the log likelihood with respect to the weight.
    mutating func learn(_ slot: Int, _ situation: Situation, gradient: Double) {
        if uses(slot) { weights.learn(slot, situation, gradient: gradient) }
    }
}
