/// Knowledge learned from the history while it is being written: nothing is learned twice or missed.
///
/// The history does one thing after the other, each in a turn of its own, and what came of it is told in any order.
struct InStep<Knowledge: Sendable, Lesson: Sendable>: Sendable {
    private(set) var knowledge: Knowledge
    private let learn: @Sendable (inout Knowledge, Lesson) -> Void
    /// Of the reading that ``knowledge`` began with.
    private var turn = 0
    private var readings = 0
    /// The rows written during the reading, which may have missed them.
    private var meanwhile: [(turn: Int, lessons: [Lesson])] = []

    init(_ knowledge: Knowledge, learn: @escaping @Sendable (inout Knowledge, Lesson) -> Void) {
        self.knowledge = knowledge
        self.learn = learn
    }

    /// Adds the rows written in a turn.
    mutating func take(_ lessons: [Lesson], writtenIn turn: Int) {
        guard turn > self.turn else { return }
        for lesson in lessons { learn(&knowledge, lesson) }
        if readings > 0 { meanwhile.append((turn, lessons)) }
    }

    /// Says that the history is about to be read.
    mutating func beginReading() { readings += 1 }

    /// Ends the reading with the knowledge of all rows up to a turn; `nil` if the history could not be read.
    mutating func endReading(_ read: (result: Knowledge, turn: Int)?) {
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
