/// The error of an operation that exceeded its time limit.
package struct DeadlineExceeded: Error, CustomStringConvertible {
    package let limit: Duration

    package init(limit: Duration) { self.limit = limit }

    package var description: String { "no answer within \(limit)" }
}

/// Runs an operation with a time limit, on the loop's clock.
///
/// - Throws: ``DeadlineExceeded`` or the operation's error. The operation is cancelled at the deadline.
package func withDeadline<Result: Sendable>(
    _ limit: Duration, on loop: EventLoop, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await loop.sleep(for: limit)
            throw DeadlineExceeded(limit: limit)
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() else { throw DeadlineExceeded(limit: limit) }
        return result
    }
}
