import EventLoops
import HunchDBus

/// Waits until something suggests that a server runs, optionally with a timeout.
actor Sleeper {
    /// Whether something has suggested a running server since ``begin()``.
    var isWorthTrying = false

    private let loop: EventLoop
    private var sleeper: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) { self.loop = loop }

    /// Resets ``isWorthTrying``.
    func begin() { isWorthTrying = false }

    /// Sleeps until a retry is worthwhile, the timeout expires or the task is cancelled.
    func sleep(atMost time: Duration?) async {
        let timer = time.map { time in
            loop.schedule(after: time) { [weak self] in self?.assumeIsolated { $0.wake() } }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isWorthTrying || Task.isCancelled { return continuation.resume() }
                sleeper = continuation
            }
        } onCancel: {
            loop.execute { [weak self] in self?.assumeIsolated { $0.wake() } }
        }
        if let timer { loop.cancel(timer) }
    }

    /// Wakes the sleeper, because something suggests that a server runs.
    func lookAgain() {
        isWorthTrying = true
        wake()
    }

    private func wake() {
        sleeper?.resume()
        sleeper = nil
    }
}
