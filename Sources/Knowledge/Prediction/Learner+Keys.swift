internal import FoundationEssentials
internal import HunchModel

extension Learner {
    /// A context in which actions are counted: the slot of a kind of evidence, and a key.
    struct Context {
        let slot: Int
        let key: ContextKey
    }

    /// Returns empty count tables, in the order of ``table(of:)``.
    static func emptyTables() -> [CountTable] {
        lengths.map { CountTable(capacity: contextCapacity, decay: $0 <= EvidenceSlot.recentSequenceCount ? 0.8 : 1) }
            + [
                CountTable(capacity: contextCapacity), CountTable(capacity: contextCapacity),
                CountTable(capacity: contextCapacity), CountTable(capacity: pairCapacity),
                CountTable(capacity: contextCapacity),
            ]
    }

    /// Returns the index of the table that counts a kind of evidence.
    static func table(of slot: Int) -> Int {
        switch slot {
        case ..<EvidenceSlot.trigger: slot - EvidenceSlot.sequence
        case EvidenceSlot.trigger: lengths.count
        case ..<EvidenceSlot.circumstance: lengths.count + 1
        case ..<EvidenceSlot.pair: lengths.count + 2
        case ..<EvidenceSlot.whole: lengths.count + 3
        default: lengths.count + 4
        }
    }

    /// The contexts, gate and hour for which evidence is looked up.
    struct Setting {
        let contexts: [Context]
        let gate: Situation.Gate
        /// 0…23; `nil` if unknown.
        let hour: Int?
    }

    /// Returns the setting of the given circumstances and date.
    func setting(_ circumstances: Circumstances, at date: Date?) -> Setting {
        let gate = gate(circumstances, at: date)
        return Setting(contexts: contexts(circumstances, gate), gate: gate, hour: circumstances.hour)
    }

    private func gate(_ circumstances: Circumstances, at date: Date?) -> Situation.Gate {
        if circumstances.trigger != nil { return .trigger }
        guard let date else { return .withinSession }
        guard let lastDate, abs(date.timeIntervalSince(lastDate)) <= Self.sessionGap else { return .sessionStart }
        return .withinSession
    }

    /// Returns the contexts that hold now: the last 1…4 actions, the trigger, the session start and the previous
    /// session's first action, each known value, each pair of values, and all values together.
    private func contexts(_ circumstances: Circumstances, _ gate: Situation.Gate) -> [Context] {
        var contexts: [Context] = []
        contexts.reserveCapacity(Self.lengths.count + 3 + names.count * (names.count + 1) / 2)
        for (place, number) in recent.latest(Self.lengths.upperBound).enumerated() {
            let hash = items.hash(number)
            let key = contexts.last?.key.with(hash) ?? ContextKey(hash)
            contexts.append(Context(slot: EvidenceSlot.sequence + place, key: key))
        }
        if let trigger = circumstances.trigger {
            contexts.append(Context(slot: EvidenceSlot.trigger, key: ContextKey(TextHash.value(trigger.description))))
        }
        if gate == .sessionStart, followsSequences {
            contexts.append(Context(slot: EvidenceSlot.sessionStart, key: Self.key(nil)))
            if let sessionStart, items.holds(sessionStart) {
                let key = ContextKey(items.hash(sessionStart))
                contexts.append(Context(slot: EvidenceSlot.nextSessionStart, key: key))
            }
        }
        let firstValue = contexts.count
        for (place, name) in names.enumerated() {
            guard let value = circumstances.values[name] else { continue }
            let key = ContextKey(UInt64(place)).with(TextHash.value(value))
            contexts.append(Context(slot: EvidenceSlot.circumstance + place, key: key))
        }
        for high in contexts.indices.dropFirst(firstValue) {
            for low in firstValue..<high {
                let (one, other) = (contexts[low], contexts[high])
                let slot = EvidenceSlot.pair(
                    one.slot - EvidenceSlot.circumstance, other.slot - EvidenceSlot.circumstance)
                contexts.append(Context(slot: slot, key: one.key.with(other.key)))
            }
        }
        if !isTable, let whole = whole(circumstances) { contexts.append(Context(slot: EvidenceSlot.whole, key: whole)) }
        return contexts
    }

    /// Whether any trigger was ever learned. If not, the absence of a trigger means nothing.
    var knowsTriggers: Bool { tables[Self.table(of: EvidenceSlot.trigger)].count > 0 }

    /// Returns the key of all circumstances together, including absent values, because the absence of a
    /// trigger is informative too. `nil` if a present trigger is all that is known, or if nothing was ever learned.
    private func whole(_ circumstances: Circumstances) -> ContextKey? {
        guard !names.isEmpty || (circumstances.trigger == nil && knowsTriggers) else { return nil }
        return names.reduce(Self.key(circumstances.trigger?.description)) {
            $0.with(Self.key(circumstances.values[$1]))
        }
    }

    private static func key(_ value: String?) -> ContextKey { ContextKey(value.map { TextHash.value($0) } ?? 0) }
}
