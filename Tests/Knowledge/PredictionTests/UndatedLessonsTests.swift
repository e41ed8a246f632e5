import SeededRandom
import Testing

@testable import Prediction

/// Lines of a log that are only learned and have no date.
@Suite struct UndatedLessonsTests {
    private func lesson(_ name: String, _ place: String, user: String = "ann") -> LoggedEvent {
        LoggedEvent(
            user: user, action: .named(name), circumstances: Circumstances(values: ["place": place]), phase: .learn)
    }

    private func rankings(_ lessons: [LoggedEvent], users: [String] = ["ann"]) throws -> [[Action]?] {
        var evaluator = Evaluator()
        return try users.flatMap { user in
            for lesson in lessons where lesson.user == user { #expect(try evaluator.add(lesson) == nil) }
            return try ["home", "work", "elsewhere"].map { place in
                var asked = lesson("A", place, user: user)
                asked.phase = .predict
                return try evaluator.add(asked)?.ranked
            }
        }
    }

    @Test("In a table, the full set of circumstances is not used")
    func tablesLeaveOutAllCircumstances() throws {
        // The action depends on all three values together, not on one or two of them.
        let lessons = (0..<8).flatMap { number in
            let bits = (0..<3).map { number >> $0 & 1 }
            let values = Dictionary(uniqueKeysWithValues: zip(["p", "q", "r"], bits.map { "\($0)" }))
            return ["A", "B", "C", "D", "E", "F"].dropFirst(bits.reduce(0, +) % 2 * 3).prefix(3).map { name in
                LoggedEvent(
                    user: "ann", action: .named(name), circumstances: Circumstances(values: values), phase: .learn)
            }
        }
        var evaluator = Evaluator()
        var waiting = UndatedLessons()
        for lesson in lessons {
            #expect(try evaluator.add(lesson) == nil)
            waiting.append(lesson)
        }
        func rankings(isTable: Bool) -> [[Action]] {
            var learner = Learner(doubtsOrder: true)
            learner.isTable = isTable
            for instance in waiting.instances(isTable: true) {
                learner.learn(instance.actions, instance.circumstances, at: nil)
            }
            return lessons.map { learner.ranking($0.circumstances, at: nil) }
        }
        #expect(rankings(isTable: false) != rankings(isTable: true))
        let asked = try lessons.map { lesson in
            var lesson = lesson
            lesson.phase = .predict
            return try evaluator.add(lesson)?.ranked
        }
        #expect(asked == rankings(isTable: true))
    }

    @Test("A table is learned the same in any order")

    func aTableIsTheSameInAnyOrder() throws {
        // Four of six actions in each of eight places, each once: of 48 pairs in the same place, eight would be equal by chance.
        let table = (0..<8).flatMap { place in
            (0..<4).map { lesson(String("ABCDEF".dropFirst(($0 * (1 + place % 2) + place) % 6).prefix(1)), "\(place)") }
        }
        let distinct = Set(table).sorted { "\($0)" < "\($1)" }
        var random = SplitMix64(seed: 4)
        let grouped = Dictionary(grouping: distinct, by: \.circumstances).values
            .sorted { "\($0)" < "\($1)" }
        // The groups of simultaneous actions keep their order and their actions.
        var rest = grouped.map { $0[...] }
        var mixed: [LoggedEvent] = rest.indices.compactMap { rest[$0].popFirst() }
        while let place = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
            rest[place].popFirst().map { mixed.append($0) }
        }
        #expect(mixed != grouped.flatMap(\.self))
        #expect(try rankings(mixed) == rankings(grouped.flatMap(\.self)))
    }

    @Test("Repeated actions are learned in order")

    func whoDoesTheSameAgainIsFollowedInOrder() throws {
        let names = Array("ABCABCDDABCAB").map(String.init)
        let log = names.enumerated().map { lesson($1, $0 % 3 == 0 ? "home" : "work") }
        var learner = Learner(doubtsOrder: true)
        for instance in [[0], [1, 2], [3], [4, 5], [6], [7, 8], [9], [10, 11], [12]] {
            learner.learn(instance.map { .named(names[$0]) }, log[instance[0]].circumstances, at: nil)
        }
        let expected = ["home", "work", "elsewhere"].map {
            learner.ranking(Circumstances(values: ["place": $0]), at: nil)
        }
        #expect(try rankings(log) == expected)
    }

    @Test("A few lines do not make a table")

    func aFewLinesAreNoTable() {
        var lessons = UndatedLessons()
        for (name, place) in [("A", "home"), ("B", "work"), ("C", "home"), ("A", "work")] {
            lessons.append(lesson(name, place))
        }
        var repetitions = UndatedLessons.Repetitions()
        // One of six pairs of lines has the same action, and two have the same place: each time a third of a pair is expected.
        for _ in 0..<8 { repetitions.add(lessons) }
        #expect(!repetitions.isTable)
        repetitions.add(lessons)
        #expect(repetitions.isTable)
        #expect(lessons.instances(isTable: false).map(\.actions.count) == [1, 1, 1, 1])
        #expect(lessons.instances(isTable: true).map { $0.actions.map(\.name) } == [["A", "C"], ["B", "A"]])
        // A repeated action shows that the log is not a table.
        lessons.append(lesson("A", "home"))
        repetitions.add(lessons)
        #expect(!repetitions.isTable)
    }

    @Test("The number of waiting lines is limited")

    func soManyLinesWaitAndNoMore() throws {
        var evaluator = Evaluator()
        for number in 0...UndatedLessons.maximumLessons {
            _ = try evaluator.add(lesson("\(number % 50)", "\(number % 7)"))
        }
        // All but the last were learned.
        #expect(evaluator.report.learned == UndatedLessons.maximumLessons + 1)
        #expect(evaluator.report.microsecondsPerUpdate > 0)
    }
}
