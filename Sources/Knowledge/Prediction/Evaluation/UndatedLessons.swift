/// The undated events of a user that are only learned and wait for the next event of another kind.
///
/// A sequential log sooner or later repeats an action in the same circumstances. A log without such repetitions is a
/// table: it lists which actions belong to which circumstances, in an order that means nothing. In a table, all events
/// with the same circumstances count as simultaneous; in any other log, only consecutive ones.
struct UndatedLessons: Sendable {
    /// The observed number of repetitions in the same circumstances, and the number expected by chance.
    struct Repetitions: Sendable {
        /// The minimum number of expected repetitions to recognise a table. With three, one sequential log in twenty has
        /// none by chance.
        private static let leastExpected = 3.0
        private static let greatestShare = 0.05

        private var expected = 0.0
        private var observed = 0.0

        /// Whether the events seen so far form a table.
        var isTable: Bool { expected >= Self.leastExpected && observed <= Self.greatestShare * expected }

        /// Counts a user's pairs of events with the same circumstances, and those with the same action too.
        mutating func add(_ lessons: UndatedLessons) {
            func pairs(_ counts: some Sequence<Int>) -> Double { counts.reduce(0) { $0 + Double($1 * ($1 - 1)) / 2 } }
            guard lessons.count > 1 else { return }
            let sameAction = pairs(lessons.tally(\.action)) / pairs([lessons.count])
            expected += pairs(lessons.tally(\.circumstances)) * sameAction
            observed += pairs(lessons.tally(\.self))
        }
    }

    /// Simultaneous actions.
    struct Instance: Sendable {
        let circumstances: Circumstances
        var actions: [Action]
    }

    private struct Lesson: Hashable, Sendable {
        let action: Action
        let circumstances: Circumstances
    }

    /// The most events that wait for a user.
    static let maximumLessons = 4_096
    /// The most simultaneous actions.
    private static let maximumActions = 64

    private var lessons: [Lesson] = []

    var count: Int { lessons.count }

    mutating func append(_ event: LoggedEvent) {
        lessons.append(Lesson(action: event.action, circumstances: event.circumstances))
    }

    private func tally(_ key: KeyPath<Lesson, some Hashable>) -> some Sequence<Int> {
        Dictionary(lessons.map { ($0[keyPath: key], 1) }, uniquingKeysWith: +).values
    }

    /// Returns the simultaneous actions, ordered by their first events.
    ///
    /// - Parameter isTable: Whether all events with the same circumstances are simultaneous.
    func instances(isTable: Bool) -> [Instance] {
        var instances: [Instance] = []
        var places: [Circumstances: Int] = [:]
        for lesson in lessons {
            let place = isTable ? places[lesson.circumstances] : instances.indices.last
            if let place, instances[place].circumstances == lesson.circumstances,
                instances[place].actions.count < Self.maximumActions
            {
                instances[place].actions.append(lesson.action)
            } else {
                places[lesson.circumstances] = instances.count
                instances.append(Instance(circumstances: lesson.circumstances, actions: [lesson.action]))
            }
        }
        return instances
    }
}
