import HunchModel
import Prediction
import SeededRandom

/// Compares the learner with simple methods on synthetic logs, and measures its time and memory.

func rounded(_ share: Double) -> String {
    let text = "\((share * 1_000).rounded() / 1_000)"
    return text + String(repeating: "0", count: max(0, 5 - text.count))
}

@discardableResult
func evaluate(_ name: String, _ log: [LoggedEvent]) throws -> [Int?] {
    var evaluator = Evaluator()
    var ranks: [Int?] = []
    for event in log {
        ranks.append(try evaluator.add(event)?.rank)
    }
    let report = evaluator.report
    let share = rounded(Double(report.falseOffers) / Double(max(report.offers, 1)))
    print("\(name): \(report.predicted) events, \(report.unseen) of them new; \(report.offers) offers, \(share) false")
    for method in EvaluationMethod.allCases {
        guard let rates = report.methods[method] else { continue }
        let (micro, macro) = (rates.micro, rates.macro)
        print(
            "  \(method.rawValue)", rounded(micro.first), rounded(micro.firstThree), rounded(micro.firstFive),
            rounded(micro.reciprocalRank), "macro", rounded(macro.first), rounded(macro.reciprocalRank),
            separator: "\t")
    }
    print(
        "  \(rounded(report.microsecondsPerPrediction)) µs a prediction, \(rounded(report.microsecondsPerUpdate)) µs an "
            + "update (goal 100 both), \(report.bytesPerUser / 1_024) kB a user, most \(report.greatestBytesPerUser / 1_024)"
    )
    return ranks
}

let only = CommandLine.arguments.dropFirst().first
if only == nil || only == "contexts" { try evaluate("contexts", InventedLogs.contexts(users: 957)) }
if only == nil || only == "sequences" { try evaluate("sequences", InventedLogs.sequences(users: 8, events: 4_000)) }
if only == nil || only == "days" { try evaluate("days", InventedLogs.days(users: 30, days: 60)) }
if only == nil || only == "weeks" { try evaluate("weeks", InventedLogs.weeks(users: 200, events: 80)) }
if only == nil || only == "trigger" {
    let log = InventedLogs.rareTrigger(users: 200, events: 200)
    let ranks = try evaluate("trigger", log)
    var occurrences: [String: Int] = [:]
    var hits: [Bool] = []
    for (event, rank) in zip(log, ranks) where event.circumstances.trigger != nil {
        occurrences[event.user, default: 0] += 1
        if let count = occurrences[event.user], (3...4).contains(count) { hits.append(rank == 0) }
    }
    let rate = Double(hits.count { $0 }) / Double(max(hits.count, 1))
    print("  HR@1 at the third and fourth trigger: \(rounded(rate)) (goal 0.86 of at most 0.9)")
}
if only == nil || only == "many" {
    // The bounds: a user of many events and many distinct actions.
    var random = SplitMix64(seed: 5)
    let log = (0..<(only == nil ? 100_000 : 1_000_000)).map { _ in
        LoggedEvent(
            user: "one", action: InventedLogs.action(Int.random(in: 0..<100_000, using: &random)),
            circumstances: Circumstances(values: ["k": "\(Int.random(in: 0..<10_000, using: &random))", "l": "1"]))
    }
    try evaluate("many", log)
}
if only == nil || only == "limits" {
    // A user of a million donations of 3,000 actions, common ones far more often, in the contexts that the agent knows.
    var random = SplitMix64(seed: 6)
    func donation(_ number: Int) -> LoggedEvent {
        let draw = Double.random(in: 0..<1, using: &random)
        let hour = number / 4 % 24
        return LoggedEvent(
            user: "one", action: InventedLogs.action(Int(3_000 * draw * draw * draw)),
            circumstances: Circumstances(
                trigger: number % 25 == 0 ? .device("\(number / 25 % 5)") : nil,
                values: ["hour": "\(hour)", "weekday": "\(number / 96 % 7 + 1)", "device": "\(number / 50 % 4)"]))
    }
    let clock = ContinuousClock()
    var learner = Learner()
    var updates: [Double] = []
    for number in 0..<1_000_000 {
        let event = donation(number)
        let time = clock.measure { learner.learn(event.action, event.circumstances, at: nil) }
        updates.append(time / .microseconds(1))
    }
    // As the agent keeps learning plays: what the user does is always one of the same few.
    let plays = (0..<100_000).map { number in
        var event = donation(number)
        event.action = InventedLogs.action(number * 7 % 13 % 12)
        return event
    }
    let rebuild = clock.measure {
        var learner = Learner()
        for _ in 0..<10 { for event in plays { learner.learn(event.action, event.circumstances, at: nil) } }
    }
    let candidates = (0..<2_000).map(InventedLogs.action)
    let predictions = (0..<2_000).map { number in
        let circumstances = donation(number).circumstances
        return clock.measure { _ = learner.predict(circumstances, at: nil, among: candidates) } / .microseconds(1)
    }
    func line(_ name: String, _ times: [Double], _ goal: Int) -> String {
        let sorted = times.sorted()
        func at(_ share: Double) -> String { rounded(sorted[Int(Double(sorted.count - 1) * share)]) }
        return "  \(name): median \(at(0.5)) µs, p99 \(at(0.99)) µs (goal \(goal))"
    }
    print(
        "limits: 1,000,000 donations of 3,000 actions learned one by one in \(rounded(updates.reduce(0, +) / 1e6)) s, "
            + "of 12 in \(rounded(rebuild / .seconds(1))) s (goal 10)")
    print(line("a prediction among 2,000 candidates", predictions, 1_000))
    print(line("an update", updates, 200))
    print("  \(learner.byteCount / 1_024) kB")
}
