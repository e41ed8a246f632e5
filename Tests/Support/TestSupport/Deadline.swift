import Glibc

/// Runs `operation` and throws if it has not ended within `limit`.
///
/// Beside other work, the limit grows with the load of the machine. The operation is then cancelled and must react: this
/// function returns only after it has ended.
///
/// - Throws: `BenchError` naming `what` if the time is up, else what `operation` throws.
public func withDeadline<Value: Sendable>(
    _ limit: Duration, _ what: @autoclosure @Sendable () -> String,
    operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            let start = ContinuousClock.now
            while case let end = start.advanced(by: limit * machineLoad()), .now < end {
                try await Task.sleep(until: end)
            }
            return nil
        }
        defer { group.cancelAll() }
        // The group is never empty here: two tasks were added.
        guard let first = try await group.next(), let value = first else {
            throw BenchError("\(what()) did not happen within \(limit)")
        }
        return value
    }
}

/// Polls a condition, for programs that announce no change of their state.
///
/// Only this function polls. Wherever there is an event (a line of output, a file, a bus signal, a
/// process that ends) wait for that instead.
///
/// - Parameters:
///   - what: the condition in words, for the error message.
///   - reason: the reason why there is no event to wait for.
///   - condition: returns nil until it holds.
/// - Throws: `BenchError` after `limit`, or what `condition` throws.
public nonisolated(nonsending) func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(60), because reason: String,
    _ condition: nonisolated(nonsending) () async throws -> Value?
) async throws -> Value {
    let start = ContinuousClock.now
    while true {
        if let value = try await condition() { return value }
        guard start.duration(to: .now) < limit * machineLoad() else {
            throw BenchError("\(what) did not happen within \(limit) (polled: \(reason))")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Returns how many tasks there are for each processor on average, from 1 for a machine with time to spare, to 10.
///
/// A program gets only its share of the processors while others work, so it needs that many times as long.
func machineLoad() -> Double {
    var load = 0.0
    // 1: the average of the last minute was read. −1: it is not known.
    guard getloadavg(&load, 1) == 1 else { return 1 }
    return min(10, max(1, load / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))))
}
