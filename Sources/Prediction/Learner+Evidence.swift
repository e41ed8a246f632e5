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
    func moment(_ circumstances: Circumstances, at date: Date?, candidates: [Int]?) -> Moment {
        let contexts = contexts(circumstances)
        let numbers = candidates ?? self.candidates(contexts)
        var moment = Moment(items: numbers, numberBound: items.numberBound, gate: gate(circumstances, at: date))
        let base = numbers.map(baseProbability)
        moment.add(EvidenceSlot.frequency, base.map { log($0) })
        addSequences(contexts, base, to: &moment)
        addRecency(base, to: &moment)
        for context in contexts where context.slot >= EvidenceSlot.trigger || context.isRecentSequence {
            moment.add(context.slot, relative(context, base, moment), row: context.row)
        }
        return moment
    }

    /// A context that was seen before.
    struct SeenContext {
        let slot: Int
        let row: CountTable.Row

        var isRecentSequence: Bool { (EvidenceSlot.recentSequence..<EvidenceSlot.lastSuccessor).contains(slot) }
        var isSequence: Bool { (EvidenceSlot.sequence..<EvidenceSlot.recency).contains(slot) }
    }

    private func contexts(_ circumstances: Circumstances) -> [SeenContext] {
        var contexts: [SeenContext] = []
        func see(_ slot: Int, _ row: CountTable.Row?) {
            if let row { contexts.append(SeenContext(slot: slot, row: row)) }
        }
        for length in Self.lengths {
            guard let key = sequenceKey(length) else { break }
            see(EvidenceSlot.sequence + length - 1, sequences[length - 1][key])
            if length <= recentSequences.count {
                see(EvidenceSlot.recentSequence + length - 1, recentSequences[length - 1][key])
            }
        }
        if let trigger = circumstances.trigger { see(EvidenceSlot.trigger, triggers[Self.triggerKey(trigger)]) }
        let present = presentValues(circumstances)
        for value in present {
            see(EvidenceSlot.circumstance + value.place, values[CountTable.Key(table: value.place, first: value.hash)])
        }
        for (low, high) in Self.pairs(of: present) {
            let key = CountTable.Key(
                table: low.place, first: low.hash, second: UInt64(high.place), third: high.hash)
            see(EvidenceSlot.pair(low.place, high.place), pairs[key])
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
        for context in contexts { context.row.successors.forEach { add($0.item) } }
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
            // Every successor came at least once, and gives up one discount.
            let factor = Double(row.successors.count) * Self.sequenceDiscount / row.total
            var values = Array(repeating: log(factor), count: base.count)
            let before = probabilities
            for index in probabilities.indices { probabilities[index] *= factor }
            for successor in row.successors {
                guard let index = moment.index(of: successor.item) else { continue }
                probabilities[index] += (successor.count - Self.sequenceDiscount) / row.total
                values[index] = log(probabilities[index] / before[index])
            }
            moment.add(context.slot, values, row: row)
            let length = context.slot - EvidenceSlot.sequence + 1
            if length <= 3, let last = moment.index(of: row.last) {
                moment.add(EvidenceSlot.lastSuccessor + length - 1, marking: [last])
            }
        }
    }

    private func addRecency(_ base: [Double], to moment: inout Moment) {
        let sums = items.decayedSums
        var columns = ItemTable.halfLives.map { _ in Array(repeating: 0.0, count: base.count) }
        for index in moment.items.indices {
            let decayed = items.decayed(moment.items[index])
            for life in columns.indices {
                let probability =
                    (decayed[life] + Self.recencyBaseWeight * base[index]) / (sums[life] + Self.recencyBaseWeight)
                columns[life][index] = log(probability / base[index])
            }
        }
        for life in columns.indices { moment.add(EvidenceSlot.recency + life, columns[life]) }

        for (slot, ranks) in zip(EvidenceSlot.rank..., EvidenceSlot.rankBuckets) {
            let marked = items.byRecency.prefix(ranks.upperBound).dropFirst(ranks.lowerBound).compactMap(moment.index)
            if !marked.isEmpty { moment.add(slot, marking: marked) }
        }
    }

    /// How much likelier each action is in a context than anywhere, as a logarithm.
    private func relative(_ context: SeenContext, _ base: [Double], _ moment: Moment) -> [Double] {
        let weight = Self.baseWeight(context.slot)
        let total = context.row.total + weight
        var values = Array(repeating: log(weight / total), count: base.count)
        for successor in context.row.successors {
            guard let index = moment.index(of: successor.item) else { continue }
            values[index] = log((successor.count / base[index] + weight) / total)
        }
        return values
    }
}
