import FoundationEssentials
import Glibc
import HunchModel
import SeededRandom
import Testing

@testable import Prediction

/// Tests of each kind of evidence with values computed by hand from the definitions.
@Suite struct EvidenceTests {
    private func column(
        _ slot: Int, _ learner: Learner, _ circumstances: Circumstances = Circumstances()
    ) -> [String: Double] {
        learner.evidence(slot, circumstances)
    }

    private func expect(_ values: [String: Double], _ expected: [String: Double]) { expectAlike(values, expected) }

    @Test("Frequencies are discounted by one half")

    func frequencyIsDiscountedByAHalf() {
        // N = 3, V = 2, M₀ = 1.
        expect(
            column(EvidenceSlot.frequency, Learner("A A B")),
            ["A": log((1.5 + 1.0 / 3) / 3), "B": log((0.5 + 1.0 / 3) / 3)])
    }

    @Test("Sequences are interpolated")

    func sequencesAreInterpolated() {
        // A (3 of 5) was followed by B twice, A B A by B once.
        let learner = Learner("A B A B A")
        let base = ["A": (2.5 + 1.0 / 3) / 5, "B": (1.5 + 1.0 / 3) / 5]
        // After A: N = 2, one successor, M = 0.8.
        let first = ["A": 0.4 * (base["A"] ?? 0), "B": 0.6 + 0.4 * (base["B"] ?? 0)]
        expect(
            column(EvidenceSlot.sequence, learner),
            first.merging(base) { log($0 / $1) })
        // After B A: N = 1, M = 0.8.
        let second = ["A": 0.8 * (first["A"] ?? 0), "B": 0.2 + 0.8 * (first["B"] ?? 0)]
        expect(column(EvidenceSlot.sequence + 1, learner), second.merging(first) { log($0 / $1) })
        // A B A was followed by B once, B A B A by nothing yet.
        #expect(column(EvidenceSlot.sequence + 2, learner).count == 2)
        #expect(column(EvidenceSlot.sequence + 3, learner).isEmpty)
    }

    @Test("Recency halves every two events")

    func recencyHalvesEveryTwoEvents() {
        let base = ["A": (1.5 + 1.0 / 3) / 3, "B": (0.5 + 1.0 / 3) / 3]
        // A was used three and two events before the next one, B just before it.
        let used = ["A": exp2(-1.5) + exp2(-1), "B": exp2(-0.5)]
        let sum = exp2(-1.5) + exp2(-1) + exp2(-0.5)
        expect(
            column(EvidenceSlot.recency, Learner("A A B")),
            used.merging(base) { log(($0 + 0.5 * $1) / (sum + 0.5) / $1) })
    }

    @Test("Recent sequences fade at each visit")

    func recentSequencesFadeAtEachVisit() {
        // After A came B, then C: B counts 0.8 and C 1.
        let learner = Learner("A B A C A")
        let base = { (count: Double) in (count - 0.5 + 1.5 / 4) / 5 }
        expect(
            column(EvidenceSlot.recentSequence, learner),
            [
                "A": log(base(3) / 2.8) - log(base(3)), "B": log((0.8 + base(1)) / 2.8) - log(base(1)),
                "C": log((1 + base(1)) / 2.8) - log(base(1)),
            ])
        expect(column(EvidenceSlot.lastSuccessor, learner), ["A": 0, "B": 0, "C": 1])
    }

    @Test("Ranks are indicators")

    func ranksAreIndicators() {
        let learner = Learner("A B C")
        expect(column(EvidenceSlot.rank, learner), ["A": 0, "B": 0, "C": 1])
        expect(column(EvidenceSlot.rank + 1, learner), ["A": 0, "B": 1, "C": 0])
        expect(column(EvidenceSlot.rank + 2, learner), ["A": 1, "B": 0, "C": 0])
        #expect(column(EvidenceSlot.rank + 3, learner).isEmpty)
        let many = Learner((0..<30).map { "x\($0)" }.joined(separator: " "))
        #expect(column(EvidenceSlot.rank + 6, many).filter { $0.value == 1 }.keys.sorted() == ["x22", "x23"])
        #expect(column(EvidenceSlot.rank + 7, many).count { $0.value == 1 } == 4)
        #expect(column(EvidenceSlot.rank + 8, many).count { $0.value == 1 } == 12)
    }

