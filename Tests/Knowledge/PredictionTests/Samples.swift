import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Prediction

/// 2025-06-02 00:00:00 UTC, a Monday.
let start = Date(timeIntervalSince1970: 1_748_822_400)

extension Action {
    static func named(_ name: String) -> Action {
        Action(application: "org.example.Player", kind: .playMedia, parameters: ["item": name])
    }
    var name: String { parameters["item"] ?? "" }
}

/// An action of a simulated person.
struct Event {
    var action: Action
    var circumstances = Circumstances()
    var date: Date
}

extension Learner {
    /// Learns actions by name, a minute apart, without circumstances.
    init(_ names: String, trigger: Trigger? = nil) {
        self.init()
        for (index, name) in names.split(separator: " ").enumerated() {
            let date = start.addingTimeInterval(Double(index) * 60)
            learn(.named(String(name)), Circumstances(trigger: trigger), at: date)
        }
    }

    /// The values of a kind of evidence for each candidate; empty if there are none.
    func evidence(
        _ slot: Int, _ circumstances: Circumstances = Circumstances(), at date: Date = start
    ) -> [String: Double] {
        let instance = instance(setting(circumstances, at: date), candidates: nil)
        guard let column = instance.columns.first(where: { $0.slot == slot }) else { return [:] }
        let names = instance.items.map { items.action($0)?.name ?? "" }
        return Dictionary(uniqueKeysWithValues: zip(names, instance.items.indices.map { instance.value(column, $0) }))
    }

    func ranking(_ circumstances: Circumstances = Circumstances(), at date: Date = start) -> [String] {
        predict(circumstances, at: date).map(\.action.name)
    }
}

/// Returns the hit rate of each method, predicting each event before learning it.
struct Score {
    var events = 0
    var learner = 0
    var mostFrequent = 0
    var mostRecent = 0
    /// The sum of the probabilities of the learner's first guesses.
    var confidence = 0.0

    static func of(_ events: [Event], counting counts: (Int) -> Bool = { _ in true }) -> Score {
        var score = Score()
        var learner = Learner()
        var frequencies: [Action: Int] = [:]
        var last: Action?
        for (index, event) in events.enumerated() {
            if counts(index) {
                score.events += 1
                let guess = learner.predict(event.circumstances, at: event.date, limit: 1).first
                score.confidence += guess?.probability ?? 0
                if guess?.action == event.action { score.learner += 1 }
                let favourite = frequencies.max { ($0.value, $0.key.name) < ($1.value, $1.key.name) }?.key
                if favourite == event.action { score.mostFrequent += 1 }
                if last == event.action { score.mostRecent += 1 }
            }
            learner.learn(event.action, event.circumstances, at: event.date)
            frequencies[event.action, default: 0] += 1
            last = event.action
        }
        return score
    }

    mutating func add(_ other: Score) {
        events += other.events
        learner += other.learner
        mostFrequent += other.mostFrequent
        mostRecent += other.mostRecent
        confidence += other.confidence
    }

    func rate(_ hits: KeyPath<Score, Int>) -> Double { Double(self[keyPath: hits]) / Double(max(events, 1)) }
}

/// Expects the same evidence, within single precision. A value that all actions share is
/// ignored: only the differences from the first value are compared.
func expectAlike(
    _ values: [String: Double], _ expected: [String: Double], sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(values.keys.sorted() == expected.keys.sorted(), sourceLocation: sourceLocation)
    guard let first = values.keys.min(), let shift = expected[first] else { return }
    for (name, value) in values {
        let difference = value - (values[first] ?? .nan)
        #expect(
            abs(difference - ((expected[name] ?? .nan) - shift)) < 1e-6, "\(name): \(value)",
            sourceLocation: sourceLocation)
    }
}
