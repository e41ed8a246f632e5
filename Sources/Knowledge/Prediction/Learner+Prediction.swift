public import FoundationEssentials
internal import HunchModel

extension Learner {
    /// Returns the likeliest actions, the likeliest first. Equally likely ones are ordered by recency.
    ///
    /// - Parameters:
    ///   - circumstances: The current circumstances.
    ///   - date: The current date, which determines the session gap; `nil` if only the order is known.
    ///   - candidates: The actions to rank, which may be unknown; `nil` for all actions with evidence.
    ///   - limit: The most actions to return.
    public func predict(
        _ circumstances: Circumstances, at date: Date?, among candidates: [Action]? = nil, limit: Int = 10
    ) -> [RankedAction] {
        guard let candidates else {
            var instance = instance(setting(circumstances, at: date), candidates: nil)
            instance.score(mixture.weights(instance.situation))
            return ranked(limit, instance, circumstances, at: date) { place in
                items.action(instance.items[place]).map { [$0] } ?? []
            }
        }
        let choice = Choice(candidates, items)
        var instance = instance(
            setting(circumstances, at: date), candidates: choice.numbers, unknownCount: max(choice.unknown.count, 1))
        instance.score(mixture.weights(instance.situation))
        return ranked(limit, instance, circumstances, at: date) { place in
            choice.numbers[place] < 0 ? choice.unknown : [choice.known[place]]
        }
    }

    /// The candidates to rank, each once.
    private struct Choice {
        /// The numbers of the known candidates, then −1 for all unknown ones.
        private(set) var numbers: [Int] = []
        private(set) var known: [Action] = []
        private(set) var unknown: [Action] = []

        init(_ candidates: [Action], _ items: ItemTable) {
            var isChosen = Array(repeating: false, count: items.placeBound)
            var seen = Set<HashedAction>(minimumCapacity: candidates.count)
            for action in candidates {
                let hashed = HashedAction(action)
                if let number = items.number(of: hashed) {
                    guard !isChosen[ItemTable.place(number)] else { continue }
                    isChosen[ItemTable.place(number)] = true
                    numbers.append(number)
                    known.append(action)
                } else if seen.insert(hashed).inserted {
                    unknown.append(action)
                }
            }
            if !unknown.isEmpty { numbers.append(-1) }
        }
    }

    /// Returns the best candidates of a moment with the evidence for them.
    ///
    /// - Parameter actions: Returns the actions that a place represents, in the order in which ties are ranked.
    private func ranked(
        _ limit: Int, _ instance: Instance, _ circumstances: Circumstances, at date: Date?,
        _ actions: (Int) -> [Action]
    ) -> [RankedAction] {
        // Two more than requested: a rival for the last one, and the unknown candidate, which cannot be a rival.
        let places = best(max(limit, 1) + 2, of: instance)
        let done = places.filter { instance.items[$0] >= 0 }
        var ranked: [(place: Int, action: Action)] = []
        for place in places where ranked.count < limit {
            ranked += actions(place).prefix(limit - ranked.count).map { (place, $0) }
        }
        return ranked.map { entry in
            let isKnown = instance.items[entry.place] >= 0
            let rival = isKnown ? done.first { $0 != entry.place } : nil
            let evidence =
                if let rival {
                    evidence(for: entry.place, against: rival, instance)
                } else if isKnown {
                    evidenceAgainstNothing(for: instance.items[entry.place], circumstances, at: date)
                } else {
                    [Evidence]()
                }
            return RankedAction(
                action: entry.action, probability: instance.probabilities[entry.place], evidence: evidence,
                hasRival: rival != nil,
                occasions: isKnown ? occasions.share(of: entry.action, after: circumstances.trigger) : nil)
        }
    }

    /// Returns the likeliest known actions in the order of ``predict(_:at:among:limit:)``, without evidence.
    public func ranking(_ circumstances: Circumstances, at date: Date?, limit: Int = 10) -> [Action] {
        confidentRanking(circumstances, at: date, limit: limit).actions
    }

    /// Returns the likeliest known actions with the confidence in the first one; 0 if nothing is known.
    func confidentRanking(
        _ circumstances: Circumstances, at date: Date?, limit: Int
    ) -> (actions: [Action], confidence: Double) {
        var instance = instance(setting(circumstances, at: date), candidates: nil)
        instance.score(mixture.weights(instance.situation))
        let best = best(max(limit, 0), of: instance)
        return (
            best.compactMap { items.action(instance.items[$0]) },
            best.first.map { calibration.chance(instance.probabilities[$0]) } ?? 0
        )
    }

