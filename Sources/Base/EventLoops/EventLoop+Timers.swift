internal import Synchronization

/// An identifier of a timer on a loop.
public struct LoopTimer: Sendable {
    let token: Int
}

extension EventLoop {
    /// Schedules a closure to run once after a delay. Confined.
    public func schedule(after delay: Duration, _ callback: @escaping () -> Void) -> LoopTimer {
        schedule(at: .now.advanced(by: delay), callback)
    }

    /// Schedules a closure to run once at an instant. Confined.
    public func schedule(at deadline: MonotonicInstant, _ callback: @escaping () -> Void) -> LoopTimer {
        confined()
        return LoopTimer(token: local.timers.add(deadline, callback))
    }

    /// Cancels a timer, unless it has fired. Confined.
    public func cancel(_ timer: LoopTimer) {
        confined()
        local.timers.cancel(timer.token)
    }

    /// Suspends the current task for a duration, without libdispatch. May be called from any thread.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(for duration: Duration) async throws {
        let deadline = MonotonicInstant.now.advanced(by: duration)
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                execute { [self] in
                    // The task may have been cancelled before this closure ran.
                    guard sleeper.isAsleep else { return }
                    sleeper.timer = schedule(at: deadline) { sleeper.end(.success(())) }
                }
            }
        } onCancel: {
            sleeper.end(.failure(CancellationError()))
            execute { [self] in sleeper.timer.map(cancel) }
        }
    }
}

/// The continuation of a sleeping task. The timer or the cancellation resumes it, exactly once.
private final class Sleeper: @unchecked Sendable {  // `state` is locked; `timer` is used on the loop only
    private enum State {
        case fresh
        case asleep(CheckedContinuation<Void, any Error>)
        case ended
    }

    private let state = Mutex(State.fresh)
    var timer: LoopTimer?

    var isAsleep: Bool {
        state.withLock { if case .asleep = $0 { true } else { false } }
    }

    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let proceeds = state.withLock { state in
            guard case .fresh = state else { return false }
            state = .asleep(continuation)
            return true
        }
        if !proceeds { continuation.resume(throwing: CancellationError()) }
        return proceeds
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { state = .ended }
            if case .asleep(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
}
