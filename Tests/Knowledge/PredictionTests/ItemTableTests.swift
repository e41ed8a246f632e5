import Glibc
import SeededRandom
import Testing

@testable import Prediction

/// Tests of the table of known actions and their hours.
@Suite struct ItemTableTests {
    private func number(_ name: String, _ items: ItemTable) -> Int? { items.number(of: HashedAction(.named(name))) }

    @Test("When full, the eighth with the least use for its age is evicted")
    func leastForTheirAgeGo() {
        var items = ItemTable()
        var uses: [String: (count: Double, last: Int)] = [:]
        var clock = 0
        func use(_ name: String) {
            _ = items.use(HashedAction(.named(name)))
            clock += 1
            uses[name] = ((uses[name]?.count ?? 0) + 1, clock)
        }
        var random = SplitMix64(seed: 12)
        var next = 0
        while items.count < ItemTable.capacity {
            if Int.random(in: 0..<3, using: &random) == 0 {
                use("x\(next)")
                next += 1
            } else {
                use("x\(Int.random(in: 0...next, using: &random))")
                next = max(next, uses.count)
            }
        }
        #expect(items.lastEviction == 0)
        let weights = uses.mapValues { $0.count / Double(clock - $0.last + 200) }
        let order = uses.keys.sorted {
            (weights[$0] ?? 0, uses[$0]?.last ?? 0) < (weights[$1] ?? 0, uses[$1]?.last ?? 0)
        }
        let (gone, kept) = (order.prefix(128), order.dropFirst(128))
        _ = items.use(HashedAction(.named("one more")))
        #expect(items.count == ItemTable.capacity - 127)
        #expect(gone.allSatisfy { number($0, items) == nil })
        #expect(kept.allSatisfy { number($0, items) != nil })
        #expect(items.total == kept.reduce(1) { $0 + (uses[$1]?.count ?? 0) })
    }

    @Test("A use counts at nearby hours, also around midnight")
    func hoursNearby() throws {
        var items = ItemTable()
        let number = items.use(HashedAction(.named("A")), hour: 23)
        func near(_ hour: Int) throws -> Double { try #require(items.count(of: number, about: hour)).near }
        for (hour, distance) in [(23, 0.0), (22, 1), (0, 1), (21, 2), (1, 2), (20, 3), (2, 3)] {
            #expect(abs(try near(hour) - exp2(-0.8 * distance)) < 1e-6)
        }
        #expect(try near(19) == 0 && near(3) == 0 && near(12) == 0)
        // 1 + 2 (.574 + .330 + .189) over 24 hours.
        #expect(abs(try #require(items.count(of: number, about: 5)).mean - 3.187 / 24) < 1e-4)
    }

    @Test("Each use makes earlier hours of the item fade")
    func hoursFade() throws {
        var items = ItemTable()
        let action = HashedAction(.named("A"))
        for hour in [8, 8, 20] { _ = items.use(action, hour: hour) }
        _ = items.use(HashedAction(.named("B")), hour: 8)
        // A use at an unknown hour changes nothing.
        let number = items.use(action)
        let counts = try #require(items.count(of: number, about: 8))
        #expect(abs(counts.near - (0.98 * 0.98 + 0.98)) < 1e-6)
        #expect(abs(try #require(items.count(of: number, about: 19)).near - exp2(-0.8)) < 1e-6)
        let mean = (0..<24).reduce(0) { $0 + (items.count(of: number, about: $1)?.near ?? 0) } / 24
        #expect(abs(counts.mean - mean) < 1e-6)
    }

    @Test("Items without a time or evicted ones have no hour counts")
    func unknownHours() {
        var items = ItemTable()
        let untimed = items.use(HashedAction(.named("A")))
        #expect(items.count(of: untimed, about: 8) == nil)
        let timed = items.use(HashedAction(.named("B")), hour: 8)
        #expect(items.count(of: untimed, about: 8) == nil && items.count(of: timed, about: 8) != nil)
        for number in 0..<3_000 { _ = items.use(HashedAction(.named("x\(number)"))) }
        #expect(number("B", items) == nil && items.count(of: timed, about: 8) == nil)
        for number in items.byRecency { #expect(items.count(of: number, about: 8) == nil) }
    }
}