    @Test("A trigger's evidence is relative to the base")

    func aTriggerIsComparedWithTheBase() {
        var learner = Learner("A A A")
        learner.learn(.named("B"), Circumstances(trigger: .other("t")), at: start)
        let base = ["A": (2.5 + 1.0 / 3) / 4, "B": (0.5 + 1.0 / 3) / 4]
        expect(
            column(EvidenceSlot.trigger, learner, Circumstances(trigger: .other("t"))),
            ["A": log(0.5 / 1.5), "B": log((1 + 0.5 * (base["B"] ?? 0)) / 1.5) - log(base["B"] ?? 0)])
        #expect(column(EvidenceSlot.trigger, learner, Circumstances(trigger: .other("other"))).isEmpty)
        #expect(column(EvidenceSlot.trigger, learner).isEmpty)
    }

    @Test("Evidence of values and pairs is relative to the base")

    func valuesAndTheirPairsAreComparedWithTheBase() {
        var learner = Learner()
        learner.learn(.named("A"), Circumstances(values: ["hour": "7", "place": "home"]), at: start)
        learner.learn(.named("B"), Circumstances(values: ["hour": "7", "place": "gym"]), at: start)
        #expect(learner.names == ["hour", "place"])
        let now = Circumstances(values: ["hour": "7", "place": "gym"])
        let base = 0.5 * (1 + 2.0 / 3) / 2
        func relative(_ count: Double, _ total: Double, base weight: Double) -> Double {
            log((count + weight * base) / (total + weight)) - log(base)
        }
        expect(
            column(EvidenceSlot.circumstance, learner, now),
            ["A": relative(1, 2, base: 3), "B": relative(1, 2, base: 3)])
        expect(
            column(EvidenceSlot.circumstance + 1, learner, now),
            ["A": relative(0, 1, base: 3), "B": relative(1, 1, base: 3)])
        expect(
            column(EvidenceSlot.pair(0, 1), learner, now),
            ["A": relative(0, 1, base: 2), "B": relative(1, 1, base: 2)])
        #expect(column(EvidenceSlot.pair(0, 1), learner, Circumstances(values: ["hour": "7"])).isEmpty)
    }

    @Test("The indices of evidence do not overlap")

    func placesOfEvidenceDoNotOverlap() {
        let pairs = (1..<8).flatMap { high in (0..<high).map { EvidenceSlot.pair($0, high) } }
        #expect(pairs.sorted() == Array(EvidenceSlot.pair..<EvidenceSlot.whole))
        #expect(EvidenceSlot.initialWeights.count == EvidenceSlot.count)
        #expect(EvidenceSlot.initialWeights[0..<5].allSatisfy { $0 == 0.6 })
        #expect(EvidenceSlot.initialWeights[5..<11].allSatisfy { $0 == 0.1 })
        #expect(EvidenceSlot.initialWeights[11..<14].allSatisfy { $0 == 0 })
        #expect(EvidenceSlot.initialWeights[14] == 0.3)
        #expect(EvidenceSlot.initialWeights[15..<23].allSatisfy { $0 == 0 })
        #expect(EvidenceSlot.initialWeights[23..<29] == [0.2, 1.2, 1, 0.1, 0.1, 0.2])
        #expect(EvidenceSlot.initialWeights[29..<37].allSatisfy { $0 == 0.1 })
        #expect(EvidenceSlot.initialWeights[37..<65].allSatisfy { $0 == 0.05 })
        #expect(EvidenceSlot.initialWeights[65] == 0.3)
    }

