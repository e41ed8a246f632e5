import FoundationEssentials
import HunchModel
import SeededRandom
import Testing

@testable import Prediction

/// Tests with hand-computed figures of small logs.
@Suite struct EvaluatorTests {
    private func report(_ events: [LoggedEvent]) throws -> EvaluationReport {
        var evaluator = Evaluator()
        for event in events { _ = try evaluator.add(event) }
        return evaluator.report
    }

    private func log(_ names: String, user: String = "ann") -> [LoggedEvent] {
        names.split(separator: " ").map { LoggedEvent(user: user, action: .named(String($0))) }
    }

    @Test("The baseline methods match a calculation by hand")

    func theSimpleMethodsAreAsWorkedOutByHand() throws {
        // Ranks before each event, – for a miss:
        //   event   A  B  A  A  B  C  A
        //   mfu     –  –  2  1  2  –  1   (before the third, A and B are equal and B is later)
        //   mru     –  –  2  1  2  –  3   (C, B, A before the last)
        let report = try report(log("A B A A B C A"))
        #expect(report.predicted == 7)
        #expect(report.unseen == 3)
        let mfu = try #require(report.methods[.mostFrequent])
        #expect(mfu.micro.first == 2.0 / 7)
        #expect(mfu.micro.firstThree == 4.0 / 7)
        #expect(abs(mfu.micro.reciprocalRank - 3.0 / 7) < 1e-12)
        let mru = try #require(report.methods[.mostRecent])
        #expect(mru.micro.first == 1.0 / 7)
        #expect(mru.micro.firstThree == 4.0 / 7)
        #expect(abs(mru.micro.reciprocalRank - (0.5 + 1 + 0.5 + 1.0 / 3) / 7) < 1e-12)
    }

    @Test("The Markov baseline falls back to frequency")

    func markovKnowsWhatFollowsAndElseWhatIsFrequent() throws {
        let markov = try #require(try report(log("C A B A B A C")).methods[.markov])
        // C –, A –, B –, A 3 (nothing followed B, so recency decides: B, A, C), B 1, A 1, C 3.
        #expect(markov.micro.first == 2.0 / 7)
        #expect(markov.micro.firstThree == 4.0 / 7)
        #expect(abs(markov.micro.reciprocalRank - (0.5 + 1 + 1 + 1.0 / 3) / 7) < 1e-12)
    }

    @Test("The context baseline falls back to frequency")

    func theContextDecidesAndElseWhatIsFrequent() throws {
        func event(_ name: String, _ place: String) -> LoggedEvent {
            LoggedEvent(user: "ann", action: .named(name), circumstances: Circumstances(values: ["place": place]))
        }
        let log = [("A", "home"), ("A", "home"), ("B", "work"), ("B", "work"), ("A", "home"), ("A", "train")]
        let rates = try #require(try report(log.map(event)).methods[.mostFrequentInContext])
        // –, 1, –, 1, 1, 1 (A is the most frequent by then).
        #expect(rates.micro.first == 4.0 / 6)
        #expect(rates.micro.reciprocalRank == 4.0 / 6)
    }

    @Test("Phases and people are kept apart")

    func phasesAndPeopleAreKeptApart() throws {
        var events = log("A A A", user: "ann") + log("B", user: "bob")
        for index in 0..<3 { events[index].phase = .learn }
        events.append(LoggedEvent(user: "ann", action: .named("B"), phase: .predict))
        events.append(LoggedEvent(user: "ann", action: .named("A"), phase: .predict))
        events.append(LoggedEvent(user: "ann", action: .named("A"), phase: .predict))
        let report = try report(events)
        #expect(report.users == 2)
        #expect(report.events == 7)
        #expect(report.learned == 4)
        #expect(report.predicted == 4)
        // Bob's first action, and Ann's B, which is new for her.
        #expect(report.unseen == 2)
        for method in EvaluationMethod.allCases {
            let rates = try #require(report.methods[method])
            #expect(rates.micro.first == 0.5, "\(method)")
            // Bob has 0 of 1, Ann 2 of 3.
            #expect(abs(rates.macro.first - 1.0 / 3) < 1e-12, "\(method)")
        }
    }

    @Test("The same log gives the same rankings")