    /// Returns the places of the best candidates, the best first.
    func best(_ count: Int, of instance: Instance) -> [Int] {
        // Recency only breaks ties, so a single best candidate needs no ages.
        if count == 1, let only = instance.onlyBest { return [only] }
        var ages = Array(repeating: Int.max, count: instance.items.count)
        for (age, number) in items.byRecency.enumerated() {
            if let place = instance.index(of: number) { ages[place] = age }
        }
        func isBetter(_ one: Int, _ other: Int) -> Bool {
            (instance.scores[other], ages[one], one) < (instance.scores[one], ages[other], other)
        }
        var best: [Int] = []
        for place in instance.items.indices {
            guard best.count < count || best.last.map({ isBetter(place, $0) }) == true else { continue }
            best.insert(place, at: best.firstIndex { isBetter(place, $0) } ?? best.endIndex)
            if best.count > count { best.removeLast() }
        }
        return best
    }

    /// Returns the terms of the difference between two scores, the largest first.
    private func evidence(for place: Int, against other: Int, _ instance: Instance) -> [Evidence] {
        let weights = mixture.weights(instance.situation)
        let evidence = instance.columns.map { column in
            Evidence(
                source: source(column.slot),
                weight: weights[column.slot] * (instance.value(column, place) - instance.value(column, other)),
                share: share(column, of: instance.items[place]))
        }
        return evidence.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// Compares an only candidate with an unknown action, so that its evidence can be shown.
    private func evidenceAgainstNothing(
        for number: Int, _ circumstances: Circumstances, at date: Date?
    ) -> [Evidence] {
        evidence(for: 0, against: 1, instance(setting(circumstances, at: date), candidates: [number, -1]))
    }

    private func share(_ column: Instance.Column, of number: Int) -> Explanation.Share? {
        switch source(column.slot) {
        case .frequency:
            Explanation.Share(count: Int(clamping: items.count(of: number)), total: Int(clamping: items.total))
        case .match:
            // Only the latest successor of the common past is considered.
            Explanation.Share(count: recent.match?.next == number ? 1 : 0, total: 1)
        case .sequence, .trigger, .sessionStart, .nextSessionStart, .circumstance, .circumstances, .allCircumstances:
            column.row.map {
                Explanation.Share(count: Int(clamping: $0.count(of: number)), total: Int(clamping: $0.total))
            }
        case .returning: items.byRecency.firstIndex(of: number).map(returns.share)
        case .recency, .recentSequence, .lastSuccessor, .rank, .hoursAbout: nil
        }
    }

    private func source(_ slot: Int) -> EvidenceSource {
        switch slot {
        case EvidenceSlot.frequency: return .frequency
        case ..<EvidenceSlot.recency: return .sequence(length: slot - EvidenceSlot.sequence + 1)
        case ..<EvidenceSlot.recentSequence:
            return .recency(halfLife: Int(clamping: ItemTable.halfLives[slot - EvidenceSlot.recency]))
        case ..<EvidenceSlot.lastSuccessor: return .recentSequence(length: slot - EvidenceSlot.recentSequence + 1)
        case ..<EvidenceSlot.rank: return .lastSuccessor(length: slot - EvidenceSlot.lastSuccessor + 1)
        case ..<EvidenceSlot.match: return .rank(EvidenceSlot.rankBuckets[slot - EvidenceSlot.rank].lowerBound)
        case EvidenceSlot.match: return .match(length: recent.match?.length ?? 0)
        case EvidenceSlot.trigger: return .trigger
        case EvidenceSlot.returning: return .returning
        case EvidenceSlot.sessionStart: return .sessionStart
        case EvidenceSlot.nextSessionStart: return .nextSessionStart
        case EvidenceSlot.hoursAbout: return .hoursAbout
        case ..<EvidenceSlot.pair: return .circumstance(names[slot - EvidenceSlot.circumstance])
        // A single circumstance without triggers is named after itself, not "all circumstances".
        case EvidenceSlot.whole: return names.count == 1 && !knowsTriggers ? .circumstance(names[0]) : .allCircumstances
        default:
            let high = (1..<names.count).last { EvidenceSlot.pair(0, $0) <= slot } ?? 1
            return .circumstances(names[slot - EvidenceSlot.pair(0, high)], names[high])
        }
    }
}
