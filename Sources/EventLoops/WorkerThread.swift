internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread for blocking work, such as databases and files. It is a serial executor for actors and a task executor.
///
/// Work runs in order, one piece at a time. An idle thread waits on a condition variable and does not wake up.
public final class WorkerThread: SerialExecutor, TaskExecutor, @unchecked Sendable {  // locked by `mutex`
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [EventLoop.Work] = []
    private var stopping = false

    /// Starts the thread.
    ///
    /// - Throws: ``EventLoopError`` if no thread can be started.
    public init(name: String = "worker") throws(EventLoopError) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        try spawnThread(named: name) { [self] in run() }
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Ends the thread once the work queued so far is done. Later jobs never run, so end its actors and tasks first.
    public func stop() {
        pthread_mutex_lock(mutex)
        stopping = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Queues a job of an actor or task.
    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Runs a closure on the thread and returns its result.
    ///
    /// - Throws: the error that the closure throws; ``EventLoopError`` after ``stop()``.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = submit(.closure { continuation.resume(with: Swift.Result(catching: body)) })
            if !accepted {
                continuation.resume(throwing: EventLoopError("the worker thread was stopped"))
            }
        }
    }

    /// Queues work and returns whether the thread will still do it.
    @discardableResult
    private func submit(_ work: EventLoop.Work) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if stopping { return false }
        queue.append(work)
        pthread_cond_signal(condition)
        return true
    }

    private func run() {
        pthread_mutex_lock(mutex)
        while true {
            while queue.isEmpty, !stopping { pthread_cond_wait(condition, mutex) }
            guard !queue.isEmpty else { break }
            let batch = queue
            queue = []
            pthread_mutex_unlock(mutex)
            for work in batch {
                switch work {
                case .job(let job):
                    job.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .closure(let body): body()
                }
            }
            pthread_mutex_lock(mutex)
        }
        pthread_mutex_unlock(mutex)
    }
}

/// Starts a detached thread that runs a closure. All signals are blocked in it because the loop handles them, except
/// those that report a fault of the thread itself.
func spawnThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(EventLoopError) {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var former = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    let start = Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            // The kernel allows 15 bytes. The thread names itself because it may have ended before its creator could.
            pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
            start.body()
            return nil
        }, start.toOpaque())
    // An error number: no thread was started and the closure is still ours.
    guard status == 0 else {
        start.release()
        throw EventLoopError("cannot start a thread", code: status)
    }
}
