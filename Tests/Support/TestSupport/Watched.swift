import Synchronization

/// State that tasks can wait on: each change wakes the waiting tasks, and each checks its condition again.
///
/// The state is read and changed under a lock, so the closures given here must be short and must not call back.
public final class Watched<State: Sendable>: Sendable {
    private struct Core {
        var state: State
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let core: Mutex<Core>

    /// Starts with `state`.
    public init(_ state: State) { core = Mutex(Core(state: state)) }

    /// The state at this moment.
    public var state: State { core.withLock { $0.state } }

    /// Changes the state and wakes every waiting task.
    @discardableResult
    public func update<Value: Sendable>(_ change: (inout State) throws -> Value) rethrows -> Value {
        let (value, waiters) = try core.withLock { core in
            let value = try change(&core.state)
            defer { core.waiters = [:] }
            return (value, core.waiters)
        }
        for waiter in waiters.values { waiter.resume() }
        return value
    }

    /// Waits until `find` gives a value, looking once now and once after each change.
    ///
    /// - Throws: what `find` throws, or `CancellationError` if the task is cancelled meanwhile.
    public nonisolated(nonsending) func wait<Value: Sendable>(
        until find: @Sendable (State) throws -> Value?
    ) async throws -> Value {
        while true {
            if let value = try await look(find) { return value }
        }
    }

    /// Looks, and when there is nothing to find sleeps until the next change.
    private nonisolated(nonsending) func look<Value: Sendable>(
        _ find: @Sendable (State) throws -> Value?
    ) async throws -> Value? {
        let id = core.withLock { core in
            core.nextWaiter += 1
            return core.nextWaiter
        }
        let found = Mutex<Value?>(nil)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = core.withLock { core in
                    do {
                        if let value = try find(core.state) {
                            found.withLock { $0 = value }
                            return .success(())
                        }
                    } catch {
                        return .failure(error)
                    }
                    // The task is marked cancelled before its handler runs: either it is seen here, or the handler
                    // takes the lock after this and finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    core.waiters[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            core.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
        return found.withLock { $0 }
    }
}
