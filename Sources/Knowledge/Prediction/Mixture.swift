internal import Glibc

/// Several models that learn side by side. Models with less recent surprise get a larger share.
struct Mixture: Sendable {
    /// One number per model, by index. Lanes beyond the last model are unused.
    typealias Lanes = SIMD8<Double>

    /// The reduction of a model's log share per nat of surprise.
    private static let doubt = 0.5

    /// The models; at most as many as there are lanes.
    private(set) var models: [Model]

    /// - Parameters:
    ///   - followsSequences: Whether earlier actions count as evidence for the next one.
    ///   - doubtsOrder: Whether evidence from order must prove itself first.
    init(followsSequences: Bool, doubtsOrder: Bool) {
        let ordered: Model.Scope = followsSequences ? .everything : .withoutSequences
        models = [
            Model(ordered, isDoubted: doubtsOrder),
            Model(.withoutOrder, isDoubted: doubtsOrder),
            Model(ordered, isDoubted: doubtsOrder, isEager: true),
            Model(.withoutOrder, isDoubted: doubtsOrder, isEager: true),
            Model(.returns, isDoubted: doubtsOrder),
        ]
        if doubtsOrder { models.append(Model(.plain, isDoubted: true)) }
        if followsSequences { models.append(Model(.withoutSequences, isDoubted: doubtsOrder, isEager: true)) }
    }

    /// The size in memory, in bytes.
    var byteCount: Int { Storage.bytes(of: models) + models.reduce(0) { $0 + $1.weights.byteCount } }

    /// The share of each model; they sum to 1.
    var shares: [Double] {
        let least = models.map(\.surprise).min() ?? 0
        let shares = models.map { exp(Self.doubt * (least - $0.surprise)) }
        let sum = shares.reduce(0, +)
        return shares.map { $0 / sum }
    }

    /// Returns the weight of each kind of evidence in a situation, averaged over the models by their shares.
    func weights(_ situation: Situation) -> [Double] {
        var mixed = Array(repeating: 0.0, count: EvidenceSlot.count)
        for (model, share) in zip(models, shares) {
            for slot in mixed.indices { mixed[slot] += share * model.weight(slot, situation) }
        }
        return mixed
    }

    /// Returns the candidates' scores under each model.
    func scores(_ instance: Instance) -> [Lanes] {
        instance.scores { slot in
            var weights = Lanes.zero
            for lane in models.indices { weights[lane] = models[lane].weight(slot, instance.situation) }
            return weights
        }
    }

    /// Mixes the models' scores. This equals scoring with the mixed weights, because scores are linear in the weights.
    func mixed(_ scores: [Lanes]) -> [Double] {
        var mixing = Lanes.zero
        for (lane, share) in shares.enumerated() { mixing[lane] = share }
        return scores.map { ($0 * mixing).sum() }
    }

    /// Moves each model's weights towards predicting the observed actions.
    ///
    /// - Parameters:
    ///   - scores: The scores of the current candidates, from ``scores(_:)``.
    ///   - right: The places of the observed actions among the candidates; not empty.
    mutating func learn(_ instance: Instance, _ scores: [Lanes], right: [Int]) {
        let probabilities = Self.probabilities(scores, models.count)
        let count = Double(right.count)
        for lane in models.indices {
            let surprise = right.reduce(0) { $0 - log(max(probabilities[$1][lane], 1e-12)) } / count
            models[lane].take(surprise: surprise)
        }
        // Observed minus expected counts: the gradient of the log likelihood with respect to each candidate's score.
        var rest = probabilities.map { -count * $0 }
        for place in right { rest[place] += 1 }
        for column in instance.columns {
            let gradients = instance.product(column, rest) / count.squareRoot()
            for lane in models.indices {
                models[lane].learn(column.slot, instance.situation, gradient: gradients[lane])
            }
        }
    }

    /// Returns the softmax over the scores in each lane.
    private static func probabilities(_ scores: [Lanes], _ lanes: Int) -> [Lanes] {
        let greatest = scores.reduce(Lanes(repeating: -.infinity)) { pointwiseMax($0, $1) }
        var exponentials = scores.map { $0 - greatest }
        var sum = Lanes(repeating: 0)
        for place in exponentials.indices {
            for lane in 0..<lanes { exponentials[place][lane] = exp(exponentials[place][lane]) }
            sum += exponentials[place]
        }
        for lane in lanes..<Lanes.scalarCount { sum[lane] = 1 }
        for place in exponentials.indices { exponentials[place] /= sum }
        return exponentials
    }
}
