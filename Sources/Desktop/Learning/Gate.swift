package import EventLoops
internal import Synchronization

/// A gate for tasks: while it is closed, they wait.
package final class Gate: Sendable {
    private struct State {
        var isClosed: Bool
        var last = 0
        /// The waiting tasks, by number.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>

    package init(isClosed: Bool = false) { state = Mutex(State(isClosed: isClosed)) }

    /// Whether tasks have to wait.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Closes the gate.
    package func close() { state.withLock { $0.isClosed = true } }

    /// Opens the gate and resumes all waiting tasks.
    package func open() {
        let released = state.withLock { state in
            defer { state = State(isClosed: false, last: state.last) }
            return state.waiting.values
        }
        for continuation in released { continuation.resume() }
    }

    /// Waits until the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in wait(continuation) }
    }

    /// Waits until the gate is open, but not longer than a limit on the loop's clock.
    package func pass(atMost limit: Duration, on loop: EventLoop) async {
        guard isClosed else { return }
        var timer: LoopTimer?
        await withCheckedContinuation { continuation in
            guard let number = wait(continuation) else { return }
            timer = loop.schedule(after: limit) { [self] in
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
        }
        if let timer { loop.cancel(timer) }
    }

    /// Resumes a task when the gate opens. Returns its number; `nil` if it is open, so that the task was resumed.
    @discardableResult
    private func wait(_ continuation: CheckedContinuation<Void, Never>) -> Int? {
        let number = state.withLock { state -> Int? in
            guard state.isClosed else { return nil }
            state.last += 1
            state.waiting[state.last] = continuation
            return state.last
        }
        if number == nil { continuation.resume() }
        return number
    }
}
