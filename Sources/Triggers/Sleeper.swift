import HunchDBus

/// Waits for something that suggests a server: for some time, or as long as it takes. It wakes nobody up in vain.
actor Sleeper {
    /// Whether something happened since this was last set to false.
    var isWorthTrying = false

    private let loop: EventLoop
    private var sleeper: CheckedContinuation<Void, Never>?

    /// The loop's executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) { self.loop = loop }

    /// Forgets what happened so far.
    func begin() { isWorthTrying = false }

    /// Sleeps until it is worth trying again, for some time at most, or until the task is cancelled.
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

    /// Says that something happened: it is worth trying now.
    func lookAgain() {
        isWorthTrying = true
        wake()
    }

    private func wake() {
        sleeper?.resume()
        sleeper = nil
    }
}
