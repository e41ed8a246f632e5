internal import HunchDBus

/// Something took longer than it may.
struct DeadlineExceeded: Error, CustomStringConvertible {
    let limit: Duration
    var description: String { "no answer within \(limit)" }
}

/// Runs a body for at most some time, on the loop's clock.
///
/// - Throws: ``DeadlineExceeded``, or what the body throws. The body is cancelled at the deadline.
func withDeadline<Result: Sendable>(
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
