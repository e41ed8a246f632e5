import FoundationEssentials
import Glibc
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Popularity

@Suite("Popularity from random reports") struct PopularityTests {
    private static func encoding(_ epsilon: Double) throws -> UnaryEncoding {
        try #require(UnaryEncoding(epsilon: epsilon))
    }

    private static func key(_ item: Int) -> PopularityKey {
        PopularityKey(address: "https://example.org/\(item)", application: "app", index: "i", item: "\(item)")
    }

    @Test("ε outside of 0.1…8 is refused", arguments: [0, 0.09, 8.1, -.infinity, .infinity, .nan])
    func epsilon(epsilon: Double) {
        #expect(UnaryEncoding(epsilon: epsilon) == nil)
    }

    /// The bits are independent, so that the probability of a report is the product of those of its bits. Between two positions,
    /// or a position and none, one or two bits differ.
    @Test("A report is at most e^ε times as probable for one position", arguments: [0.1, 1, 3])
    func privacy(epsilon: Double) throws {
        let encoding = try Self.encoding(epsilon)
        var random = SplitMix64(seed: 7)
        let trials = 400_000
        // One byte has the bits of eight positions. Position 0 is true, or none is.
        var ones = [0.0, 0.0]
        for (index, position) in [0, nil].enumerated() {
            for _ in 0..<trials {
                let bits = encoding.report(about: position, of: 1, using: &random)
                ones[index] += Double(bits[0] & 1) / Double(trials)
            }
        }
        let (isTrue, isFalse) = (ones[0], ones[1])
        #expect(abs(isTrue - 0.5) < 0.005)
        // More than three standard deviations with 400,000 coins and the rarest bits.
        let ratio = isTrue / isFalse * (1 - isFalse) / (1 - isTrue)
        #expect(abs(ratio / exp(epsilon) - 1) < 0.03, "\(ratio)")
        #expect(isTrue / isFalse <= exp(epsilon) && (1 - isFalse) / (1 - isTrue) <= exp(epsilon))
    }

    @Test("Estimates are unbiased and have the variance of the formula")
    func estimates() throws {
        let encoding = try Self.encoding(1)
        var random = SplitMix64(seed: 3)
        let (people, popular, trials) = (2_000, 300, 40)
        var estimates: [[Double]] = [[], []]
        for _ in 0..<trials {
            var sketch = PopularitySketch(encoding: encoding)
            for person in 0..<people {
                // Other people open nothing, or something of their own.
                let key = person < popular ? Self.key(1) : person.isMultiple(of: 2) ? nil : Self.key(person)
                try sketch.add(PopularityReport(about: key, encoding: encoding, using: &random))
            }
            #expect(sketch.total == Double(people))
            let estimator = sketch.estimator()
            estimates[0].append(estimator.estimate(of: Self.key(1)))
            estimates[1].append(estimator.estimate(of: Self.key(-1)))
        }
        let variance = encoding.variance(reports: Double(people))
        #expect(abs(variance / (4 * exp(1) / pow(exp(1) - 1, 2) * Double(people)) - 1) < 1e-9)
        for (values, expected) in zip(estimates, [Double(popular), 0]) {
            let mean = values.reduce(0, +) / Double(trials)
            #expect(abs(mean - expected) < 4 * (variance / Double(trials)).squareRoot(), "\(mean)")
            let spread = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(trials - 1)
            #expect((0.5...1.9).contains(spread / variance), "\(spread / variance)")
        }
    }

    @Test("Content is popular if many people open it, not if few do")
    func share() throws {
        let encoding = try Self.encoding(2)
        var random = SplitMix64(seed: 5)
        var sketch = PopularitySketch(encoding: encoding)
        #expect(sketch.estimator().share(of: Self.key(1)) == 0)
        for person in 0..<5_000 {
            let key = Self.key(person.isMultiple(of: 4) ? 1 : person)
            try sketch.add(PopularityReport(about: key, encoding: encoding, using: &random))
        }
        let estimator = sketch.estimator()
        #expect((0.15...0.27).contains(estimator.share(of: Self.key(1))))
        let unknown = (10_000..<10_500).count { estimator.share(of: Self.key($0)) > 0 }
        #expect(unknown < 30)
    }

