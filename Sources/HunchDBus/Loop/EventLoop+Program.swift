internal import CDBus

extension EventLoop {
    /// Keeps programs of the same user from reading this process's memory, and most of its files in `/proc`
    /// (prctl(2), `PR_SET_DUMPABLE`).
    ///
    /// The desktop's portal reads these files to tell who calls, and answers nobody whose it cannot read (last seen in
    /// xdg-desktop-portal 1.20). A program that asks the portal must do without this.
    public static func hideMemory() {
        // −1 only for a value that does not exist.
        _ = hunch_set_dumpable(0)
    }

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
