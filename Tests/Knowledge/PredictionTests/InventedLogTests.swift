import Foundation
import HunchModel
import SeededRandom
import Testing

@testable import Prediction

/// Logs of simulated people, compared with the simple methods.
@Suite struct InventedLogTests {
    private func report(_ events: [LoggedEvent]) throws -> EvaluationReport {
        var evaluator = Evaluator()
        for event in events { _ = try evaluator.add(event) }
        return evaluator.report
    }

    private func lead(_ report: EvaluationReport) -> Double {
        let rates = report.methods.mapValues(\.micro.first)
        return (rates[.hunch] ?? 0) - (rates.filter { $0.key != .hunch }.values.max() ?? 0)
    }

    /// A random number, where the first ones are far likelier.
    private func common(_ count: Int, _ random: inout SplitMix64) -> Int {
        let draw = Double.random(in: 0..<1, using: &random)
        return min(Int(Double(count) * draw * draw * draw), count - 1)
    }

    /// Several apps are correct in each context, and no predicted context was seen before as a whole.
    @Test("Unseen contexts are predicted from their seen parts")
    func contextsThatWereNeverSeenAreMadeOfPartsThatWere() throws {
        var random = SplitMix64(seed: 32)
        var events: [LoggedEvent] = []
        for user in 0..<12 {
            let byHour = (0..<7).map { _ in Int.random(in: 0..<14, using: &random) }
            let byPlace = (0..<3).map { _ in Int.random(in: 0..<14, using: &random) }
            var held: [LoggedEvent] = []
            for number in 0..<60 {
                let (hour, place) = (
                    Int.random(in: 0..<7, using: &random), Int.random(in: 0..<3, using: &random)
                )
                let circumstances = Circumstances(values: [
                    "daytime": "\(hour)", "place": "\(place)", "weather": "\(Int.random(in: 0..<9, using: &random))",
                    "weekday": "\(Int.random(in: 0..<7, using: &random))",
                ])
                for action in Set([byHour[hour], byPlace[place], common(14, &random)]).sorted() {
                    let event = LoggedEvent(
                        user: "\(user)", action: .named("\(action)"), circumstances: circumstances,
                        phase: number % 4 == 3 ? .predict : .learn)
                    if event.phase == .learn { events.append(event) } else { held.append(event) }
                }
            }
            events += held
        }
        let report = try report(events)
        #expect(lead(report) > 0.03)
        #expect(report.methods[.hunch]?.micro.firstFive ?? 0 > 0.6)
    }

    /// Albums are played to their end, so only the last action predicts the next.
    @Test("Repeated actions are followed as closely as by recency")
    func whatIsDoneAgainAndAgainIsFollowedAsCloselyAsByRecency() throws {
        var random = SplitMix64(seed: 33)
        var album = 0
        let events = (0..<600).map { _ in
            if Int.random(in: 0..<5, using: &random) == 0 { album = Int.random(in: 0..<60, using: &random) }
            return LoggedEvent(user: "ann", action: .named("\(album)"))
        }
        #expect(lead(try report(events)) > -0.03)
    }

    /// 4 of 100 events have a trigger, which decides 9 of 10 of these. The others follow an order of their own.
    @Test("A rare trigger is learned, and the sequence is kept")
    func aRareTriggerIsLearnedWithoutLosingTheOrder() throws {
        var random = SplitMix64(seed: 34)
        var events: [LoggedEvent] = []
        for user in 0..<12 {
            let next = (0..<25).map { _ in common(25, &random) }
            var last = 0
            for _ in 0..<150 {
                let isTriggered = Int.random(in: 0..<25, using: &random) == 0
                if isTriggered, Int.random(in: 0..<10, using: &random) > 0 {
                    last = 20
                } else {
                    last = Int.random(in: 0..<10, using: &random) < 4 ? next[last] : common(25, &random)
                }
                events.append(
                    LoggedEvent(
                        user: "\(user)", action: .named("\(last)"),
                        circumstances: Circumstances(trigger: isTriggered ? .other("headphones") : nil)))
            }
        }
        #expect(lead(try report(events)) > 0.01)
    }

    /// A random log: no method is better than chance, and the learner is hardly worse than any.
    @Test("Noise costs little accuracy")
    func noiseCostsLittle() throws {
        var random = SplitMix64(seed: 35)
        let events = (0..<800).map { index in
            LoggedEvent(
                user: "ann", action: .named("\(Int.random(in: 0..<12, using: &random))"),
                circumstances: Circumstances(values: ["daytime": "\(index % 6)"]))
        }
        #expect(lead(try report(events)) > -0.05)
    }
}