    @Test("A weight learns at its gate and per known sequence length")
    func weightsMove() {
        func step(_ gradient: Double) -> Double {
            0.003 * gradient / (1 + 0.003 * (0.001 + gradient * gradient)).squareRoot()
        }
        func value(_ weights: Weights, _ slot: Int, _ gate: Situation.Gate, _ seenLengths: Int) -> Double {
            weights.value(slot, Situation(gate: gate, seenLengths: seenLengths))
        }
        var weights = Weights(frequency: 0.6)
        weights.learn(EvidenceSlot.trigger, Situation(gate: .trigger, seenLengths: 2), gradient: 2)
        // The common weight and that of the gate changed, those of other gates did not. A trigger is not evidence about
        // order.
        for length in 0...4 {
            #expect(abs(value(weights, EvidenceSlot.trigger, .trigger, length) - (1.2 + 2 * step(2))) < 1e-12)
            #expect(abs(value(weights, EvidenceSlot.trigger, .withinSession, length) - (1.2 + step(2))) < 1e-12)
        }
        #expect(value(weights, EvidenceSlot.frequency, .trigger, 2) == 0.6)
        // With two known sequences a third weight changed, which balances frequency and order.
        weights.learn(EvidenceSlot.frequency, Situation(gate: .sessionStart, seenLengths: 2), gradient: -1_000)
        #expect(abs(value(weights, EvidenceSlot.frequency, .sessionStart, 2) - (0.6 + 3 * step(-3))) < 1e-12)
        #expect(abs(value(weights, EvidenceSlot.frequency, .sessionStart, 3) - (0.6 + 2 * step(-3))) < 1e-12)
        #expect(abs(value(weights, EvidenceSlot.frequency, .trigger, 2) - (0.6 + 2 * step(-3))) < 1e-12)
        #expect(abs(value(weights, EvidenceSlot.frequency, .trigger, 0) - (0.6 + step(-3))) < 1e-12)
        for slot in 0..<EvidenceSlot.count {
            var weights = Weights(frequency: 0)
            weights.learn(slot, Situation(gate: .withinSession, seenLengths: 4), gradient: 1)
            let moved = value(weights, slot, .withinSession, 4) - value(weights, slot, .withinSession, 1)
            #expect(abs(moved - (slot <= EvidenceSlot.match ? step(1) : 0)) < 1e-12, "\(slot)")
        }
    }

    @Test("Eager weights learn twenty times as fast")
    func eagerWeightsMove() {
        let situation = Situation(gate: .withinSession, seenLengths: 0)
        var weights = Weights.eager(frequency: 1)
        weights.learn(EvidenceSlot.circumstance, situation, gradient: 1)
        let step = 0.06 / (1 + 0.06 * 1.001).squareRoot()
        #expect(abs(weights.value(EvidenceSlot.circumstance, situation) - (0.7 + 2 * step)) < 1e-12)
    }

