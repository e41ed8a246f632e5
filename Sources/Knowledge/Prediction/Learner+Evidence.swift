internal import FoundationEssentials
internal import Glibc
internal import HunchModel

extension Learner {
    private static let recentCandidates = 32
    private static let frequentCandidates = 32
    /// The discount of the base and of the sequences.
    private static let baseDiscount = 0.5
    private static let sequenceDiscount = 0.8
    /// The weight of the base probability in the recency evidence, in events (α).
    private static let recencyBaseWeight = 0.5
    /// The initial count of every hour.
    private static let hourPrior = 0.26

    /// Returns the weight of the base probability in a context, in events (α). It is smallest after a trigger: triggers
    /// are rare and specific, so few events suffice. It is largest for single circumstances such as the hour, which
    /// always have a value, smaller for pairs, and smaller still for all circumstances together.
    private static func baseWeight(_ slot: Int) -> Double {
        switch slot {
        case EvidenceSlot.trigger: 0.5
        case ..<EvidenceSlot.circumstance, EvidenceSlot.whole: 1
        case ..<EvidenceSlot.pair: 3
        default: 2
        }
    }

    /// Returns the evidence for the given candidates, or for all actions that have any.
    ///
    /// - Parameter unknownCount: The number of actions that a candidate with the number −1 represents.
    func instance(_ setting: Setting, candidates: [Int]?, unknownCount: Int = 1) -> Instance {
        let seen = setting.contexts.compactMap { context in
            tables[Self.table(of: context.slot)][context.key, items].map { SeenContext(slot: context.slot, row: $0) }
        }
        let numbers = candidates ?? self.candidates(seen)
        let situation = Situation(
            gate: setting.gate, seenLengths: seen.count { $0.slot < EvidenceSlot.recency })
        var instance = Instance(
            items: numbers, placeBound: items.placeBound, situation: situation, unknownCount: unknownCount,
            columnBound: seen.count + EvidenceSlot.circumstance)
        let base = numbers.map { baseProbability($0) }
        instance.add(EvidenceSlot.frequency) { instance in
            for place in base.indices { instance.give(place, log(base[place])) }
        }
        addSequences(seen, base, to: &instance)
        addRecency(base, to: &instance)
        addMatch(to: &instance)
        addReturns(to: &instance)
        if let hour = setting.hour { addHoursAbout(hour, to: &instance) }
        for context in seen where context.slot >= EvidenceSlot.trigger {
            addRelative(context.slot, context.row, base, to: &instance) { count, _ in count }
        }
        return instance
    }

    /// A context that was seen before.
    private struct SeenContext {
        let slot: Int
        let row: CountRow
    }

    private func candidates(_ contexts: [SeenContext]) -> [Int] {
        var isCandidate = Array(repeating: false, count: items.placeBound)
        var candidates: [Int] = []
        candidates.reserveCapacity(items.placeBound)
        func add(_ number: Int) {
            guard !isCandidate[ItemTable.place(number)] else { return }
            isCandidate[ItemTable.place(number)] = true
            candidates.append(number)
        }
        for number in items.byRecency.prefix(Self.recentCandidates) { add(number) }
        for number in items.byFrequency.prefix(Self.frequentCandidates) { add(number) }
        for context in contexts { context.row.forEach { item, _, _ in add(item) } }
        if let match = recent.match { add(match.next) }
        return candidates
    }

    /// Returns the probability of an action regardless of the circumstances. It is above 0 for unknown actions too.
    private func baseProbability(_ number: Int) -> Double {
        let known = Double(items.count)
        guard items.total > 0 else { return 1 / (known + 1) }
        // Every known action was done at least once and gives up one discount.
        let freed = known * Self.baseDiscount
        let kept = max(items.count(of: number) - Self.baseDiscount, 0)
        return (kept + freed / (known + 1)) / items.total
    }

