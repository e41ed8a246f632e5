/// The weights of each kind of evidence: a common one, one for each gate, and for evidence from order, one for each
/// number of n-gram contexts seen before.
struct Weights: Sendable {
    /// The learning rate, chosen on the logs of half of the people and confirmed on those of the other half.
    private static let rate = 0.003
    /// The bound on a gradient. A bound of 5 lowers the hit rate on synthetic command streams by 0.002.
    private static let clip = 3.0
    private static let firstSum = 0.001
    /// The first weight of circumstances and the factor for all rates in models that learn eagerly.
    private static let eagerCircumstance = 0.7
    private static let eagerHaste = 20.0

    /// A weight with the sum of squared gradients that slows its change (AdaGrad; Duchi, Hazan, Singer 2011).
    private struct Weight: Sendable {
        var value: Double
        var sum = Weights.firstSum

        mutating func move(by gradient: Double, rate: Double) {
            sum += gradient * gradient
            value += rate * gradient / (1 + rate * sum).squareRoot()
        }
    }

    /// The common weights, those of each gate, then those of each number of seen n-gram contexts.
    private var all: [Weight]
    /// The factor for the learning rate.
    private var haste = 1.0

    /// - Parameter frequency: The first weight of the frequency.
    init(frequency: Double) {
        all = EvidenceSlot.initialWeights.map { Weight(value: $0) }
        all[EvidenceSlot.frequency].value = frequency
        let further =
            Situation.Gate.allCases.count * EvidenceSlot.count
            + Situation.allSeenLengths.count * EvidenceSlot.ofOrder.count
        all += Array(repeating: Weight(value: 0), count: further)
    }

    /// Creates weights that trust circumstances from the start and learn fast.
    static func eager(frequency: Double) -> Weights {
        var weights = Weights(frequency: frequency)
        weights.haste = eagerHaste
        for slot in [EvidenceSlot.whole] + (EvidenceSlot.circumstance..<EvidenceSlot.pair) {
            weights.all[slot].value = eagerCircumstance
        }
        return weights
    }

    /// Returns the sum of the weights that apply in a situation.
    func value(_ slot: Int, _ situation: Situation) -> Double {
        let value = all[slot].value + all[Self.index(slot, situation.gate)].value
        return EvidenceSlot.ofOrder.contains(slot) ? value + all[Self.index(slot, situation.seenLengths)].value : value
    }

    /// The size in memory, in bytes.
    var byteCount: Int { Storage.bytes(of: all) }

    /// Moves the weights of a slot along the gradient, towards predicting the observed action.
    mutating func learn(_ slot: Int, _ situation: Situation, gradient: Double) {
        let gradient = min(max(gradient, -Self.clip), Self.clip)
        let rate = haste * Self.rate
        all[slot].move(by: gradient, rate: rate)
        all[Self.index(slot, situation.gate)].move(by: gradient, rate: rate)
        guard EvidenceSlot.ofOrder.contains(slot) else { return }
        all[Self.index(slot, situation.seenLengths)].move(by: gradient, rate: rate)
    }

    private static func index(_ slot: Int, _ gate: Situation.Gate) -> Int {
        (gate.rawValue + 1) * EvidenceSlot.count + slot
    }

    private static func index(_ slot: Int, _ seenLengths: Int) -> Int {
        (Situation.Gate.allCases.count + 1) * EvidenceSlot.count + seenLengths * EvidenceSlot.ofOrder.count + slot
    }
}
