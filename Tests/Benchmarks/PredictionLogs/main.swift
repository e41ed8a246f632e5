import HunchModel
import Prediction
import SeededRandom

/// How well the learner does on invented logs, beside simple methods, and what it takes.

func rounded(_ share: Double) -> String {
    let text = "\((share * 1_000).rounded() / 1_000)"
    return text + String(repeating: "0", count: max(0, 5 - text.count))
}

@discardableResult
func evaluate(_ name: String, _ log: [LoggedEvent]) throws -> [Int?] {
    var evaluator = Evaluator()
    var ranks: [Int?] = []
    for event in log {
        let ranked = try evaluator.add(event)
        ranks.append(ranked?.firstIndex(of: event.action))
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
    // The bounds: a person of many events and many distinct actions.
    var random = SplitMix64(seed: 5)
    let log = (0..<(only == nil ? 100_000 : 1_000_000)).map { _ in
        LoggedEvent(
            user: "one", action: InventedLogs.action(Int.random(in: 0..<100_000, using: &random)),
            circumstances: Circumstances(values: ["k": "\(Int.random(in: 0..<10_000, using: &random))", "l": "1"]))
    }
    try evaluate("many", log)
}
