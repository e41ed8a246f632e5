extension EventLoop {
    /// Runs the loop on the calling thread until the body has ended, all of which happens on the loop: what a program does.
    ///
    ///     let loop = try EventLoop()
    ///     try loop.run { try await serve(on: loop) }
    ///
    /// - Throws: what the body throws.
    public func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Outcome()
        Task.detached(executorPreference: self) { [self] in
            do { try await body() } catch { outcome.failure = error }
            stop()
        }
        run()
        if let failure = outcome.failure { throw failure }
    }
}

private final class Outcome: @unchecked Sendable {  // written before the loop stops, read after it
    var failure: (any Error)?
}
