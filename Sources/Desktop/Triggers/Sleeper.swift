import EventLoops
import HunchDBus

/// Waits until something suggests that a server runs, optionally with a timeout.
actor Sleeper: LoopActor {
    /// Whether something has suggested a running server since ``begin()``.
    var isWorthTrying = false

    let loop: EventLoop
    private var sleeper: CheckedContinuation<Void, Never>?

    init(on loop: EventLoop) { self.loop = loop }

    /// Resets ``isWorthTrying``.
    func begin() { isWorthTrying = false }

    /// Sleeps until a retry is worthwhile, the timeout expires or the task is cancelled.
    func sleep(atMost time: Duration?) async {
        let timer = time.map { schedule(after: $0) { $0.wake() } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isWorthTrying || Task.isCancelled { return continuation.resume() }
                sleeper = continuation
            }
        } onCancel: {
            execute { $0.wake() }
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
