import FoundationEssentials
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Prediction

/// Simulated people with known habits, so that the best possible prediction is known.
@Suite struct PersonTests {
    /// 4 of 100 events have a trigger, which is followed by one action in 9 of 10 times. All others are random.
    @Test("A rare trigger is learned after two occurrences")
    func aRareTriggerIsLearnedAfterTwoOccurrences() {
        var score = Score()
        for seed in 0..<60 {
            var random = SplitMix64(seed: UInt64(seed))
            var occurrences = 0
            var counted: Set<Int> = []
            let events = (0..<150).map { index in
                let isTriggered = index % 25 == 24
                if isTriggered { occurrences += 1 }
                if isTriggered, (3...4).contains(occurrences) { counted.insert(index) }
                let isReliable = Double.random(in: 0..<1, using: &random) < 0.9
                let common = min(Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random))
                return Event(
                    action: .named(isTriggered && isReliable ? "podcast" : "x\(common)"),
                    circumstances: Circumstances(trigger: isTriggered ? .device("AA") : nil),
                    date: start.addingTimeInterval(Double(index) * 600))
            }
            score.add(Score.of(events) { counted.contains($0) })
        }
        #expect(score.events == 120)
        // The reliability, 0.9, is the upper bound.
        #expect(score.rate(\.learner) >= 0.8, "\(score)")
        #expect(score.rate(\.mostFrequent) <= 0.2, "\(score)")
    }

    /// News after waking up, a podcast when the earbuds connect on working days, music with the speaker, and random actions in between.
    @Test("A daily routine is predicted better than by the baselines")
    func aDailyRoundIsPredictedBetterThanByFrequencyOrRecency() {
        var score = Score()
        for seed in 0..<6 {
            var random = SplitMix64(seed: UInt64(100 + seed))
            var events: [Event] = []
            for day in 0..<40 {
                func add(_ name: String, hour: Int, trigger: Trigger? = nil, device: String? = nil) {
                    let isHabit = Double.random(in: 0..<1, using: &random) < 0.9
                    let context = Context(
                        trigger: trigger, device: device.map { AudioDevice.ID($0) }, hour: hour, weekday: day % 7 + 1)
                    events.append(
                        Event(
                            action: .named(isHabit ? name : "x\(Int.random(in: 0..<15, using: &random))"),
                            circumstances: Circumstances(context),
                            date: start.addingTimeInterval(Double(day * 24 + hour) * 3_600)))
                }
                add("news", hour: 7, trigger: .session(.unlocked))
                if (1...5).contains(day % 7) { add("podcast", hour: 8, trigger: .device("EB"), device: "EB") }
                for hour in [11, 14, 16] { add("x\(Int.random(in: 0..<15, using: &random))", hour: hour) }
                add(day % 7 == 6 ? "jazz" : "radio", hour: 20, trigger: .device("SP"), device: "SP")
            }
            // The first ten days are not counted.
            score.add(Score.of(events) { events[$0].circumstances.trigger != nil && $0 > 60 })
        }
        #expect(score.rate(\.learner) >= 0.75, "\(score)")
        #expect(score.rate(\.learner) >= score.rate(\.mostFrequent) + 0.2, "\(score)")
        #expect(score.rate(\.learner) >= score.rate(\.mostRecent) + 0.2, "\(score)")
    }

    /// A changed habit is learned within a week.
    @Test("A changed habit is followed")
    func aChangedHabitIsFollowed() {
        var learner = Learner()
        let morning = Circumstances(Context(trigger: .device("AA"), device: "AA", hour: 8))
        for day in 0..<30 {
            let date = start.addingTimeInterval(Double(day) * 86_400)
            learner.learn(.named(day < 20 ? "old" : "new"), morning, at: date)
            for step in 1...3 { learner.learn(.named("x\(step)"), Circumstances(), at: date) }
            if day == 19 { #expect(learner.ranking(morning, at: date).first == "old") }
        }
        #expect(learner.ranking(morning, at: start.addingTimeInterval(30 * 86_400)).first == "new")
    }

    /// Without habits, the learner finds none.
    @Test("Noise does not become a habit")
    func noiseIsNotBelieved() {
        var score = Score()
        for seed in 0..<4 {
            var random = SplitMix64(seed: UInt64(200 + seed))
            let events = (0..<500).map { index in
                Event(
                    action: .named("x\(Int.random(in: 0..<10, using: &random))"),
                    circumstances: Circumstances(Context(hour: index % 24, weekday: index / 24 % 7 + 1)),
                    date: start.addingTimeInterval(Double(index) * 3_600))
            }
            score.add(Score.of(events) { $0 > 250 })
        }
        let confidence = score.confidence / Double(score.events)
        #expect(confidence < 0.25, "\(score)")
        #expect(abs(confidence - score.rate(\.learner)) < 0.1, "\(score)")
    }

    /// A habit survives weeks of absence, another time zone, and a clock that was set back.
    @Test("A habit survives gaps and clock changes", arguments: [3_628_800.0, 32_400.0, -3_456_000.0, -1.0])
    func aHabitOutlastsGapsAndClocksThatJump(jump: Double) {
        var learner = Learner()
        func day(_ number: Int, _ offset: Double) -> Date {
            start.addingTimeInterval(Double(number) * 86_400 + offset)
        }
        // The hour is the local one of the new time zone.
        let morning = Circumstances(Context(trigger: .device("AA"), device: "AA", hour: 8))
        for number in 0..<20 {
            learner.learn(.named("podcast"), morning, at: day(number, 0))
            for step in 1...3 {
                learner.learn(.named("x\(step)"), Circumstances(), at: day(number, Double(step) * 600))
            }
        }
        for number in 20..<23 {
            #expect(learner.ranking(morning, at: day(number, jump)).first == "podcast")
            learner.learn(.named("x1"), Circumstances(), at: day(number, jump + 600))
            learner.learn(.named("podcast"), morning, at: day(number, jump + 1_200))
        }
        #expect(learner.predict(morning, at: day(23, 0)).allSatisfy { $0.probability.isFinite })
    }
}
