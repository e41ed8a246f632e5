import FoundationEssentials
import Glibc
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Prediction

@Suite struct LearnerTests {
    @Test("Without history, nothing is predicted")
    func whoKnowsNothingPredictsNothing() {
        #expect(Learner().predict(Circumstances(trigger: .other("t")), at: start) == [])
        #expect(Learner("A B").predict(Circumstances(), at: start, limit: 0) == [])
        #expect(Learner("A B").predict(Circumstances(), at: start, limit: -1) == [])
        #expect(Learner("A B").predict(Circumstances(), at: start, among: []) == [])
    }

    @Test("Unknown candidates are equally likely")

    func unknownCandidatesAreEquallyLikely() {
        let candidates = [Action.named("X"), .named("Y")]
        let predictions = Learner().predict(Circumstances(), at: start, among: candidates)
        #expect(predictions.map(\.action) == candidates)
        #expect(predictions.map(\.probability) == [0.5, 0.5])
    }

    @Test("Each candidate is ranked once, and nothing else")

    func onlyCandidatesAreRankedEachOnce() {
        let learner = Learner("A A A B C")
        let candidates = ["B", "X", "B", "C"].map(Action.named)
        let predictions = learner.predict(Circumstances(), at: start, among: candidates)
        #expect(Set(predictions.map(\.action.name)) == ["B", "X", "C"])
        #expect(predictions.count == 3)
        #expect(predictions.last?.action.name == "X")
        #expect(abs(predictions.reduce(0) { $0 + $1.probability } - 1) < 1e-12)
    }

    @Test("A trigger decides")

    func aTriggerDecides() {
        var learner = Learner("news news news news music")
        for _ in 0..<3 {
            learner.learn(.named("podcast"), Circumstances(trigger: .device("AA")), at: start)
            for _ in 0..<8 { learner.learn(.named("news"), Circumstances(), at: start) }
        }
        #expect(learner.ranking().first == "news")
        #expect(learner.ranking(Circumstances(trigger: .device("AA"))).first == "podcast")
        #expect(learner.ranking(Circumstances(trigger: .device("BB"))).first == "news")
    }

    @Test("Reasons are in words")

