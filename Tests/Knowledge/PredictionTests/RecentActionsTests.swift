import Glibc
import HunchModel
import SeededRandom
import Testing

@testable import Prediction

/// Tests of the longest match in the past, and of how often its successor came again.
@Suite struct RecentActionsTests {
    /// Actions one after the other, as a learner appends them.
    private struct Sequence {
        var items = ItemTable()
        var recent = RecentActions()
        private(set) var names: [String] = []

        init(_ names: String = "") { for name in names.split(separator: " ") { add(String(name)) } }

        mutating func add(_ name: String) {
            recent.append([items.use(HashedAction(.named(name)))], items)
            names.append(name)
        }

        /// The length of the match, and its successor.
        var match: String? {
            recent.match.map { "\($0.length) \(items.action($0.next)?.name ?? "")" }
        }

        /// The same, computed by definition from all actions.
        var expected: String? {
            let kept = names.suffix(RecentActions.capacity).map(\.self)
            guard let last = kept.last else { return nil }
            let places = kept.indices.dropLast().filter { kept[$0] == last }.suffix(64)
            let lengths = places.map { place in
                (0..<40).prefix { $0 <= place && kept[place - $0] == kept[kept.count - 1 - $0] }.count
            }
            guard let longest = lengths.max(), let index = lengths.lastIndex(of: longest) else { return nil }
            return "\(longest) \(kept[Array(places)[index] + 1])"
        }
    }

    @Test("The longest match wins, and the latest of equal length")
    func longestCommonPast() {
        #expect(Sequence().match == nil)
        #expect(Sequence("A B C").match == nil)
        #expect(Sequence("A").match == nil)
        #expect(Sequence("A A").match == "1 A")
        #expect(Sequence("A B A").match == "1 B")
        // B was followed by D last, but A B by C.
        #expect(Sequence("A B C B D A B").match == "2 C")
        // Both have one in common: the later one counts.
        #expect(Sequence("A B C D B E B").match == "1 E")
    }

    @Test("Random sequences match as the definition requires", arguments: 0..<6)
    func randomSequences(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let kinds = [2, 3, 5, 20, 60, 150][seed]
        var sequence = Sequence()
        for _ in 0..<700 {
            // Now and then, an earlier sequence is repeated.
            if Int.random(in: 0..<20, using: &random) == 0, sequence.names.count > 80 {
                let from = Int.random(in: 0..<sequence.names.count - 60, using: &random)
                for name in sequence.names[from..<from + Int.random(in: 5..<60, using: &random)] { sequence.add(name) }
            }
            sequence.add("x\(Int.random(in: 0..<kinds, using: &random))")
            #expect(sequence.match == sequence.expected)
        }
    }

    @Test("A match is at most forty actions long")
    func longestLength() {
        let round = (0..<100).map { "x\($0)" }.joined(separator: " ")
        #expect(Sequence(round + " " + round).match == "40 x0")
        #expect(Sequence(Array(repeating: "A", count: 200).joined(separator: " ")).match == "40 A")
    }

    @Test("An action is forgotten after 4,096 others")
    func ringIsBounded() {
        var sequence = Sequence("A B C")
        for number in 0..<RecentActions.capacity - 4 { sequence.add("x\(number % 900)") }
        sequence.add("A")
        #expect(sequence.match == "1 B")
        #expect(sequence.recent.byteCount < 64 * 1_024)
        sequence = Sequence("A B C")
        for number in 0..<RecentActions.capacity { sequence.add("x\(number % 900)") }
        sequence.add("A")
        #expect(sequence.match == nil)
        sequence.add("x7")
        #expect(sequence.match == sequence.expected)
    }

    @Test("Only the latest 64 positions are compared")
    func placesAreBounded() {
        let places = (0..<64).map { "x\($0) A" }.joined(separator: " ")
        // A came after P once, and since then 64 times after others, the last time just now.
        #expect(Sequence("P A Q \(places) P A").match == "1 P")
        #expect(Sequence("P A Q x A \(places.dropFirst(10)) P A").match == "2 Q")
    }

