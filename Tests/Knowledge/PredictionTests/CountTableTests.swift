import SeededRandom
import Testing

@testable import Prediction

@Suite struct CountTableTests {
    /// A table, and the actions that it counts.
    private struct Counted {
        var items = ItemTable()
        var table: CountTable

        @discardableResult mutating func add(_ name: Int, to key: UInt64) -> Int {
            let number = items.use(HashedAction(.named("x\(name)")))
            table.add(number, to: ContextKey(key), items)
            return number
        }

        func row(_ key: UInt64) -> CountRow? { table[ContextKey(key), items] }
        func counts(_ key: UInt64) -> [String: Double] {
            var counts: [String: Double] = [:]
            row(key)?.forEach { item, count, _ in counts[items.action(item)?.name ?? "gone"] = count }
            return counts
        }
    }

    @Test("The counts equal what was added")

    func whatIsCountedIsWhatWasAdded() {
        var counted = Counted(table: CountTable(capacity: 1_000))
        var expected: [UInt64: [String: Double]] = [:]
        var random = SplitMix64(seed: 8)
        for _ in 0..<5_000 {
            let (name, key) = (Int.random(in: 0..<50, using: &random), UInt64.random(in: 0..<700, using: &random))
            let number = counted.add(name, to: key)
            expected[key, default: [:]]["x\(name)", default: 0] += 1
            #expect(counted.row(key)?.last == Int32(number))
        }
        #expect(counted.table.count == expected.count)
        for key in UInt64(0)..<700 {
            #expect(counted.counts(key) == expected[key] ?? [:])
            #expect(counted.row(key)?.total == expected[key]?.values.reduce(0, +))
        }
        #expect(counted.row(700) == nil)
    }

    @Test("Decayed counts fade at each visit")

    func decayedCountsFadeAtEachVisit() {
        var counted = Counted(table: CountTable(capacity: 10, decay: 0.5))
        for name in [1, 2, 1, 3] { counted.add(name, to: 1) }
        var recent: [String: Double] = [:]
        counted.row(1)?.forEach { item, _, count in recent[counted.items.action(item)?.name ?? ""] = count }
        #expect(recent == ["x1": 0.625, "x2": 0.25, "x3": 1])
        #expect(counted.counts(1) == ["x1": 2, "x2": 1, "x3": 1])
    }

    @Test("A context keeps its most frequent actions")

    func aContextKeepsItsMostCountedActions() {
        var counted = Counted(table: CountTable(capacity: 10))
        for name in 0..<64 { for _ in 0..<(name == 5 ? 1 : 2) { counted.add(name, to: 1) } }
        let last = counted.add(100, to: 1)
        #expect(counted.row(1)?.count == 64)
        #expect(counted.counts(1)["x5"] == nil)
        #expect(counted.counts(1)["x100"] == 1)
        #expect(counted.row(1)?.total == 127)
        #expect(counted.row(1)?.last == Int32(last))
        // The same for the first action.
        counted.table = CountTable(capacity: 10)
        for name in 0..<64 { for _ in 0..<(name == 0 ? 1 : 2) { counted.add(name, to: 1) } }
        counted.add(100, to: 1)
        #expect(counted.counts(1)["x0"] == nil)
        #expect(counted.counts(1)["x100"] == 1)
    }

    @Test("The least recently used contexts are dropped")

    func theLeastLatelyTouchedContextsGo() {
        var counted = Counted(table: CountTable(capacity: 100))
        for key in UInt64(0)..<100 { counted.add(1, to: key) }
        counted.add(1, to: 0)
        counted.add(1, to: 100)
        #expect(counted.table.count == 76)
        for key in [UInt64(0)] + Array(26...100) { #expect(counted.counts(key)["x1"] == (key == 0 ? 2 : 1)) }
        for key in UInt64(1)...25 { #expect(counted.row(key) == nil) }
    }

    @Test("Many actions in few contexts drop the oldest too")

    func manyActionsOfFewContextsMakeTheOldestGoToo() {
        var counted = Counted(table: CountTable(capacity: 64))
        for key in UInt64(0)..<20 { for name in 0..<60 { counted.add(name, to: key) } }
        let kept = (UInt64(0)..<20).reduce(0) { $0 + counted.counts($1).count }
        #expect(kept <= 64 * CountTable.meanSuccessors)
        #expect(counted.counts(0).isEmpty)
        #expect(counted.counts(19).count == 60)
        #expect(counted.table.byteCount < 64 * 1_024)
    }

    @Test("Dropped actions are not confused with later ones")

    func actionsThatHadToGoAreNotTakenForTheirFollowers() {
        var counted = Counted(table: CountTable(capacity: 100))
        counted.add(0, to: 1)
        counted.add(0, to: 2)
        for _ in 0..<600 { counted.add(1, to: 2) }
        // Enough other actions to evict the first, so that one of them gets its slot.
        for name in 2..<3_000 { counted.add(name, to: 3) }
        #expect(counted.items.lastEviction > 0)
        #expect(counted.items.number(of: HashedAction(.named("x0"))) == nil)
        #expect(counted.row(1) == nil)
        #expect(counted.counts(2) == ["x1": 600])
        #expect(counted.row(2)?.last == Int32(counted.items.number(of: HashedAction(.named("x1"))) ?? -2))
        #expect(counted.counts(3)["gone"] == nil)
        // Counts in the slot start again.
        counted.add(0, to: 1)
        #expect(counted.counts(1) == ["x0": 1])
    }
}
