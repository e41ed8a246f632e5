import Glibc

/// Runs `body` on a thread of its own, for calls that block: the pool that runs tasks has one thread per core.
func onBlockingThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let job = Job { continuation.resume(with: Result(catching: body)) }
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(job)
        // Nonzero is the error number; the argument is the thread's only when there is a thread.
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if failure != 0 {
            argument.release()
            continuation.resume(throwing: BenchError("no thread could be made (error \(failure))"))
        }
    }
}

private final class Job: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
