internal import Glibc

/// Models that learn side by side; those that lately were surprised less count for more.
struct Mixture: Sendable {
    /// A number of each model, at its place; the places beyond the models stay unused.
    typealias Lanes = SIMD8<Double>

    /// How much a nat of surprise tells against a model.
    private static let doubt = 0.5

    /// As many as there are lanes at most.
    private(set) var models: [Model]

    /// - Parameters:
    ///   - followsSequences: whether an action may be a reason for the next.
    ///   - doubtsOrder: whether what order tells has to show first.
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

    /// In memory.
    var byteCount: Int { Storage.bytes(of: models) + models.reduce(0) { $0 + $1.weights.byteCount } }

    /// How much each model counts; their sum is 1.
    var shares: [Double] {
        let least = models.map(\.surprise).min() ?? 0
        let shares = models.map { exp(Self.doubt * (least - $0.surprise)) }
        let sum = shares.reduce(0, +)
        return shares.map { $0 / sum }
    }

    /// How much each kind of evidence counts in a situation: the models' weights, mixed.
    func weights(_ situation: Situation) -> [Double] {
        var mixed = Array(repeating: 0.0, count: EvidenceSlot.count)
        for (model, share) in zip(models, shares) {
            for slot in mixed.indices { mixed[slot] += share * model.weight(slot, situation) }
        }
        return mixed
    }

    /// The candidates' scores by each model.
    func scores(_ moment: Moment) -> [Lanes] {
        moment.scores { slot in
            var weights = Lanes.zero
            for lane in models.indices { weights[lane] = models[lane].weight(slot, moment.situation) }
            return weights
        }
    }

    /// The scores by all models together: a score is linear in the weights.
    func mixed(_ scores: [Lanes]) -> [Double] {
        var mixing = Lanes.zero
        for (lane, share) in shares.enumerated() { mixing[lane] = share }
        return scores.map { ($0 * mixing).sum() }
    }

    /// Moves each model's weights towards what would have predicted what was done.
    ///
    /// - Parameters:
    ///   - scores: of the moment's candidates, by ``scores(_:)``.
    ///   - right: the places of what was done among the candidates; not empty.
    mutating func learn(_ moment: Moment, _ scores: [Lanes], right: [Int]) {
        let probabilities = Self.probabilities(scores, models.count)
        let count = Double(right.count)
        for lane in models.indices {
            let surprise = right.reduce(0) { $0 - log(max(probabilities[$1][lane], 1e-12)) } / count
            models[lane].take(surprise: surprise)
        }
        // What was done less what was expected: the gradient of the likelihood by each candidate's score.
        var rest = probabilities.map { -count * $0 }
        for place in right { rest[place] += 1 }
        for column in moment.columns {
            let gradients = moment.product(column, rest) / count.squareRoot()
            for lane in models.indices {
                models[lane].learn(column.slot, moment.situation, gradient: gradients[lane])
            }
        }
    }

    /// A softmax over the scores in each lane.
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
