package import EventLoops
internal import HunchDBus

/// Reads files that others named, such as covers, on a thread of its own.
///
/// Such a file may be on a hanging mount. Its reader waits no longer than ``limit``, and no other part waits for the
/// thread.
package actor ForeignFiles: LoopActor {
    /// The maximum time that a reader waits.
    package static let limit = Duration.seconds(2)
    /// The maximum number of pending reads. Further ones fail at once while a mount hangs.
    static let capacity = 16

    package let loop: EventLoop
    private let worker: WorkerThread
    private var underWay = 0

    /// Starts the thread and confines it to reading.
    ///
    /// - Throws: `EventLoopError` if no thread can be created.
    init(loop: EventLoop, _ confinement: ThreadConfinement) throws {
        self.loop = loop
        worker = try WorkerThread(name: "hunch-files") { confinement.confine(.foreignFiles) }
    }

    /// Runs a closure on the thread and returns its result.
    ///
    /// - Throws: ``DeadlineExceeded`` after ``limit``, or the closure's error. After the limit, the closure continues
    ///   and its result is dropped.
    package func read<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard underWay < Self.capacity else { throw DeadlineExceeded(limit: Self.limit) }
        underWay += 1
        let (answers, answer) = AsyncThrowingStream<Result, any Error>.makeStream()
        Task(executorPreference: loop) { [self] in
            do {
                answer.yield(try await worker.run(body))
            } catch {
                answer.finish(throwing: error)
            }
            await end()
        }
        let timer = Task(executorPreference: loop) { [loop] in
            try await loop.sleep(for: Self.limit)
            answer.finish(throwing: DeadlineExceeded(limit: Self.limit))
        }
        defer { timer.cancel() }
        for try await result in answers { return result }
        throw CancellationError()
    }

    private func end() { underWay -= 1 }

    /// Ends the thread after its current read.
    package nonisolated func stop() { worker.stop() }
}
