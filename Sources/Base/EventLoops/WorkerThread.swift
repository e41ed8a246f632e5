internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread for blocking work, such as databases and files. It is a serial executor for actors and a task executor.
///
/// Work runs in order, one piece at a time. An idle thread waits on a condition variable and does not wake up.
public final class WorkerThread: SerialExecutor, TaskExecutor, @unchecked Sendable {  // locked by `mutex`
    private let name: String
    private let prologue: @Sendable () -> Void
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [EventLoop.Work] = []
    private var stopping = false
    /// The number of the thread that does the work. Threads of lower numbers end.
    private var current = 1
    /// Whether a thread is doing a piece of work.
    private var isBusy = false

    /// Starts the thread.
    ///
    /// - Parameter prologue: runs first on the thread, and on each thread that replaces it.
    /// - Throws: ``EventLoopError`` if no thread can be started.
    public init(
        name: String = "worker", beginningWith prologue: @escaping @Sendable () -> Void = {}
    ) throws(EventLoopError) {
        self.name = name
        self.prologue = prologue
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        try spawnThread(named: name) { [self] in run(as: 1) }
    }

    /// Continues the queued work on a new thread, in order. The new thread inherits the restrictions of the calling
    /// thread (landlock(7)), and not those of the former one.
    ///
    /// - Throws: ``EventLoopError`` if no thread can be started. The former one then continues.
    public func renew() throws(EventLoopError) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let next = current + 1
        // It waits for the mutex.
        try spawnThread(named: name) { [self] in run(as: next) }
        current = next
        pthread_cond_broadcast(condition)
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
        pthread_cond_broadcast(condition)
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

    private func run(as number: Int) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var hasBegun = false
        while number == current {
            guard !isBusy, !queue.isEmpty || !hasBegun else {
                // Work is queued until the thread stops, so a busy thread may leave some.
                if stopping, !isBusy { return }
                pthread_cond_wait(condition, mutex)
                continue
            }
            let batch = hasBegun ? queue : [.closure(prologue)]
            if hasBegun { queue = [] }
            hasBegun = true
            isBusy = true
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
            isBusy = false
            // The thread that replaces this one may be waiting for it.
            if number != current { pthread_cond_broadcast(condition) }
        }
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
