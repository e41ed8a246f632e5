internal import Synchronization

/// Collects the newest 32 problems since the start, for `hunch doctor`. Every part of the agent has the same one.
package final class ProblemReporter: Sendable {
    package static let capacity = 32

    private let log: @Sendable (String) -> Void
    private let collected = Mutex<[String]>([])

    /// Creates a reporter without problems.
    ///
    /// - Parameter log: called with each new problem.
    package init(log: @escaping @Sendable (String) -> Void = { _ in }) { self.log = log }

    /// The problems, newest last.
    package var lines: [String] { collected.withLock { $0 } }

    /// Reports a problem, in words that say what the user can do. Ignores a repetition of the last problem.
    package func report(_ problem: String) {
        let isNew = collected.withLock { lines in
            if lines.last == problem { return false }
            lines.append(problem)
            if lines.count > Self.capacity { lines.removeFirst(lines.count - Self.capacity) }
            return true
        }
        if isNew { log(problem) }
    }

    /// Removes a problem that is solved.
    package func settle(_ problem: String) { collected.withLock { $0.removeAll { $0 == problem } } }

    /// Removes all problems.
    package func clear() { collected.withLock { $0 = [] } }
}