    func theSameLogGivesTheSameRankings() throws {
        let events = log("A B C A B C D A A B D C A B")
        var one = Evaluator()
        var other = Evaluator()
        for event in events { #expect(try one.add(event) == other.add(event)) }
        #expect(one.report.methods == other.report.methods)
    }

    @Test("Actions with the same date are learned together")

    func severalActionsOfOneMomentAreLearnedTogether() throws {
        let home = Circumstances(values: ["place": "home"])
        var evaluator = Evaluator()
        for name in ["A", "B", "A"] {
            let event = LoggedEvent(user: "ann", action: .named(name), circumstances: home, phase: .learn)
            #expect(try evaluator.add(event) == nil)
        }
        let asked = LoggedEvent(user: "ann", action: .named("A"), circumstances: home, phase: .predict)
        // A log that begins with learn-only events has no order.
        var learner = Learner(doubtsOrder: true)
        learner.learn(["A", "B", "A"].map(Action.named), home, at: nil)
        #expect(try evaluator.add(asked)?.ranked == learner.ranking(home, at: nil))
        #expect(learner.ranking(home, at: nil).map(\.name) == ["A", "B"])
    }

    @Test("A prediction has its confidence and the rank of the right action")
    func confidenceAndRank() throws {
        var evaluator = Evaluator()
        let first = try evaluator.add(LoggedEvent(user: "ann", action: .named("A")))
        #expect(first == EvaluatedEvent(ranked: [], confidence: 0, rank: nil))
        for _ in 1...20 { _ = try evaluator.add(LoggedEvent(user: "ann", action: .named("A"))) }
        let sure = try #require(try evaluator.add(LoggedEvent(user: "ann", action: .named("A"))))
        #expect(sure.rank == 0 && sure.ranked == [.named("A")] && sure.confidence > 0.5 && sure.confidence <= 1)
        _ = try evaluator.add(LoggedEvent(user: "ann", action: .named("B")))
        #expect(try evaluator.add(LoggedEvent(user: "ann", action: .named("B")))?.rank == 1)
    }

    @Test("The first play of an item is its app with something new")
    func donations() {
        var log = DonationLog()
        func play(_ title: String) -> Donation {
            Donation(
                application: "org.example.Player", kind: .playMedia, parameters: ["item": "a", "title": title],
                date: Date(timeIntervalSince1970: 0), context: Context(device: "AA"), combination: ["item"])
        }
        let (new, again) = (log.event(play("A")), log.event(play("A, retitled")))
        #expect(new.action.parameters.isEmpty && new.action.application == "org.example.Player")
        #expect(again.action.parameters == ["item": "a"] && again.circumstances == Circumstances(Context(device: "AA")))
        var opened = play("A")
        opened.kind = .openItem
        #expect(log.event(opened).action.parameters == ["item": "a"])
    }

    @Test("Sure predictions count as suggestions, right or wrong")
    func offersAreMadeWhereTheFirstIsSureAndCountedWhereItIsWrong() throws {
        var evaluator = Evaluator()
        // There is no suggestion for the first event, nor for the second, which may be new, too. From then on it is A, and wrong
        // once.
        for name in ["A", "A", "A", "A", "A", "B"] {
            _ = try evaluator.add(LoggedEvent(user: "ann", action: .named(name)))
        }
        #expect(evaluator.report.offers == 4)
        #expect(evaluator.report.falseOffers == 1)
        // In a cycle of a hundred actions the next one is certain; after the cycle is broken, none is.
        evaluator = Evaluator()
        let hundred = (0..<100).map { "x\($0)" }
        for name in hundred + hundred + hundred {
            _ = try evaluator.add(
                LoggedEvent(user: "bob", action: .named(name), phase: .learn))
        }
        _ = try evaluator.add(LoggedEvent(user: "bob", action: .named("y"), phase: .both))
        _ = try evaluator.add(LoggedEvent(user: "bob", action: .named("y"), phase: .predict))
        #expect(evaluator.report.offers == 1)
        #expect(evaluator.report.falseOffers == 1)
    }

    @Test("Habits are suggested, and noise hardly ever")

    func noiseIsHardlyOfferedAndHabitsAre() throws {
        var random = SplitMix64(seed: 3)
        var noise = Evaluator()
        var habit = Evaluator()
        for index in 0..<2_000 {
            let any = Int.random(in: 0..<4, using: &random)
            _ = try noise.add(LoggedEvent(user: "ann", action: .named("\(any)")))
            // Every second action is the same in its place. The others are random.
            _ = try habit.add(
                LoggedEvent(
                    user: "ann", action: .named(index % 2 == 0 ? "usual" : "\(any)"),
                    circumstances: Circumstances(values: ["place": index % 2 == 0 ? "home" : "work"])))
        }
        #expect(noise.report.offers < 100, "\(noise.report.offers)")
        // All habits except the first few, and at most one in eight of a thousand others.
        #expect(habit.report.offers - habit.report.falseOffers > 980, "\(habit.report.offers)")
        #expect(habit.report.falseOffers < 125, "\(habit.report.falseOffers)")
    }

    @Test("The first ten of a ranking are complete")

    func theFirstTenAreCompleteThoughNoMoreAreKept() {
        // 30 actions in cycles: the first ten have the greatest counts, the latest first among equals.
        var counts = Baselines.Counts()
        var naive: [Int: (count: Int, last: Int)] = [:]
        var random: UInt64 = 7
        for step in 0..<2_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let item = Int((random >> 33) % 30) * Int((random >> 40) % 2 + 1)
            counts.use(item)
            naive[item] = ((naive[item]?.count ?? 0) + 1, step)
            let expected = naive.sorted { ($1.value.count, $1.value.last) < ($0.value.count, $0.value.last) }
            #expect(counts.top == expected.prefix(10).map(\.key))
        }
    }
}
