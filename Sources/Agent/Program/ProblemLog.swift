internal import Logging

/// The problems since the start, for `hunch doctor`: the newest 32. They are logged to standard error as well.
struct ProblemLog {
    static let capacity = 32

    private let logger: Logger
    private(set) var lines: [String] = []

    init(logger: Logger) { self.logger = logger }

    /// Forgets a problem that is over.
    mutating func settle(_ line: String) { lines.removeAll { $0 == line } }

    /// Forgets all of them.
    mutating func clear() { lines = [] }

    /// Notes a problem with what the person can do about it. A line that repeats the last one is noted once.
    mutating func note(_ line: String) {
        if lines.last == line { return }
        logger.warning("\(line)")
        lines.append(line)
        if lines.count > Self.capacity { lines.removeFirst(lines.count - Self.capacity) }
    }
}
