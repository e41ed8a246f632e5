internal import Synchronization

/// A gate for tasks: while it is closed, they wait.
package final class Gate: Sendable {
    /// The waiting tasks; `nil` while the gate is open.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    /// Whether tasks have to wait.
    package var isClosed: Bool { waiting.withLock { $0 != nil } }

    /// Closes the gate.
    package func close() { waiting.withLock { $0 = $0 ?? [] } }

    /// Opens the gate and resumes all waiting tasks.
    package func open() {
        let released = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for continuation in released { continuation.resume() }
    }

    /// Waits until the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let waits = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting != nil
            }
            if !waits { continuation.resume() }
        }
    }
}