    @Test("Each length bucket counts its hits with decay")
    func hitsAreCounted() {
        var sequence = Sequence("A B C D E A B C")
        #expect(sequence.match == "3 D")
        let next = sequence.recent.match?.next ?? -1
        #expect(sequence.recent.logOdds == 0)
        var (hits, tries) = (0.0, 0.0)
        for isHit in [true, true, false, true] {
            sequence.recent.learn(isHit ? [next] : [next + 1], of: 1)
            (hits, tries) = (hits * 0.99 + (isHit ? 1 : 0), tries * 0.99 + 1)
        }
        let expected = (hits + 1) / (tries + 2)
        #expect(abs((sequence.recent.logOdds ?? .nan) - log(expected / (1 - expected))) < 1e-12)
        // There are no counts for other lengths.
        sequence.add("D")
        #expect(sequence.match == "4 E")
        #expect(sequence.recent.logOdds == 0)
        // Simultaneous actions share one trial.
        sequence.recent.learn([0, sequence.recent.match?.next ?? -1], of: 2)
        #expect(abs((sequence.recent.logOdds ?? .nan) - log(1.5 / 3 / (1 - 1.5 / 3))) < 1e-12)
    }

    @Test("The log-odds of a match are bounded")
    func logOddsAreBounded() {
        for (hit, probability) in [(true, 0.98), (false, 0.02)] {
            var sequence = Sequence("A B C A B")
            let next = sequence.recent.match?.next ?? -1
            for _ in 0..<500 { sequence.recent.learn(hit ? [next] : [], of: 1) }
            #expect(abs((sequence.recent.logOdds ?? .nan) - log(probability / (1 - probability))) < 1e-12)
        }
    }

    @Test("A single common action is not evidence")
    func singleActionTellsNothing() {
        let sequence = Sequence("A B A")
        #expect(sequence.match == "1 B")
        #expect(sequence.recent.logOdds == nil)
    }

    @Test("Eleven length buckets cover all lengths without gaps")
    func bucketsHaveNoGaps() {
        #expect(RecentActions.lengthBuckets.map(\.lowerBound) == [1, 2, 3, 4, 5, 6, 7, 9, 13, 21, 33])
        #expect(
            zip(RecentActions.lengthBuckets, RecentActions.lengthBuckets.dropFirst()).allSatisfy {
                $0.upperBound == $1.lowerBound
            })
        #expect(RecentActions.lengthBuckets.last?.contains(RecentActions.maximumLength) == true)
    }

    @Test("An evicted action is never predicted as the next one")
    func forgottenActionsAreNotNext() {
        var sequence = Sequence("A gone A A A A A A A A")
        for number in 0..<2_400 { sequence.add("x\(number)") }
        #expect(sequence.items.number(of: HashedAction(.named("gone"))) == nil)
        #expect(sequence.items.number(of: HashedAction(.named("A"))) != nil)
        var only = RecentActions()
        let (a, gone) = (sequence.items.number(of: HashedAction(.named("A"))) ?? -1, 1)
        only.append([a, gone, a], sequence.items)
        #expect(!sequence.items.holds(gone) && only.match == nil)
    }

    @Test("A long sequence of two actions is predicted by its match")
    func longSequencesOfFewActions() {
        // After any four actions both are equally likely. Only a longer match distinguishes them.
        var random = SplitMix64(seed: 5)
        let round = (0..<60).map { _ in Bool.random(using: &random) ? "A" : "B" }
        var learner = Learner()
        var hits = 0
        for index in 0..<600 {
            let next = round[index % 60]
            if index >= 240, learner.ranking(at: start).first == next { hits += 1 }
            learner.learn(.named(next), Circumstances(), at: start)
        }
        #expect(hits > 340, "\(hits)")
    }
}