    func theReasonsAreInWords() throws {
        var learner = Learner()
        let headphones = Context(trigger: .device("AA"), device: "AA", hour: 8, weekday: 2)
        for hour in 0..<4 {
            let date = start + Double(hour * 3_600)
            for _ in 0..<6 { learner.learn(.named("news"), Circumstances(Context(hour: 20, weekday: 6)), at: date) }
            learner.learn(.named("podcast"), Circumstances(headphones), at: date)
        }
        let now = Circumstances(headphones)
        let prediction = try #require(learner.predict(now, at: start + 4 * 3_600).first)
        #expect(prediction.action == .named("podcast"))
        #expect(
            prediction.explanation(now, deviceName: "WH-1000XM4").texts.first
                == "4 of 4 times after connecting WH-1000XM4")
        #expect(prediction.explanation(now, limit: 1).texts.first == "4 of 4 times after connecting this device")
        let all = prediction.explanation(now, deviceName: "WH", limit: 99).texts
        for reason in ["4 of 4 times on Mondays", "4 of 4 times around 8:00", "4 of 4 times on Mondays around 8:00"] {
            #expect(all.contains(reason), "\(all)")
        }
        #expect(all.contains("4 of 4 times with WH"))
        #expect(prediction.explanation(now, limit: 0).reasons == [])
    }

    @Test("A single candidate has reasons too")

    func anOnlyCandidateHasReasonsToo() throws {
        var learner = Learner()
        learner.learn(.named("podcast"), Circumstances(trigger: .session(.unlocked)), at: start)
        let now = Circumstances(trigger: .session(.unlocked))
        let predictions = learner.predict(now, at: start)
        let prediction = try #require(predictions.first)
        #expect(predictions.count == 1)
        #expect(prediction.probability == 1)
        #expect(prediction.explanation(now).texts.contains("once after unlocking"))
        // It has no rival among known actions, so its evidence has no weight.
        let told = prediction.explanation(now)
        #expect(!prediction.hasRival && told.margin == nil && told.reasons.allSatisfy { $0.weight == nil })
        #expect(told.reasons.contains { $0.share == Explanation.Share(count: 1, total: 1) })
    }

    @Test("An action never done is not a rival and has no evidence")

    func whatWasNeverDoneIsNoRivalAndHasNoEvidence() throws {
        var learner = Learner("podcast podcast podcast news")
        for _ in 0..<4 { learner.learn(.named("podcast"), Circumstances(trigger: .session(.unlocked)), at: start) }
        let now = Circumstances(trigger: .session(.unlocked))
        let candidates: [Action] = [.named("podcast"), .named("new"), .named("newer"), .named("news")]
        for limit in 1...4 {
            let ranked = learner.predict(now, at: start, among: candidates, limit: limit)
            #expect(ranked.count == limit)
            let podcast = try #require(ranked.first)
            #expect(podcast.action == .named("podcast") && podcast.hasRival)
            // It has the same lead over the news as if these two were the only candidates.
            let alone = try #require(
                learner.predict(now, at: start, among: [.named("podcast"), .named("news")], limit: 1).first)
            #expect(
                abs(try #require(podcast.explanation(now).margin) - (try #require(alone.explanation(now).margin)))
                    < 1e-9)
        }
        for other in learner.predict(now, at: start, among: candidates, limit: 4)
        where other.action.name.hasPrefix("new") && other.action != .named("news") {
            #expect(other.evidence.isEmpty && !other.hasRival && other.explanation(now) == [])
        }
        let only = try #require(learner.predict(now, at: start, among: [.named("podcast"), .named("new")]).first)
        #expect(!only.hasRival && only.explanation(now).margin == nil)
    }

    @Test("Reasons for an app say that it was used, not played")

    func whatIsLearnedOfAnAppSaysSo() throws {
        var learner = Learner("news")
        for day in 0..<4 {
            learner.learn(
                .named("podcast"), Circumstances(trigger: .device("AA")), at: start + Double(day * 86_400))
        }
        let now = Circumstances(trigger: .device("AA"))
        let podcast = try #require(learner.predict(now, at: start + 4 * 86_400).first)
        let texts = podcast.explanation(now, deviceName: "WH", of: .application, limit: 99).texts
        #expect(texts.first == "you used this app 4 of 4 times after connecting WH", "\(texts)")
        #expect(
            texts.contains("you used this app lately") && texts.contains("you used this app last"), "\(texts)")
        #expect(texts.allSatisfy { $0.contains("this app") }, "\(texts)")
        let action = podcast.explanation(now, deviceName: "WH", limit: 99)
        #expect(action.texts.count == texts.count && action.texts.allSatisfy { !$0.contains("this app") })
        let margin = podcast.explanation(now, deviceName: "WH", of: .application).margin
        #expect(abs(try #require(action.margin) - (try #require(margin))) < 1e-9)
    }

    @Test("Explanations of a player read as a person would say them")
    func wordsOfPlayer() throws {
        func reason(_ count: Int, of total: Int, _ trigger: Trigger = .device("AA")) throws -> String? {
            var learner = Learner("news")
            for index in 0..<total {
                let name = index < count ? "podcast" : "news"
                learner.learn(.named(name), Circumstances(trigger: trigger), at: start + Double(index * 3_600))
            }
            let now = Circumstances(trigger: trigger)
            let podcast = try #require(
                learner.predict(now, at: start, limit: 9).first { $0.action == .named("podcast") })
            return podcast.explanation(now, deviceName: "WH-1000XM4", of: .player("mpv"), limit: 99).texts.first
        }
        #expect(try reason(1, of: 1) == "you chose mpv the last time you listened after connecting WH-1000XM4")
        #expect(try reason(2, of: 2) == "you chose mpv both times you listened after connecting WH-1000XM4")
        #expect(try reason(4, of: 4) == "you chose mpv all 4 times you listened after connecting WH-1000XM4")
        #expect(try reason(3, of: 4) == "you chose mpv 3 of the 4 times you listened after connecting WH-1000XM4")
        #expect(
            try reason(3, of: 3, .session(.unlocked)) == "you chose mpv all 3 times you listened after unlocking")
        #expect(try reason(3, of: 3, .departure("home")) == "you chose mpv all 3 times you listened after leaving home")
        #expect(try reason(3, of: 3, .other("x")) == "you chose mpv all 3 times you listened after x")
    }

    /// For random histories: the weights of the evidence add up to the difference of the log-odds, probabilities add up
    /// to at most 1 and fall, and the same history predicts the same.
    @Test("The rules hold for random histories", arguments: 0..<10)
    func randomHistoriesKeepTheRules(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let events = (0..<300).map { index in
            Event(
                action: .named("x\(Int.random(in: 0..<25, using: &random))"),
                circumstances: Circumstances(
                    trigger: Int.random(in: 0..<4, using: &random) == 0 ? .other("t\(index % 3)") : nil,
                    values: ["hour": "\(index % 24)", "place": "p\(Int.random(in: 0..<3, using: &random))"]),
                date: start.addingTimeInterval(.random(in: -1e7...1e7, using: &random)))
        }
        var learner = Learner()
        var twin = Learner()
        for (index, event) in events.enumerated() {
            learner.learn(event.action, event.circumstances, at: event.date)
            twin.learn(event.action, event.circumstances, at: event.date)
            guard index % 10 == 0 else { continue }
            let next = events[(index + 1) % events.count].circumstances
            let predictions = learner.predict(next, at: event.date, limit: 600)
            #expect(predictions == twin.predict(next, at: event.date, limit: 600))
            #expect(abs(predictions.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
            for (before, after) in zip(predictions, predictions.dropFirst()) {
                #expect(before.probability >= after.probability)
            }
            guard let first = predictions.first, predictions.count > 1 else { continue }
            for (rank, prediction) in predictions.enumerated() {
                let other = rank == 0 ? predictions[1] : first
                let margin = log(prediction.probability / other.probability)
                #expect(abs(prediction.evidence.reduce(0) { $0 + $1.weight } - margin) < 1e-9)
                #expect(prediction.evidence.map(\.weight) == prediction.evidence.map(\.weight).sorted(by: >))
                for limit in [0, 1, 3, 99] {
                    let told = prediction.explanation(next, limit: limit)
                    #expect(abs(try #require(told.margin) - margin) < 1e-9)
                    #expect(told.reasons.count <= limit && Set(told.texts).count == told.reasons.count)
                    // Only the reason that says how often has no weight.
                    #expect(told.reasons.allSatisfy { $0.weight.map { $0 > 0 } ?? ($0.share != nil) })
                }
                for case let share? in prediction.evidence.map(\.share) {
                    #expect(share.count >= 0 && share.count <= share.total)
                }
            }
        }
    }

    @Test("Extreme dates are harmless")

    func strangeDatesAreHarmless() {
        var learner = Learner()
        for date in [Date.distantPast, .distantFuture, start, Date(timeIntervalSince1970: .nan)] {
            learner.learn(.named("A"), Circumstances(), at: date)
            learner.learn(.named("B"), Circumstances(trigger: nil), at: date)
            #expect(learner.predict(Circumstances(), at: date).allSatisfy { $0.probability.isFinite })
        }
    }

    @Test("Memory is bounded")

    func memoryIsBounded() {
        var learner = Learner()
        var random = SplitMix64(seed: 9)
        for index in 0..<1_500 {
            let values = Dictionary(uniqueKeysWithValues: (0..<12).map { ("name\($0)", "\(index % 997)-\($0)") })
            // Two habits among thousands of actions that were done once.
            let name = index % 3 == 0 ? "habit\(index % 2)" : "once\(random.next())"
            learner.learn(.named(name), Circumstances(trigger: Trigger("t\(index)"), values: values), at: start)
            #expect(learner.actionCount <= ItemTable.capacity)
        }
        #expect(learner.names == ["name0", "name1", "name10", "name11", "name2", "name3", "name4", "name5"])
        #expect(learner.items.placeBound <= ItemTable.capacity)
        for table in learner.tables {
            #expect(table.count <= table.capacity)
        }
        #expect(learner.tables[Learner.table(of: EvidenceSlot.pair)].count > 4_000)
        #expect((1_000_000..<7_000_000).contains(learner.byteCount))
        #expect(learner.items.number(of: HashedAction(.named("habit0"))) != nil)
        // The remaining counts are consistent: each belongs to a known action.
        let total = learner.items.byRecency.reduce(0.0) { $0 + learner.items.count(of: $1) }
        #expect(total == learner.items.total)
        let predictions = learner.predict(Circumstances(), at: start, limit: 600)
        #expect(predictions.allSatisfy { $0.probability > 0 && $0.probability < 1 })
        #expect(predictions.prefix(2).allSatisfy { $0.action.name.hasPrefix("habit") })
    }

    @Test("The order of items follows from their use")

    func theOrdersOfItemsFollowFromTheirUses() {
        var items = ItemTable()
        var random = SplitMix64(seed: 4)
        var uses: [String] = []
        for _ in 0..<400 {
            let name = "x\(min(Int.random(in: 0..<40, using: &random), Int.random(in: 0..<40, using: &random)))"
            _ = items.use(HashedAction(.named(name)))
            uses.append(name)
            let lastUse = Dictionary(uses.enumerated().map { ($1, $0) }) { $1 }
            let counts = uses.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            func order(_ isBefore: (String, String) -> Bool) -> [String] { counts.keys.sorted(by: isBefore) }
            func age(_ name: String) -> Int { lastUse[name] ?? 0 }
            #expect(items.byRecency.compactMap { items.action($0)?.name } == order { age($0) > age($1) })
            #expect(items.lastEviction == 0)
            let byFrequency = order { (counts[$1] ?? 0, age($1)) < (counts[$0] ?? 0, age($0)) }
            #expect(items.byFrequency.compactMap { items.action($0)?.name } == byFrequency)
        }
    }

    @Test("A short ranking is the beginning of the whole one")

    func theFirstFewAreThoseOfTheWholeRanking() {
        var random = SplitMix64(seed: 6)
        let names = (0..<300).map { _ in "x\(Int.random(in: 0..<60, using: &random))" }
        let learner = Learner(names.joined(separator: " "))
        let all = learner.predict(Circumstances(), at: start, limit: 1_000)
        #expect(all.count > 40)
        for limit in [1, 2, 7, 40] {
            #expect(learner.predict(Circumstances(), at: start, limit: limit) == Array(all.prefix(limit)))
        }
    }

    @Test("Contexts are equal if their numbers are, in order")

    func aContextIsWhatItsNumbersAreInTheirOrder() {
        #expect(ContextKey(1).with(2) == ContextKey(1).with(2))
        #expect(ContextKey(1).with(2) != ContextKey(2).with(1))
        #expect(ContextKey(1).with(2) != ContextKey(1).with(2).with(0))
        var keys: Set<ContextKey> = []
        for first in UInt64(0)..<200 { for second in UInt64(0)..<200 { keys.insert(ContextKey(first).with(second)) } }
        #expect(keys.count == 40_000)
    }

    @Test("Actions are equal whatever the order of parameters")

    func anActionIsItsTextsWhateverTheOrderOfItsParameters() {
        func hash(_ application: AppID, _ kind: String, _ parameters: [String: String] = [:]) -> UInt64 {
            HashedAction(
                Action(application: application, kind: Donation.Kind(rawValue: kind), parameters: parameters)
            ).number
        }
        #expect(hash("a", "b") == hash("a", "b"))
        #expect(hash("ab", "") != hash("a", "b"))
        #expect(hash("a", "b", ["x": "y"]) != hash("a", "b", ["y": "x"]))
        #expect(hash("a", "b", ["x": "y", "z": "w"]) == hash("a", "b", ["z": "w", "x": "y"]))
        #expect(hash("a", "b", ["x": "w", "z": "y"]) != hash("a", "b", ["x": "y", "z": "w"]))
    }

    @Test("Many unknown candidates are equally likely")

    func manyUnknownCandidatesAreEachAsLikelyAsTheOthers() {
        let learner = Learner("a b a b a c a b")
        let candidates = ["a", "u1", "b", "u2", "u1", "u3", "c", "a"].map { Action.named($0) }
        let ranked = learner.predict(Circumstances(), at: nil, among: candidates, limit: 10)
        #expect(ranked.count == 6)
        #expect(Set(ranked.map(\.action)).count == 6)
        #expect(abs(ranked.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
        let unknown = ranked.suffix(3)
        #expect(unknown.map(\.action) == ["u1", "u2", "u3"].map { Action.named($0) })
        #expect(Set(unknown.map(\.probability)).count == 1)
        #expect(learner.predict(Circumstances(), at: nil, among: candidates, limit: 4) == Array(ranked.prefix(4)))
    }
}
