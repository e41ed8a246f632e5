internal import Synchronization

/// Holds back whoever comes while it is closed.
final class Gate: Sendable {
    /// The waiting tasks; `nil` while the gate is open.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    /// Whether it holds back whoever comes.
    var isClosed: Bool { waiting.withLock { $0 != nil } }

    /// Holds back whoever comes from now on.
    func close() { waiting.withLock { $0 = $0 ?? [] } }

    /// Lets everybody pass.
    func open() {
        let released = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for continuation in released { continuation.resume() }
    }

    /// Waits while it is closed.
    func pass() async {
        await withCheckedContinuation { continuation in
            let waits = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting != nil
            }
            if !waits { continuation.resume() }
        }
    }
}
