extension Learner {
    /// A value of the circumstances: the place of its name, and its text as a number.
    struct Value {
        let place: Int
        let hash: UInt64

        /// The context in which it holds.
        var key: ContextKey { ContextKey(UInt64(place)).with(hash) }

        /// The context in which this value and a later one hold.
        func key(with other: Value) -> ContextKey { key.with(UInt64(other.place)).with(other.hash) }
    }

    /// The contexts of the last action, the last two, … as far as there were so many.
    var sequenceKeys: [ContextKey] {
        var keys: [ContextKey] = []
        for number in recent.prefix(Self.lengths.upperBound) {
            let hash = items.hash(number)
            keys.append(keys.last?.with(hash) ?? ContextKey(hash))
        }
        return keys
    }

    static func triggerKey(_ trigger: String) -> ContextKey { ContextKey(TextHash.value(trigger)) }

    /// The values whose names have a place, in the order of the places.
    func presentValues(_ circumstances: Circumstances) -> [Value] {
        names.enumerated().compactMap { place, name in
            circumstances.values[name].map { Value(place: place, hash: TextHash.value($0)) }
        }
    }

    static func pairs(of values: [Value]) -> [(low: Value, high: Value)] {
        values.indices.flatMap { high in values[..<high].map { ($0, values[high]) } }
    }
}
