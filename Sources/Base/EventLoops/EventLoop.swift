internal import CLinux
internal import Glibc
internal import Synchronization

/// An event loop for one thread, which sleeps in `ppoll()` and runs descriptors, timers, signals and Swift concurrency.
///
/// The loop is a serial executor (for actors) and a task executor (for tasks that prefer it). A process whose tasks all
/// prefer a loop never starts libdispatch, whose thread pool would wake up every second. When idle, it never wakes up.
///
///     let loop = try EventLoop()
///     Task.detached(executorPreference: loop) { await main(); loop.stop() }
///     loop.run()
///
/// Members marked as confined may only be called on the loop's own thread. They trap elsewhere.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {  // confined state: see `local`
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var stopping = false
    }

    private let inbox = Mutex(Inbox())
    private let owner = Atomic<UInt>(0)
    private let wakeDescriptor: Int32

    /// The state that needs no lock, because only the loop's thread uses it. `isOnLoop` and `confined()` assert that.
    var local = LocalState()

    struct LocalState {
        var work: [Work] = []
        var timers = TimerQueue()
        var sources: [Int: DescriptorSource] = [:]
        var nextSource = 0
        var descriptors: [pollfd] = []
        var order: [Int] = []
        var descriptorsChanged = true
        var quiet: QuietMoment?
    }

    /// Makes a loop that does not run yet.
    ///
    /// - Throws: ``EventLoopError`` if the kernel provides no event descriptor.
    public init() throws(EventLoopError) {
        // −1: no descriptor was created; errno says why.
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wakeDescriptor >= 0 else {
            throw EventLoopError("cannot make an event descriptor", code: errno)
        }
    }

    deinit {
        close(wakeDescriptor)
    }

    // MARK: Running

    /// Runs the loop on the calling thread until ``stop()``.
    public func run() {
        owner.store(UInt(pthread_self()), ordering: .releasing)
        while turn() {}
        drain()
        owner.store(0, ordering: .releasing)
    }

    /// Runs the loop on a new thread until ``stop()``.
    ///
    /// - Throws: ``EventLoopError`` if no thread can be started.
    public func start(name: String = "event-loop") throws(EventLoopError) {
        try spawnThread(named: name) { [self] in run() }
    }

    /// Makes ``run()`` return once the work queued so far is done. May be called from any thread.
    ///
    /// Work queued later stays queued, so close connections and end tasks first. Calling ``run()`` again does the
    /// remaining work and returns at once.
    public func stop() {
        inbox.withLock { $0.stopping = true }
        wake()
    }

    /// Whether the caller is on the loop's thread.
    public var isOnLoop: Bool {
        owner.load(ordering: .acquiring) == UInt(pthread_self())
    }

    func confined() {
        precondition(isOnLoop, "called outside the event loop's thread")
    }

    // MARK: Executor

    /// Queues a job. Jobs queued on the loop's thread run in order.
    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Queues a closure to run on the loop's thread, in order with jobs. May be called from any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        submit(.closure(body))
    }

    /// Traps unless called on the loop's thread. `assumeIsolated` relies on it in callbacks from C.
    public func checkIsolated() {
        confined()
    }

    /// Returns whether the caller is on the loop's thread. Called by the Swift runtime.
    public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private func submit(_ work: Work) {
        if isOnLoop {
            local.work.append(work)
        } else {
            let wasEmpty = inbox.withLock { inbox in
                inbox.work.append(work)
                return inbox.work.count == 1
            }
            if wasEmpty { wake() }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        // EAGAIN: the counter is full, so the loop wakes up anyway.
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: One turn

    /// Runs queued work, due timers and ready descriptors once. Returns `false` after ``stop()``.
    private func turn() -> Bool {
        let stopping = inbox.withLock { inbox in
            local.work.append(contentsOf: inbox.work)
            inbox.work.removeAll(keepingCapacity: true)
            return inbox.stopping
        }
        if stopping { return false }
        perform()
        fireTimers()
        wait()
        return true
    }

    private func fireTimers() {
        guard !local.timers.isEmpty else { return }
        for token in local.timers.due(at: .now) { local.timers.take(token)?() }
    }

    /// The rounds of work in a turn.
    private static let rounds = 8

    /// Runs the work queued so far, and what that queues, for some rounds. Then it is the descriptors' turn, so that they do
    /// not starve.
    private func perform() {
        var batch: [Work] = []
        for _ in 0..<Self.rounds where !local.work.isEmpty {
            swap(&batch, &local.work)
            for work in batch { perform(work) }
            batch.removeAll(keepingCapacity: true)
        }
        if local.work.isEmpty { swap(&batch, &local.work) }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .closure(let body): body()
        }
    }

    /// Runs the single job that `begin` queues immediately instead of in the next turn. Confined.
    ///
    /// `Task.immediate` does not help: with a preferred executor, it queues the task like any other.
    package func promptly(_ begin: () -> Void) {
        confined()
        let count = local.work.count
        begin()
        if local.work.count == count + 1, let job = local.work.popLast() { perform(job) }
    }

    /// Lets tasks that were just cancelled or resumed finish. The number of rounds is limited, in case one never does.
    private func drain() {
        for _ in 0..<1_000 {
            inbox.withLock { inbox in
                local.work.append(contentsOf: inbox.work)
                inbox.work.removeAll()
            }
            if local.work.isEmpty { return }
            perform()
        }
    }

    private func wait() {
        rebuildDescriptors()
        let limit = waitLimit
        var timeout = limit.map { timespec($0.duration) } ?? timespec()
        let count = withUnsafePointer(to: &timeout) { pointer in
            ppoll(&local.descriptors, nfds_t(local.descriptors.count), limit == nil ? nil : pointer, nil)
        }
        local.quiet?.waited(untilQuiet: count == 0 && limit?.isQuiet == true)
        // −1 with EINTR: a signal arrived, and the next turn polls again. 0: the timeout expired.
        guard count > 0 else { return }
        if local.descriptors[0].revents != 0 {
            var counter: UInt64 = 0
            _ = read(wakeDescriptor, &counter, 8)
        }
        // Handlers may change `sources`. `order` and `descriptors` only change before the next wait.
        for index in local.order.indices {
            let events = local.descriptors[index + 1].revents
            guard events != 0 else { continue }
            // An earlier handler may have removed this one.
            guard let source = local.sources[local.order[index]], source.isEnabled else { continue }
            source.handler(DescriptorEvents(poll: events))
        }
    }

    private func rebuildDescriptors() {
        guard local.descriptorsChanged else { return }
        local.descriptorsChanged = false
        local.order.removeAll(keepingCapacity: true)
        local.descriptors.removeAll(keepingCapacity: true)
        local.descriptors.append(pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0))
        for (token, source) in local.sources where source.isEnabled {
            local.order.append(token)
            local.descriptors.append(pollfd(fd: source.descriptor, events: source.events.poll, revents: 0))
        }
    }
}
