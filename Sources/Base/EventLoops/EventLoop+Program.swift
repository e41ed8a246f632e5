internal import CLinux

extension EventLoop {
    /// Prevents other programs of the same user from reading this process's memory and most of its files in `/proc`
    /// (prctl(2), `PR_SET_DUMPABLE`).
    ///
    /// Programs that call the desktop portal must not use this. The portal reads these files to identify its callers
    /// and answers no caller whose files it cannot read (last seen in xdg-desktop-portal 1.20).
    public static func hideMemory() {
        // Fails (−1) only for invalid values.
        _ = hunch_set_dumpable(0)
    }

    /// Runs the loop on the calling thread, runs the body on the loop, and returns when the body has ended.
    ///
    ///     let loop = try EventLoop()
    ///     try loop.run { try await serve(on: loop) }
    ///
    /// - Throws: the error that the body throws.
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