    @Test("Sharing a column with popular content changes nothing")
    func collisions() throws {
        let encoding = try Self.encoding(8)
        var random = SplitMix64(seed: 6)
        var sketch = PopularitySketch(encoding: encoding)
        for _ in 0..<10_000 { try sketch.add(PopularityReport(about: Self.key(1), encoding: encoding, using: &random)) }
        let estimator = sketch.estimator()
        let colliding = (2..<2_000).filter { item in
            (0..<PopularitySketch.rows).contains { Self.key(1).column(inRow: $0) == Self.key(item).column(inRow: $0) }
        }
        #expect(colliding.count > 50 && estimator.share(of: Self.key(1)) > 0.95)
        let popular = colliding.count { estimator.share(of: Self.key($0)) > 0 }
        #expect(popular * 20 < colliding.count, "\(popular) of \(colliding.count)")
    }

    @Test("Content is known by its web address, or by its app")
    func keys() {
        func key(_ address: String?, app: String = "a", item: String = "1") -> PopularityKey {
            PopularityKey(address: address, application: app, index: "i", item: item)
        }
        #expect(key("https://example.org/1") == key("https://example.org/1#part", app: "b", item: "2"))
        #expect(key("https://example.org/1") != key("https://example.org/2"))
        #expect(key(nil) == key("file:///home/me") && key(nil) == key(""))
        #expect(key(nil) != key(nil, app: "b") && key(nil) != key(nil, item: "2"))
        // Other programs that report must get the same numbers.
        #expect(key("https://example.org/1").hash == 0x4130_B41A_1CEC_D774)
        #expect((0..<4).map { PopularityKey(hash: 1).column(inRow: $0) } == [580, 763, 994, 455])
    }

    @Test("A report and a sketch survive JSON")
    func json() throws {
        var random = SplitMix64(seed: 9)
        let encoding = try Self.encoding(0.5)
        let report = PopularityReport(about: Self.key(1), encoding: encoding, using: &random)
        #expect(try PopularityReport(json: report.json.utf8) == report)
        #expect(report.json.utf8.count < PopularityReport.lengthLimit && !report.json.contains("\n"))
        var sketch = PopularitySketch(encoding: encoding)
        try sketch.add(report)
        #expect(try PopularitySketch(json: sketch.json) == sketch)
        #expect(throws: PopularityError.self) { try PopularitySketch(encoding: encoding, reports: [], counts: []) }
        var other = PopularitySketch(encoding: try Self.encoding(1))
        #expect(throws: PopularityError.self) { try other.add(report) }
    }

    @Test(
        "Nonsense is refused with a reason",
        arguments: [
            "", "[]", "{}", #"{"version":2,"epsilon":1,"row":0,"bits":""}"#,
            #"{"version":1,"epsilon":1,"row":64,"bits":""}"#,
            #"{"version":1,"epsilon":1,"row":-1,"bits":""}"#, #"{"version":1,"epsilon":1,"row":0,"bits":"é"}"#,
            #"{"version":1,"epsilon":1,"row":0,"bits":"\#(String(repeating: "+1", count: 128))"}"#,
        ])
    func nonsense(text: String) {
        #expect(throws: PopularityError.self) { try PopularityReport(json: text.utf8) }
        #expect(throws: PopularityError.self) { try PopularitySketch(json: text.utf8) }
    }

    // MARK: The account

