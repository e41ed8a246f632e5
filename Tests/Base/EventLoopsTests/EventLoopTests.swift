import Glibc
import Synchronization
import SeededRandom
import TestSupport
import Testing

@testable import EventLoops

@Suite("Event loop", .timeLimit(.minutes(15)))
struct EventLoopTests {
    private func withLoop<Value>(_ body: (EventLoop) async throws -> Value) async throws -> Value {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        return try await body(loop)
    }

    /// Runs a closure on the loop and waits for it.
    private func on<Value: Sendable>(_ loop: EventLoop, _ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: body()) } }
    }

    @Test("Work queued by one thread runs in order and completely")
    func order() async throws {
        try await withLoop { loop in
            let seen = Mutex<[Int]>([])
            for number in 0..<10_000 { loop.execute { seen.withLock { $0.append(number) } } }
            await on(loop) {}
            #expect(seen.withLock { $0 } == Array(0..<10_000))
        }
    }

    @Test("Tasks, actors and sleeps on the loop stay on its thread")
    func staysOnLoop() async throws {
        actor Plain {
            func isOn(_ loop: EventLoop) -> Bool { loop.isOnLoop }
        }
        @Sendable func nonisolated(_ loop: EventLoop) async -> Bool { loop.isOnLoop }
        try await withLoop { loop in
            let places = await Task(executorPreference: loop) {
                var places = [loop.isOnLoop, await Plain().isOn(loop), await nonisolated(loop)]
                async let child = nonisolated(loop)
                places.append(await child)
                await withTaskGroup { group in
                    for _ in 0..<3 { group.addTask { await nonisolated(loop) } }
                    for await place in group { places.append(place) }
                }
                try? await loop.sleep(for: .milliseconds(1))
                places.append(loop.isOnLoop)
                return places
            }.value
            #expect(places == Array(repeating: true, count: 8))
            #expect(!loop.isOnLoop)
        }
    }

    @Test("Timers fire by deadline, then in the order they were set")
    func timers() async throws {
        try await withLoop { loop in
            let fired = Watched<[Int]>([])
            loop.execute {
                let now = MonotonicInstant.now
                for number in [3, 1, 2] {
                    _ = loop.schedule(at: now.advanced(by: .milliseconds(number))) {
                        fired.update { $0.append(number) }
                    }
                }
                for number in 10..<60 {
                    _ = loop.schedule(at: now.advanced(by: .milliseconds(5))) { fired.update { $0.append(number) } }
                }
            }
            let order = try await fired.wait { $0.count == 53 ? $0 : nil }
            #expect(order == [1, 2, 3] + Array(10..<60))
        }
    }

    @Test("A cancelled timer never fires, even if another cancels it")
    func cancelledTimers() async throws {
        try await withLoop { loop in
            let fired = Watched<[String]>([])
            loop.execute {
                let now = MonotonicInstant.now
                var second: LoopTimer?
                _ = loop.schedule(at: now) {
                    fired.update { $0.append("first") }
                    second.map(loop.cancel)
                }
                second = loop.schedule(at: now) { fired.update { $0.append("second") } }
                let third = loop.schedule(at: now) { fired.update { $0.append("third") } }
                loop.cancel(third)
                loop.cancel(third)
                _ = loop.schedule(at: now.advanced(by: .milliseconds(1))) { fired.update { $0.append("last") } }
            }
            let order = try await fired.wait { $0.contains("last") ? $0 : nil }
            #expect(order == ["first", "last"])
        }
    }

    @Test("The timer queue keeps its order and drops cancelled timers")
    func timerQueue() {
        var random = SplitMix64(seed: 9)
        var queue = TimerQueue()
        var expected: [(deadline: Int64, token: Int)] = []
        for _ in 0..<5_000 {
            let deadline = Int64.random(in: 0..<1_000, using: &random)
            let token = queue.add(MonotonicInstant(nanoseconds: deadline)) {}
            if Bool.random(using: &random) { queue.cancel(token) } else { expected.append((deadline, token)) }
        }
        expected.sort { $0 < $1 }
        #expect(queue.nextDeadline?.nanoseconds == expected[0].deadline)
        let due = queue.due(at: MonotonicInstant(nanoseconds: 499))
        #expect(due == expected.filter { $0.deadline <= 499 }.map(\.token))
        for token in due { #expect(queue.take(token) != nil) }
        #expect(
            queue.due(at: MonotonicInstant(nanoseconds: .max)) == expected.filter { $0.deadline > 499 }.map(\.token))
        #expect(queue.nextDeadline == nil)
    }

    @Test("A sleep ends on time, or at once when cancelled")
    func sleep() async throws {
        try await withLoop { loop in
            let start = MonotonicInstant.now
            try await loop.sleep(for: .milliseconds(5))
            #expect(start.duration(to: .now) >= .milliseconds(5))
            try await loop.sleep(for: .seconds(-1))
            let long = Task { try await loop.sleep(for: .seconds(100_000)) }
            long.cancel()
            await #expect(throws: CancellationError.self) { try await long.value }
        }
    }

    @Test("A sleep cancelled at its start or end ends exactly once")
    func sleepRace() async throws {
        try await withLoop { loop in
            for round in 0..<2_000 {
                let duration: Duration = round.isMultiple(of: 2) ? .microseconds(round % 50) : .seconds(100_000)
                let task = Task { try await loop.sleep(for: duration) }
                for _ in 0..<(round % 20) { await Task.yield() }
                task.cancel()
                _ = await task.result
            }
            #expect(await on(loop) { loop.local.timers.nextDeadline } == nil)
        }
    }

    @Test("A watched descriptor is reported when it becomes readable")
    func descriptors() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (output, input) = (ends[0], ends[1])
        defer { close(output) }
        try await withLoop { loop in
            let seen = Watched<[DescriptorEvents]>([])
            let watch = await on(loop) {
                loop.watch(output, for: .readable) { events in
                    var byte: UInt8 = 0
                    if events.contains(.readable) { _ = read(output, &byte, 1) }
                    seen.update { $0.append(events) }
                }
            }
            var byte: UInt8 = 1
            #expect(write(input, &byte, 1) == 1)
            #expect(try await seen.wait { $0.first } == .readable)
            await on(loop) { loop.update(watch, events: .readable, enabled: false) }
            #expect(write(input, &byte, 1) == 1)
            for _ in 0..<3 { await on(loop) {} }
            #expect(seen.state.count == 1)
            await on(loop) { loop.update(watch, events: .readable, enabled: true) }
            _ = try await seen.wait { $0.count >= 2 ? () : nil }
            close(input)
            _ = try await seen.wait { $0.contains { $0.contains(.hangup) } ? () : nil }
            await on(loop) { loop.remove(watch) }
            let count = seen.state.count
            for _ in 0..<3 { await on(loop) {} }
            #expect(seen.state.count == count)
        }
    }

    @Test("POSIX signals arrive as events while somebody listens")
    func signals() async throws {
        try await withLoop { loop in
            let numbers = [SIGUSR1, SIGUSR2, SIGUSR1]
            let seen = try await Task(executorPreference: loop) {
                var seen: [Int32] = []
                var signals = try loop.signals([SIGUSR1, SIGUSR2]).makeAsyncIterator()
                for number in numbers {
                    // Only to this thread, which blocks them; the other threads of a test run do not.
                    pthread_kill(pthread_self(), number)
                    if let arrived = await signals.next() { seen.append(arrived) }
                }
                return seen
            }.value
            #expect(seen == numbers)
            await on(loop) {}
            #expect(await on(loop) { loop.local.sources.count } == 0)
        }
    }

    @Test("Stopping completes queued work and cancelled tasks")
    func stopping() async throws {
        let loop = try EventLoop()
        let done = Watched(0)
        let task = Task(executorPreference: loop) {
            try? await loop.sleep(for: .seconds(100_000))
            done.update { $0 += 1 }
        }
        try loop.start()
        await on(loop) {
            task.cancel()
            for _ in 0..<10 { loop.execute { done.update { $0 += 1 } } }
            loop.stop()
        }
        try await done.wait { $0 == 11 ? () : nil }
    }

    @Test("A worker runs blocking work in order until it is stopped")
    func worker() async throws {
        let worker = try WorkerThread()
        let seen = Mutex<[Int]>([])
        for number in 0..<100 { try await worker.run { seen.withLock { $0.append(number) } } }
        #expect(seen.withLock { $0 } == Array(0..<100))
        await #expect(throws: BenchError.self) { try await worker.run { throw BenchError("so") } }
        actor Resident {
            let worker: WorkerThread
            init(_ worker: WorkerThread) { self.worker = worker }
            nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
            func thread() -> pthread_t { pthread_self() }
        }
        let thread = try await worker.run { pthread_self() }
        #expect(await Resident(worker).thread() == thread)
        worker.stop()
        await #expect(throws: EventLoopError.self) { try await worker.run {} }
    }

    @Test("A renewed worker continues the work in order on another thread")
    func renewal() async throws {
        let prologues = Watched<[pthread_t]>([])
        let worker = try WorkerThread { prologues.update { $0.append(pthread_self()) } }
        let isHeld = Watched(false)
        let mayGoOn = Watched(false)
        let seen = Watched<[Int]>([])
        async let first = worker.run {
            isHeld.update { $0 = true }
            while !mayGoOn.state { usleep(1_000) }
            seen.update { $0.append(1) }
            return pthread_self()
        }
        try await isHeld.wait { $0 ? () : nil }
        try worker.renew()
        async let second = worker.run {
            seen.update { $0.append(2) }
            return pthread_self()
        }
        // The new thread runs nothing in parallel with the former one.
        usleep(20_000)
        #expect(prologues.state.count == 1)
        mayGoOn.update { $0 = true }
        let threads = try await [first, second]
        #expect(seen.state == [1, 2])
        #expect(prologues.state == threads)
        for _ in 0..<100 { try worker.renew() }
        #expect(try await worker.run { 3 } == 3)
        worker.stop()
        await #expect(throws: EventLoopError.self) { try await worker.run {} }
    }

    @Test("A thousand short threads can be started")
    func shortThreads() async throws {
        let ended = Watched(0)
        for _ in 0..<1_000 { try spawnThread(named: "a name that is too long") { ended.update { $0 += 1 } } }
        try await ended.wait { $0 == 1_000 ? () : nil }
    }
}
