/// The weights of each kind of evidence: a common one, a further one for each gate, and where the evidence speaks of the
/// order of actions, a third one for each number of sequences that were seen before.
struct Weights: Sendable {
    /// Chosen on logs of half of the people, and confirmed on those of the other half.
    private static let rate = 0.003
    /// At 5, of the invented streams of commands two in a thousand fewer are right.
    private static let clip = 3.0
    private static let firstSum = 0.001
    /// The first weight of a circumstance, and how many times as fast all weights move, where circumstances are trusted.
    private static let eagerCircumstance = 0.7
    private static let eagerHaste = 20.0

    /// A weight with the sum of squares that slows its change (AdaGrad; Duchi, Hazan, Singer 2011).
    private struct Weight: Sendable {
        var value: Double
        var sum = Weights.firstSum

        mutating func move(by gradient: Double, rate: Double) {
            sum += gradient * gradient
            value += rate * gradient / (1 + rate * sum).squareRoot()
        }
    }

    /// The common weights, those of each gate, then those of each number of seen sequences.
    private var all: [Weight]
    /// How many times as fast as usual they move.
    private var haste = 1.0

    /// - Parameter frequency: the first weight of how often an action is done.
    init(frequency: Double) {
        all = EvidenceSlot.initialWeights.map { Weight(value: $0) }
        all[EvidenceSlot.frequency].value = frequency
        let further =
            Situation.Gate.allCases.count * EvidenceSlot.count
            + Situation.allSeenLengths.count * EvidenceSlot.ofOrder.count
        all += Array(repeating: Weight(value: 0), count: further)
    }

    /// Weights that trust circumstances from the start, and soon trust what tells more.
    static func eager(frequency: Double) -> Weights {
        var weights = Weights(frequency: frequency)
        weights.haste = eagerHaste
        for slot in [EvidenceSlot.whole] + (EvidenceSlot.circumstance..<EvidenceSlot.pair) {
            weights.all[slot].value = eagerCircumstance
        }
        return weights
    }

    /// The sum of the weights that count in a situation.
    func value(_ slot: Int, _ situation: Situation) -> Double {
        let value = all[slot].value + all[Self.index(slot, situation.gate)].value
        return EvidenceSlot.ofOrder.contains(slot) ? value + all[Self.index(slot, situation.seenLengths)].value : value
    }

    /// In memory.
    var byteCount: Int { Storage.bytes(of: all) }

    /// Moves the weights of a slot towards what would have told the right action from the others.
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
