internal import FoundationEssentials
internal import HunchModel

extension Learner {
    /// A context in which something is done: a kind of evidence, by its place, and which of its contexts it is.
    struct Context {
        let slot: Int
        let key: ContextKey
    }

    /// The tables in which what followed is counted, in the order of ``table(of:)``.
    static func emptyTables() -> [CountTable] {
        lengths.map { CountTable(capacity: contextCapacity, decay: $0 <= EvidenceSlot.recentSequenceCount ? 0.8 : 1) }
            + [
                CountTable(capacity: contextCapacity), CountTable(capacity: contextCapacity),
                CountTable(capacity: contextCapacity), CountTable(capacity: pairCapacity),
                CountTable(capacity: contextCapacity),
            ]
    }

    /// Which table counts a kind of evidence.
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

    /// The contexts, gate and hour by which evidence is looked up.
    struct Setting {
        let contexts: [Context]
        let gate: Situation.Gate
        /// 0…23; `nil` where it is not told.
        let hour: Int?
    }

    /// Returns the setting of a moment.
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

    /// The contexts that hold now: the last action, the last two, … as far as there were so many, the trigger, that a
    /// session begins and what the one before began with, the values whose names have a place, each two of them together,
    /// and all.
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

    /// Whether triggers are told at all: where none was ever told, that there is none means nothing.
    var knowsTriggers: Bool { tables[Self.table(of: EvidenceSlot.trigger)].count > 0 }

    /// All that holds, absent values included: that nothing happened just before tells as much as that something did. `nil`
    /// where nothing was ever told, and after a trigger that is all there is.
    private func whole(_ circumstances: Circumstances) -> ContextKey? {
        guard !names.isEmpty || (circumstances.trigger == nil && knowsTriggers) else { return nil }
        return names.reduce(Self.key(circumstances.trigger?.description)) {
            $0.with(Self.key(circumstances.values[$1]))
        }
    }

    private static func key(_ value: String?) -> ContextKey { ContextKey(value.map { TextHash.value($0) } ?? 0) }
}
