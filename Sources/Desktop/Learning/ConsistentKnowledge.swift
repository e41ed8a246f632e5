/// Knowledge that is kept consistent with the history. Each row is learned exactly once, even if it is written while
/// the history is being read.
///
/// The history runs one operation after another, each in a numbered turn. Their results may arrive in any order.
package struct ConsistentKnowledge<Knowledge: Sendable, Lesson: Sendable>: Sendable {
    private(set) var knowledge: Knowledge
    private let learn: @Sendable (inout Knowledge, Lesson) -> Void
    /// The turn of the reading from which ``knowledge`` was made.
    private var turn = 0
    private var readings = 0
    /// The rows written during a reading, which may have missed them.
    private var meanwhile: [(turn: Int, lessons: [Lesson])] = []

    package init(_ knowledge: Knowledge, learn: @escaping @Sendable (inout Knowledge, Lesson) -> Void) {
        self.knowledge = knowledge
        self.learn = learn
    }

    /// Adds the rows written in a turn.
    package mutating func take(_ lessons: [Lesson], writtenIn turn: Int) {
        guard turn > self.turn else { return }
        for lesson in lessons { learn(&knowledge, lesson) }
        if readings > 0 { meanwhile.append((turn, lessons)) }
    }

    /// Begins a reading of the history.
    package mutating func beginReading() { readings += 1 }

    /// Ends a reading with the knowledge of all rows up to a turn, or with `nil` if the history could not be read.
    package mutating func endReading(_ read: (result: Knowledge, turn: Int)?) {
        readings -= 1
        if let read, read.turn > turn {
            (knowledge, turn) = read
            for (written, lessons) in meanwhile.sorted(by: { $0.turn < $1.turn }) where written > turn {
                for lesson in lessons { learn(&knowledge, lesson) }
            }
        }
        if readings == 0 { meanwhile = [] }
    }
}
