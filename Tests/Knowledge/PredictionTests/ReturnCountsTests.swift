import FoundationEssentials
import Glibc
import HunchModel
import Testing

@testable import Prediction

/// Tests of the rates of returns to actions by recency.
@Suite struct ReturnCountsTests {
    private let bounds = [0, 1, 2, 3, 4, 5, 6, 8, 12, 24, 48, 96, 192, 512]

    /// The share of each bucket before anything was learned.
    private var first: [Double] {
        let shares = zip(bounds, bounds.dropFirst()).map { log(Double($1 + 1) / Double($0 + 1)) }
        return shares.map { $0 / shares.reduce(0, +) }
    }

    private func expect(
        _ counts: ReturnCounts, _ gate: Situation.Gate, known: Int, _ probabilities: [Double],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let ratios = counts.logRatios(gate, known: known)
        for (index, entry) in ratios.enumerated() {
            let end = index == 12 ? known : min(bounds[index + 1], known)
            #expect(entry.ranks == bounds[index]..<end, sourceLocation: sourceLocation)
            let expected = log(probabilities[index] * Double(known) / Double(end - bounds[index]))
            #expect(abs(entry.logRatio - expected) < 1e-12, "\(index)", sourceLocation: sourceLocation)
        }
        #expect(ratios.last?.ranks.upperBound == (known > 0 ? known : nil), sourceLocation: sourceLocation)
    }

    @Test("Before learning, the first counts favour recent ranks")
    func firstCounts() {
        for gate in Situation.Gate.allCases {
            for known in [0, 1, 7, 24, 193, 1_024] { expect(ReturnCounts(), gate, known: known, first) }
        }
        let ratios = ReturnCounts().logRatios(.withinSession, known: 600).map(\.logRatio)
        #expect(ratios == ratios.sorted(by: >))
    }

    @Test("Each gate keeps its own return counts besides the total")
    func countsByGate() {
        var counts = ReturnCounts()
        var all = first.map { 2 * $0 }
        var own = first.map { _ in 0.0 }
        for (rank, bucket) in [(3, 3), (3, 3), (7, 6), (300, 12), (900, 12)] {
            counts.learn(rank: rank, .sessionStart)
            for index in all.indices {
                all[index] = all[index] * 0.98 + (index == bucket ? 1 : 0)
                own[index] = own[index] * 0.98 + (index == bucket ? 1 : 0)
            }
        }
        let shares = all.map { $0 / all.reduce(0, +) }
        let weight = own.reduce(0, +) + 8
        expect(counts, .sessionStart, known: 1_000, zip(own, shares).map { ($0 + 8 * $1) / weight })
        // Without counts for a gate, all other gates are used.
        expect(counts, .trigger, known: 1_000, shares)
    }

    @Test("The learner counts the rank before the action moves")
    func learnerCountsRanks() {
        var learner = Learner("A B C")
        let before = learner.returns.logRatios(.withinSession, known: 3).map(\.logRatio)
        // A is the third to last.
        learner.learn(.named("A"), Circumstances(), at: start.addingTimeInterval(180))
        let after = learner.returns.logRatios(.withinSession, known: 3).map(\.logRatio)
        #expect(after[2] > before[2] && after[0] < before[0] && after[1] < before[1])
        // A new action is not a return.
        let known = learner.returns.logRatios(.withinSession, known: 3).map(\.logRatio)
        learner.learn(.named("new"), Circumstances(), at: start.addingTimeInterval(240))
        #expect(learner.returns.logRatios(.withinSession, known: 3).map(\.logRatio) == known)
    }

    @Test("Each candidate gets the log ratio of its rank")
    func candidatesHaveTheirRanks() {
        let learner = Learner("A B C A D")
        let ratios = learner.returns.logRatios(.withinSession, known: 4).map(\.logRatio)
        let date = start.addingTimeInterval(300)
        expectAlike(
            learner.evidence(EvidenceSlot.returning, at: date),
            ["D": ratios[0], "A": ratios[1], "C": ratios[2], "B": ratios[3]])
    }

    @Test("An unknown action has the lowest return evidence")
    func unknownActionsAreLeast() throws {
        let learner = Learner("A B C A D")
        let numbers = ["B", "A"].compactMap { learner.items.number(of: HashedAction(.named($0))) } + [-1]
        let instance = learner.instance(learner.setting(Circumstances(), at: nil), candidates: numbers)
        let column = try #require(instance.columns.first { $0.slot == EvidenceSlot.returning })
        #expect(
            instance.value(column, 2) <= instance.value(column, 0)
                && instance.value(column, 2) <= instance.value(column, 1))
    }
}
