internal import FoundationEssentials
internal import Glibc

extension Learner {
    private static let recentCandidates = 32
    private static let frequentCandidates = 32
    /// The discount of the base and of the sequences.
    private static let baseDiscount = 0.5
    private static let sequenceDiscount = 0.8
    /// The weight of the base in recency, and below in every other context, in events: few events tell much after a
    /// trigger, which is rare and means something, and little of an hour or a place, which always hold.
    private static let recencyBaseWeight = 0.5

    private static func baseWeight(_ slot: Int) -> Double {
        switch slot {
        case EvidenceSlot.trigger: 0.5
        case ..<EvidenceSlot.trigger: 1
        default: 3
        }
    }

    /// The evidence for the candidates: those given, or those that anything speaks for.
    ///
    /// - Parameter unknownCount: how many actions a candidate with the number −1 stands for.
    func moment(
        _ circumstances: Circumstances, at date: Date?, candidates: [Int]?, unknownCount: Int = 1
    ) -> Moment {
        let contexts = contexts(circumstances)
        let numbers = candidates ?? self.candidates(contexts)
        var moment = Moment(
            items: numbers, numberBound: items.numberBound, gate: gate(circumstances, at: date),
            unknownCount: unknownCount, columnBound: contexts.count + 1 + ItemTable.halfLives.count)
        let base = numbers.map(baseProbability)
        moment.add(EvidenceSlot.frequency, 0) { values in
            for place in base.indices { values[place] = log(base[place]) }
        }
        addSequences(contexts, base, to: &moment)
        addRecency(base, to: &moment)
        for context in contexts where context.slot >= EvidenceSlot.trigger || context.isRecentSequence {
            addRelative(context, base, to: &moment)
        }
        return moment
    }

    /// A context that was seen before.
    struct SeenContext {
        let slot: Int
        let row: CountRow

        var isRecentSequence: Bool { (EvidenceSlot.recentSequence..<EvidenceSlot.lastSuccessor).contains(slot) }
        var isSequence: Bool { (EvidenceSlot.sequence..<EvidenceSlot.recency).contains(slot) }
    }

    private func contexts(_ circumstances: Circumstances) -> [SeenContext] {
        var contexts: [SeenContext] = []
        func see(_ slot: Int, _ row: CountRow?) {
            if let row { contexts.append(SeenContext(slot: slot, row: row)) }
        }
        for (length, key) in sequenceKeys.enumerated() {
            see(EvidenceSlot.sequence + length, sequences[length][key])
            if length < recentSequences.count {
                see(EvidenceSlot.recentSequence + length, recentSequences[length][key])
            }
        }
        if let trigger = circumstances.trigger { see(EvidenceSlot.trigger, triggers[Self.triggerKey(trigger)]) }
        let present = presentValues(circumstances)
        for value in present { see(EvidenceSlot.circumstance + value.place, values[value.key]) }
        for (low, high) in Self.pairs(of: present) {
            see(EvidenceSlot.pair(low.place, high.place), pairs[low.key(with: high)])
        }
        return contexts
    }

    private func candidates(_ contexts: [SeenContext]) -> [Int] {
        var isCandidate = Array(repeating: false, count: items.numberBound)
        var candidates: [Int] = []
        func add(_ number: Int) {
            guard !isCandidate[number] else { return }
            isCandidate[number] = true
            candidates.append(number)
        }
        // By recency first: equal scores keep this order.
        items.byRecency.prefix(Self.recentCandidates).forEach(add)
        items.byFrequency.prefix(Self.frequentCandidates).forEach(add)
        for context in contexts { context.row.forEach { item, _ in add(item) } }
        return candidates
    }

    /// How likely an action is whatever the circumstances; above 0 for one that is not known too.
    private func baseProbability(_ number: Int) -> Double {
        let known = Double(items.count)
        guard items.total > 0 else { return 1 / (known + 1) }
        // Every known action was done at least once, and gives up one discount.
        let freed = known * Self.baseDiscount
        let kept = max(items.count(of: number) - Self.baseDiscount, 0)
        return (kept + freed / (known + 1)) / items.total
    }

    /// From the shortest sequence to the longest, each interpolated with the one before.
    private func addSequences(_ contexts: [SeenContext], _ base: [Double], to moment: inout Moment) {
        var probabilities = base
        for context in contexts where context.isSequence {
            let row = context.row
            let total = Double(row.total)
            // Every successor came at least once, and gives up one discount.
            let factor = Double(row.count) * Self.sequenceDiscount / total
            var changed: [(place: Int, probability: Double, evidence: Double)] = []
            row.forEach { item, count in
                guard let place = moment.index(of: item) else { return }
                let probability = probabilities[place] * factor + (count - Self.sequenceDiscount) / total
                changed.append((place, probability, log(probability / probabilities[place])))
            }
            for place in probabilities.indices { probabilities[place] *= factor }
            moment.add(context.slot, log(factor), row: row) { values in
                for (place, probability, evidence) in changed {
                    probabilities[place] = probability
                    values[place] = evidence
                }
            }
            let length = context.slot - EvidenceSlot.sequence + 1
            if length <= 3, let last = moment.index(of: Int(row.last)) {
                moment.add(EvidenceSlot.lastSuccessor + length - 1, marking: [last])
            }
        }
    }

    private func addRecency(_ base: [Double], to moment: inout Moment) {
        let sums = items.decayedSums + Self.recencyBaseWeight
        let decayed = moment.items.indices.map { place in
            (items.decayed(moment.items[place]) / base[place] + Self.recencyBaseWeight) / sums
        }
        for life in ItemTable.halfLives.indices {
            moment.add(EvidenceSlot.recency + life, 0) { values in
                for place in decayed.indices { values[place] = log(decayed[place][life]) }
            }
        }
        for (slot, ranks) in zip(EvidenceSlot.rank..., EvidenceSlot.rankBuckets) {
            let marked = items.byRecency.prefix(ranks.upperBound).dropFirst(ranks.lowerBound).compactMap(moment.index)
            if !marked.isEmpty { moment.add(slot, marking: marked) }
        }
    }

    /// How much likelier each action is in a context than anywhere, as a logarithm.
    private func addRelative(_ context: SeenContext, _ base: [Double], to moment: inout Moment) {
        let weight = Self.baseWeight(context.slot)
        let total = Double(context.row.total) + weight
        var evidence: [(place: Int, value: Double)] = []
        context.row.forEach { item, count in
            guard let place = moment.index(of: item) else { return }
            evidence.append((place, log((count / base[place] + weight) / total)))
        }
        moment.add(context.slot, log(weight / total), row: context.row) { values in
            for (place, value) in evidence { values[place] = value }
        }
    }
}
