internal import Synchronization

/// Collects the newest 32 problems since the start that are not known to be solved, for `hunch doctor`. Every part of the agent has the same one.
package final class ProblemReporter: Sendable {
    package static let capacity = 32

    private let log: @Sendable (String) -> Void
    private let collected = Mutex<[(subject: String, line: String)]>([])

    /// Creates a reporter without problems.
    ///
    /// - Parameter log: called with each new problem.
    package init(log: @escaping @Sendable (String) -> Void = { _ in }) { self.log = log }

    /// The problems, newest last.
    package var lines: [String] { collected.withLock { $0.map(\.line) } }

    /// Reports a problem, in words that say what the user can do. Ignores a repetition of the last problem.
    ///
    /// - Parameter subject: what has the problem, whose earlier problem it replaces; `nil` if that is the problem itself.
    package func report(_ problem: String, about subject: String? = nil) {
        let isNew = collected.withLock { problems in
            if problems.last?.line == problem { return false }
            if let subject { problems.removeAll { $0.subject == subject } }
            problems.append((subject ?? problem, problem))
            if problems.count > Self.capacity { problems.removeFirst(problems.count - Self.capacity) }
            return true
        }
        if isNew { log(problem) }
    }

    /// Removes the problem of a subject that is solved, or a problem without a subject.
    package func settle(_ subject: String) { collected.withLock { $0.removeAll { $0.subject == subject } } }

    /// Removes all problems.
    package func clear() { collected.withLock { $0 = [] } }
}
