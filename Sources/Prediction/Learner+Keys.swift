extension Learner {
    /// A value of the circumstances: the place of its name, and its text as a number.
    struct Value {
        let place: Int
        let hash: UInt64
    }

    /// The key of the last actions, or `nil` when there were not so many.
    func sequenceKey(_ length: Int) -> CountTable.Key? {
        guard recent.count >= length else { return nil }
        func item(_ index: Int) -> UInt64 { index < length ? UInt64(recent[index]) : 0 }
        return CountTable.Key(table: 0, first: item(0), second: item(1), third: item(2), fourth: item(3))
    }

    static func triggerKey(_ trigger: String) -> CountTable.Key { CountTable.Key(table: 0, first: hash(trigger)) }

    /// The values whose names have a place, in the order of the places.
    func presentValues(_ circumstances: Circumstances) -> [Value] {
        names.enumerated().compactMap { place, name in
            circumstances.values[name].map { Value(place: place, hash: Self.hash($0)) }
        }
    }

    static func pairs(of values: [Value]) -> [(low: Value, high: Value)] {
        values.indices.flatMap { high in values[..<high].map { ($0, values[high]) } }
    }

    /// FNV-1a (Fowler, Noll, Vo), 64 bits: the same on every run, which Swift's own hashing is not.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