    /// Adds the n-grams from the shortest to the longest, each interpolated with the one before.
    private func addSequences(_ contexts: [SeenContext], _ base: [Double], to instance: inout Instance) {
        var probabilities = base
        for context in contexts where context.slot < EvidenceSlot.recency {
            let row = context.row
            let total = row.total
            // Every successor was counted at least once and gives up one discount.
            let freed = Double(row.count) * Self.sequenceDiscount
            let before = probabilities
            for place in probabilities.indices { probabilities[place] *= freed / total }
            instance.add(context.slot, row: row) { instance in
                row.forEach { item, count, _ in
                    guard let place = instance.index(of: item) else { return }
                    let kept = count - Self.sequenceDiscount
                    probabilities[place] += kept / total
                    instance.give(place, log(1 + kept / (freed * before[place])))
                }
            }
            let order = context.slot - EvidenceSlot.sequence
            if order < EvidenceSlot.recentSequenceCount {
                addRelative(EvidenceSlot.recentSequence + order, row, base, to: &instance) { _, recent in recent }
            }
            if order < EvidenceSlot.lastSuccessorCount, let last = instance.index(of: Int(row.last)) {
                instance.add(EvidenceSlot.lastSuccessor + order) { instance in instance.give(last, 1) }
            }
        }
    }

    private func addRecency(_ base: [Double], to instance: inout Instance) {
        let ratios = instance.items.indices.map { place in
            items.decayed(instance.items[place]) / (Self.recencyBaseWeight * base[place])
        }
        for life in ItemTable.halfLives.indices {
            instance.add(EvidenceSlot.recency + life) { instance in
                // Skip counters that have decayed to nothing.
                for place in ratios.indices where ratios[place][life] > 1e-9 {
                    instance.give(place, log(1 + ratios[place][life]))
                }
            }
        }
        for (slot, ranks) in zip(EvidenceSlot.rank..., EvidenceSlot.rankBuckets) {
            instance.add(slot) { instance in
                for rank in ranks where rank < items.byRecency.count {
                    if let place = instance.index(of: items.byRecency[rank]) { instance.give(place, 1) }
                }
            }
        }
    }

    private func addMatch(to instance: inout Instance) {
        guard let match = recent.match, let logOdds = recent.logOdds else { return }
        instance.add(EvidenceSlot.match) { instance in
            if let place = instance.index(of: match.next) { instance.give(place, logOdds) }
        }
    }

    private func addReturns(to instance: inout Instance) {
        let ratios = returns.logRatios(instance.situation.gate, known: items.count)
        instance.add(EvidenceSlot.returning) { instance in
            for (ranks, ratio) in ratios {
                for number in items.byRecency[ranks] {
                    if let place = instance.index(of: number) { instance.give(place, ratio) }
                }
            }
            // An action that was never done gets the lowest value, because nobody can return to it.
            let least = ratios.reduce(0) { min($0, $1.logRatio) }
            if let place = instance.items.firstIndex(of: -1) { instance.give(place, least) }
        }
    }

    private func addHoursAbout(_ hour: Int, to instance: inout Instance) {
        instance.add(EvidenceSlot.hoursAbout) { instance in
            for (place, number) in instance.items.enumerated() {
                guard let (near, mean) = items.count(of: number, about: hour) else { continue }
                instance.give(place, log((near + Self.hourPrior) / (mean + Self.hourPrior)))
            }
        }
    }

    /// Adds the logarithm of each action's probability in a context relative to its base probability.
    private func addRelative(
        _ slot: Int, _ row: CountRow, _ base: [Double], to instance: inout Instance,
        _ counted: (_ count: Double, _ recent: Double) -> Double
    ) {
        let weight = Self.baseWeight(slot)
        instance.add(slot, row: row) { instance in
            row.forEach { item, count, recent in
                guard let place = instance.index(of: item) else { return }
                instance.give(place, log(1 + counted(count, recent) / (weight * base[place])))
            }
        }
    }
}