    @Test("A day's reports stay within the budget, whatever the clock does")
    func budget() {
        var ledger = PopularityLedger()
        #expect(ledger.take(1, budget: 0.9, on: 10) == 0 && ledger.days.isEmpty)
        #expect(ledger.take(1, budget: 1, on: 10) == 1)
        #expect(ledger.take(1, budget: 1, on: 10) == 0)
        #expect(ledger.take(1, budget: 1, on: 9) == 0 && ledger.isAhead(of: 9))
        #expect(ledger.take(0.1, budget: 0.3, on: 11) == 3 && !ledger.isAhead(of: 11))
        #expect(ledger.take(0.1, budget: 8, on: 12) == PopularityLedger.reportLimit)
        #expect(ledger.spent(on: 10) == 1 && abs(ledger.spent(on: 11) - 0.3) < 1e-9 && ledger.spent(on: 13) == 0)
        #expect(abs(ledger.total - 1.7) < 1e-9)
        for day in 13...1_000 { #expect(ledger.take(1, budget: 1, on: day) == 1) }
        #expect(ledger.days.count == 366 && abs(ledger.total - 989.7) < 1e-6)
    }

    @Test("Unsent reports are kept for their day and their ε only")
    func pending() throws {
        var random = SplitMix64(seed: 4)
        let (one, half) = (try Self.encoding(1), try Self.encoding(0.5))
        var ledger = PopularityLedger()
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        func reports(_ encoding: UnaryEncoding, _ budget: Double, after days: Double = 0) -> [PopularityReport] {
            ledger.reports(at: now.addingTimeInterval(days * 86_400), encoding, budget: budget, using: &random) { _ in
                []
            }
        }
        ledger.begin(at: now)
        let first = reports(one, 1)
        #expect(first.count == 1 && reports(one, 1) == first && ledger.total == 1)
        // The user lowered the budget. None of it is left today.
        #expect(reports(one, 0.5).isEmpty && ledger.pending == nil && ledger.total == 1)
        let second = reports(half, 1, after: 1)
        #expect(second.count == 2 && ledger.total == 2)
        #expect(reports(one, 1, after: 1).isEmpty)
        let third = reports(half, 1, after: 2)
        #expect(third.count == 2 && Set(third).isDisjoint(with: second) && ledger.total == 3)
    }

    @Test("Only items opened since the consent or the last report count")
    func since() throws {
        var random = SplitMix64(seed: 4)
        let encoding = try Self.encoding(1)
        var ledger = PopularityLedger()
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        var asked: [Date] = []
        func report(after seconds: Double) {
            let date = now.addingTimeInterval(seconds)
            _ = ledger.reports(at: date, encoding, budget: 1, using: &random) {
                asked.append($0); return []
            }
        }
        report(after: -86_400)
        ledger.begin(at: now)
        report(after: 10)
        report(after: 86_400)
        #expect(asked == [now, now.addingTimeInterval(10)])
    }

    @Test("The next exchange is at a random time of the next day")
    func next() throws {
        var random = SplitMix64(seed: 1)
        var ledger = PopularityLedger()
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        #expect(ledger.isDue(at: now))
        var times: Set<Int> = []
        for _ in 0..<50 {
            ledger.postpone(from: now, using: &random)
            let next = try #require(ledger.next)
            #expect(PopularityLedger.day(of: next) == PopularityLedger.day(of: now) + 1)
            #expect(!ledger.isDue(at: now) && ledger.isDue(at: next))
            times.insert(Int(clamping: (next.timeIntervalSince1970 / 3_600).rounded(.down)))
        }
        #expect(times.count > 10)
        // A clock that was wrong by years does not stop the exchange for years.
        #expect(ledger.isDue(at: now.addingTimeInterval(-1e8)))
    }

    @Test("Concurrent changes of the account are all kept")
    func file() async throws {
        try await withTemporaryHome { home in
            let directories = BaseDirectories(environment: home.environment)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for day in 1...20 {
                    // The lock is one of open files, so that it also holds between threads.
                    group.addTask {
                        try PopularityLedger.change(directories) { ledger in
                            let next = (ledger.days.last?.day ?? 0) + 1
                            #expect(ledger.take(Double(day), budget: Double(day), on: next) == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let ledger = try PopularityLedger.load(directories)
            #expect(ledger.total == 210 && ledger.days.count == 20)
            try home.directory.write("{", to: "state/hunch/popularity.json")
            #expect(throws: PopularityError.self) { try PopularityLedger.load(directories) }
            #expect(throws: PopularityError.self) { try PopularityLedger.change(directories) { $0.begin(at: Date()) } }
            #expect(try home.directory.read("state/hunch/popularity.json") == "{")
        }
    }
}
