import FoundationEssentials
import History
import HunchDBus
import HunchModel
import Prediction
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Tests of learning while the history is written and read.
@Suite("Habits and the history", .timeLimit(.minutes(15))) struct HabitsTests {
    /// The finished turns of the history, and those that were not reported yet.
    private struct Told {
        var step = ConsistentKnowledge<[Int], Int>([]) { $0.append($1) }
        var written: [Int] = []
        var turn = 0
        var untold: [(inout ConsistentKnowledge<[Int], Int>) -> Void] = []

        mutating func write() {
            turn += 1
            let (lesson, turn) = (turn, turn)
            written.append(lesson)
            untold.append { $0.take([lesson], writtenIn: turn) }
        }

        mutating func read(isPossible: Bool) {
            turn += 1
            let (seen, turn) = (written, turn)
            step.beginReading()
            untold.append { $0.endReading(isPossible ? (seen, turn) : nil) }
        }

        mutating func tell(_ index: Int) { untold.remove(at: index)(&step) }
    }

    @Test("An action is learned once, in whatever order changes arrive", arguments: 0..<200)
    func orders(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var told = Told()
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1: told.write()
            case 2: told.read(isPossible: Int.random(in: 0..<5, using: &random) > 0)
            default:
                guard !told.untold.isEmpty else { continue }
                told.tell(Int.random(in: 0..<told.untold.count, using: &random))
            }
        }
        while !told.untold.isEmpty { told.tell(Int.random(in: 0..<told.untold.count, using: &random)) }
        #expect(told.step.knowledge.sorted() == told.written, "seed \(seed)")
    }

    @Test("An action recorded during relearning counts once")
    func counts() async throws {
        try await withHabits { habits, _, _ in
            let total = 60
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<total {
                    group.addTask {
                        try await habits.record(
                            Donation(
                                application: "app", kind: .playMedia, parameters: ["item": "\(number)"],
                                date: Planted.now, context: Context(), combination: ["item"]))
                    }
                    group.addTask { await habits.learn() }
                }
                try await group.waitForAll()
            }
            let count = await habits.plays.count(of: Action(application: "app", kind: .playMedia))
            #expect(count == Double(total))
        }
    }

    @Test("Donations that arrive out of order are learned in the order of their dates")
    func lateDonations() async throws {
        func donation(_ item: String, minute: Double) -> Donation {
            Donation(
                application: "app", kind: .playMedia, parameters: ["item": item, "title": item],
                date: Planted.now.addingTimeInterval((minute - 1_000) * 60), context: Context(), combination: ["item"])
        }
        let orderly = (0..<12).map { donation($0 % 3 == 0 ? "a" : "b", minute: Double($0) * 10) }
        var learned: [(predicted: [Double], latest: [Donation?])] = []
        // In order, backwards one by one, and with one batch between.
        let batches = [
            orderly.map { [$0] }, orderly.reversed().map { [$0] },
            [Array(orderly[6...].reversed()), Array(orderly[..<6])],
        ]
        for batches in batches {
            try await withHabits { habits, _, _ in
                for batch in batches { _ = try await habits.record(batch) }
                let (actions, items) = (await habits.actions, await habits.items)
                let plays = await habits.plays
                learned.append(
                    (
                        plays.predict(Circumstances(Context()), at: Planted.now, limit: 3).map(\.probability),
                        [actions.latest(like: donation("a", minute: 0)), items.latest(of: "app")]
                    ))
            }
        }
        #expect(learned[0].latest.map { $0?.date } == [orderly[11], orderly[11]].map(\.date))
        for other in learned.dropFirst() {
            #expect(other.predicted == learned[0].predicted)
            #expect(other.latest.map { $0?.date } == learned[0].latest.map { $0?.date })
        }
    }
}
