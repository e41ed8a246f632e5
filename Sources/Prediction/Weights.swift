/// How much each kind of evidence counts: a weight, and a further one for each situation.
struct Weights: Sendable {
    /// The situations that have weights of their own.
    enum Gate: Int, CaseIterable, Sendable {
        case trigger, sessionStart, withinSession
    }

    /// Circumstances are up to 36 weights that all move at each event: half the rate keeps their noise down.
    private static func rate(_ slot: Int) -> Double { slot >= EvidenceSlot.circumstance ? 0.005 : 0.01 }
    /// The first weight of a circumstance, and how many times as fast all weights move, where circumstances are trusted.
    private static let eagerCircumstance = 0.7
    private static let eagerHaste = 20.0
    private static let firstSum = 0.001
    private static let clip = 3.0

    /// A weight with the sum of squares that slows its change (AdaGrad; Duchi, Hazan, Singer 2011).
    private struct Weight: Sendable {
        var value: Double
        var sum = Weights.firstSum

        mutating func move(by gradient: Double, rate: Double) {
            sum += gradient * gradient
            value += rate * gradient / (1 + rate * sum).squareRoot()
        }
    }

    /// The common weights, then those of each situation.
    private var all: [Weight]
    /// How many times as fast as usual they move.
    private var haste = 1.0

    /// - Parameter frequency: the first weight of how often an action is done.
    init(frequency: Double) {
        all = EvidenceSlot.initialWeights.map { Weight(value: $0) }
        all[EvidenceSlot.frequency].value = frequency
        all += Array(repeating: Weight(value: 0), count: Gate.allCases.count * EvidenceSlot.count)
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

    func value(_ slot: Int, _ gate: Gate) -> Double { all[slot].value + all[Self.index(slot, gate)].value }

    /// In memory.
    var byteCount: Int { Storage.bytes(of: all) }

    /// Moves the weights of a slot towards what would have told the right action from the others.
    mutating func learn(_ slot: Int, _ gate: Gate, gradient: Double) {
        let gradient = min(max(gradient, -Self.clip), Self.clip)
        let rate = haste * Self.rate(slot)
        all[slot].move(by: gradient, rate: rate)
        all[Self.index(slot, gate)].move(by: gradient, rate: rate)
    }

    private static func index(_ slot: Int, _ gate: Gate) -> Int { (gate.rawValue + 1) * EvidenceSlot.count + slot }
}
