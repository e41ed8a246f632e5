/// What a person's log has only to be learned, without a date, until something else comes.
///
/// Who does things one after the other does the same again in the same circumstances by and by. Lines that never do are a
/// table of what is done when, whose order says nothing: then all lines of the same circumstances are several actions of one
/// moment. In any other log those are that follow on each other.
struct UndatedLessons: Sendable {
    /// How often something was done again in the same circumstances, and how often chance alone would have had it.
    struct Repetitions: Sendable {
        /// With so many expected, chance leaves none out in one log of twenty.
        private static let leastExpected = 3.0
        private static let greatestShare = 0.05

        private var expected = 0.0
        private var observed = 0.0

        /// Whether the lines seen so far are a table.
        var isTable: Bool { expected >= Self.leastExpected && observed <= Self.greatestShare * expected }

        /// Takes in a person's lines: pairs of lines of the same circumstances, and those of the same action too.
        mutating func add(_ lessons: UndatedLessons) {
            func pairs(_ counts: some Sequence<Int>) -> Double { counts.reduce(0) { $0 + Double($1 * ($1 - 1)) / 2 } }
            guard lessons.count > 1 else { return }
            let sameAction = pairs(lessons.tally(\.action)) / pairs([lessons.count])
            expected += pairs(lessons.tally(\.circumstances)) * sameAction
            observed += pairs(lessons.tally(\.self))
        }
    }

    /// Several actions of one moment.
    struct Moment: Sendable {
        let circumstances: Circumstances
        var actions: [Action]
    }

    private struct Lesson: Hashable, Sendable {
        let action: Action
        let circumstances: Circumstances
    }

    /// The most lines that are kept of a person.
    static let maximumLessons = 4_096
    /// The most actions of one moment.
    private static let maximumActions = 64

    private var lessons: [Lesson] = []

    var count: Int { lessons.count }

    mutating func append(_ event: LoggedEvent) {
        lessons.append(Lesson(action: event.action, circumstances: event.circumstances))
    }

    private func tally(_ key: KeyPath<Lesson, some Hashable>) -> some Sequence<Int> {
        Dictionary(lessons.map { ($0[keyPath: key], 1) }, uniquingKeysWith: +).values
    }

    /// The moments, in the order in which each began.
    ///
    /// - Parameter isTable: whether all lines of the same circumstances are of one.
    func moments(isTable: Bool) -> [Moment] {
        var moments: [Moment] = []
        var places: [Circumstances: Int] = [:]
        for lesson in lessons {
            let place = isTable ? places[lesson.circumstances] : moments.indices.last
            if let place, moments[place].circumstances == lesson.circumstances,
                moments[place].actions.count < Self.maximumActions
            {
                moments[place].actions.append(lesson.action)
            } else {
                places[lesson.circumstances] = moments.count
                moments.append(Moment(circumstances: lesson.circumstances, actions: [lesson.action]))
            }
        }
        return moments
    }
}