    @Test("Models are weighted by their prior and their surprise")
    func modelsCountByWhatIsHeldAgainstThemAndByHowLittleTheyWereSurprised() {
        // In nats: no penalty for order if it is known and 6 if it is arbitrary, 2 for haste. A nat counts half.
        // If the order is arbitrary, there is also a model of frequency alone.
        func shares(_ surprises: [Double]) -> [Double] {
            let all = surprises.map { exp(-0.5 * $0) }
            return all.map { $0 / all.reduce(0, +) }
        }
        func isSame(_ learner: Learner, _ surprises: [Double]) -> Bool {
            zip(learner.mixture.shares, shares(surprises)).allSatisfy { abs($0 - $1) < 1e-12 }
        }
        #expect(isSame(Learner(), [0, 0, 2, 2, 0, 2]))
        #expect(isSame(Learner(followsSequences: false), [0, 0, 2, 2, 6, 0]))
        #expect(isSame(Learner(doubtsOrder: true), [6, 0, 8, 2, 6, 0, 2]))
        // The trigger's weight is the same in all models, and so in the mixture.
        #expect(
            abs(Learner().mixture.weights(Situation(gate: .trigger, seenLengths: 0))[EvidenceSlot.trigger] - 1.2)
                < 1e-12)
        var learner = Learner(doubtsOrder: true)
        for name in Array(repeating: "ABCDEFG", count: 20).joined() {
            learner.learn(.named(String(name)), Circumstances(), at: start)
        }
        // A return after six others indicates a cycle as much as the preceding action does.
        let order = zip(learner.mixture.models, learner.mixture.shares).filter {
            $0.0.scope == .everything || $0.0.scope == .returns
        }
        #expect(order.reduce(0) { $0 + $1.1 } > 0.999)
    }

    @Test("Without sequences, successors are not stored")

    func whereNoActionIsAReasonForTheNextWhatFollowedIsNotKept() {
        var (ordered, unordered) = (Learner(), Learner(followsSequences: false))
        for name in Array(repeating: "ABCDEFGH", count: 40).joined() {
            ordered.learn(.named(String(name)), Circumstances(trigger: .other("t")), at: start)
            unordered.learn(.named(String(name)), Circumstances(trigger: .other("t")), at: start)
        }
        #expect(unordered.recent.isEmpty && unordered.tables[0].count == 0 && ordered.tables[0].count == 8)
        #expect(ordered.ranking(Circumstances(trigger: .other("t"))).first == "A")
        #expect(unordered.byteCount < ordered.byteCount)
    }

    @Test("Decisive circumstances are trusted soon, noise is not")
    func circumstancesThatDecideAreTrustedSoonAndNoiseIsNot() {
        var random = SplitMix64(seed: 11)
        // In each of eight hours, one of twelve actions is done in four of five times; the rest is noise. The second log has
        // the same circumstances and five random actions.
        var habits: [Event] = []
        var noise: [Event] = []
        for index in 0..<160 {
            let hour = Int.random(in: 0..<8, using: &random)
            let circumstances = Circumstances(values: [
                "hour": "\(hour)", "day": "\(Int.random(in: 0..<7, using: &random))",
            ])
            let isUsual = Int.random(in: 0..<5, using: &random) > 0
            let item = isUsual ? hour * 7 % 12 : Int.random(in: 0..<12, using: &random)
            let date = start.addingTimeInterval(Double(index) * 7_200)
            habits.append(Event(action: .named("\(item)"), circumstances: circumstances, date: date))
            noise.append(
                Event(
                    action: .named(Int.random(in: 0..<5, using: &random) > 1 ? "0" : "\(index % 5)"),
                    circumstances: circumstances, date: date))
        }
        // In the second half, after ten times in each hour, three in four are predictable.
        let known = Score.of(habits) { $0 >= 80 }
        #expect(known.learner > 54, "\(known)")
        let unknowable = Score.of(noise) { $0 >= 80 }
        #expect(unknowable.learner >= unknowable.mostFrequent - 4, "\(unknowable)")
    }

    @Test("Stated probabilities match the observed frequencies")

    func whatIsSaidIsWhatHappens() {
        // Without experience, a certain prediction counts a quarter, since most actions are new at first.
        #expect(abs(Calibration().chance(1) - 0.25) < 1e-12)
        var calibration = Calibration()
        for index in 0..<2_000 {
            calibration.learn(said: 0.6, rightShare: index % 4 == 0 ? 1 : 0, newShare: 0)
        }
        // Correct one time in four, whatever the predicted probability. Elsewhere there is no experience, so the prediction counts.
        #expect(abs(calibration.chance(0.6) - 0.25) < 0.02)
        #expect(abs(calibration.chance(0.9) - 0.9) < 0.02)
        #expect(calibration.chance(0) == 0)
        for said in [-1, 0, 0.05, 0.95, 1, 2] { #expect((0...1).contains(calibration.chance(said))) }
        // If every action is new, none is likely.
        for _ in 0..<2_000 { calibration.learn(newShare: 1) }
        #expect(calibration.chance(0.9) < 0.01)
    }

    @Test("Learning raises the weight of evidence that predicted")

    func learningRaisesWhatWouldHaveToldTheAction() {
        var learner = Learner("A A A A B")
        let situation = Situation(gate: .trigger, seenLengths: 1)
        let before = learner.mixture.models[0].weights.value(EvidenceSlot.trigger, situation)
        for _ in 0..<5 {
            learner.learn(.named("A"), Circumstances(), at: start)
            learner.learn(.named("B"), Circumstances(trigger: .other("t")), at: start)
        }
        #expect(learner.mixture.models[0].weights.value(EvidenceSlot.trigger, situation) > before)
    }
}
