import Glibc
import Synchronization
import Testing

/// Runs a program while `body` runs.
///
/// The program starts in a session of its own with no signal blocked, in `Surroundings.environment` with the
/// command's own laid over it. The body begins when the program is ready. However the body ends, the program then gets
/// SIGTERM, after `grace` SIGKILL, and is reaped, and the rest of its process group is killed. If the body
/// throws or an expectation in it fails, what the program wrote is printed.
///
/// ```swift
/// try await withDaemon(Command("mpv", ["--idle"], environment: bus.environment, ready: .busName(name, on: bus))) { mpv in
///     …
/// }
/// ```
///
/// - Throws: what `body` throws; `BenchError` if the program cannot be started, ends before it is ready or is not
///   ready in time, and when a program of this package crashed.
public nonisolated(nonsending) func withDaemon<Value>(
    _ command: Command, readyWithin limit: Duration = .seconds(60), grace: Duration = .seconds(5),
    _ body: nonisolated(nonsending) (Daemon) async throws -> Value
) async throws -> Value {
    let child = Child(command)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            // The child's progress has its exit status.
            _ = try? await child.live(input: [], grace: grace) { _, _ in }
        }
        var value: Value?
        do {
            let daemon = try await child.started(within: limit)
            // Records no issue itself: it only prints the child's output with each issue.
            try await withKnownIssue(isIntermittent: true) {
                value = try await body(daemon)
            } matching: { _ in
                child.printTranscript()
                return false
            }
        } catch {
            await child.end(grace: grace)
            throw error
        }
        await child.end(grace: grace)
        try child.requireNoCrash()
        guard let value else { throw BenchError("the body of \(child.command.name) neither returned nor threw") }
        return value
    }
}

/// Like the other `withDaemon`, with the parts of the command as parameters.
public nonisolated(nonsending) func withDaemon<Value>(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    ready: Readiness = .immediately, _ body: nonisolated(nonsending) (Daemon) async throws -> Value
) async throws -> Value {
    try await withDaemon(Command(executable, arguments, environment: environment, ready: ready), body)
}

/// Runs programs while `body` runs: each starts when the one before it is ready, and they end in the opposite order.
public nonisolated(nonsending) func withDaemons<Value>(
    _ commands: [Command], _ body: nonisolated(nonsending) ([Daemon]) async throws -> Value
) async throws -> Value {
    guard let first = commands.first else { return try await body([]) }
    return try await withDaemon(first) { daemon in
        try await withDaemons(Array(commands.dropFirst())) { try await body([daemon] + $0) }
    }
}

extension Child {
    /// Waits until the process runs and is ready.
    func started(within limit: Duration) async throws -> Daemon {
        let identifier = try await progress.wait { progress in
            if let identifier = progress.identifier { return identifier }
            if case .failure(let error) = progress.outcome {
                throw BenchError("\(self.command.executable) could not be started: \(error)")
            }
            return nil
        }
        let daemon = Daemon(child: self, processIdentifier: identifier)
        let readiness = command.readiness
        guard let wait = readiness.wait else { return daemon }
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask {
                try await withDeadline(
                    limit,
                    "\(readiness.what), by which \(daemon.name) would be ready, after “\(daemon.output.suffix(500))”,"
                ) {
                    try await wait(daemon)
                }
            }
            if !readiness.noticesEnd {
                group.addTask {
                    throw try await self.progress.wait {
                        $0.earlyEnd(of: daemon.name, "before it was ready (\(readiness.what))")
                    }
                }
            }
            try await group.next()
        }
        return daemon
    }

    /// Asks the process to end, and kills it after `grace`. In a cancelled task there is nothing to do: `live` is
    /// cancelled as well, and does the same.
    func end(grace: Duration) async {
        send(SIGTERM)
        let ended: Void? = try? await withDeadline(grace, "the end") {
            try await self.progress.wait { $0.outcome.map { _ in } }
        }
        if ended == nil, !Task.isCancelled { send(SIGKILL, toGroup: true) }
    }

    func requireNoCrash() throws {
        guard command.isOurs, let termination = progress.state.termination, termination.isCrash else { return }
        throw BenchError("\(command.name) crashed: it \(termination); it wrote:\n\(progress.state.transcript.text)")
    }

    /// Prints the output of the child since the last call.
    func printTranscript() {
        let state = progress.state
        let ending = state.termination.map { "it \($0)" } ?? "it is running"
        let start = shown.withLock { shown in
            defer { shown = state.transcript.count }
            return shown
        }
        print(
            """
            ── \(command.name) (\(ending)) wrote:
            \(state.transcript.text(from: start))
            ── end of \(command.name)
            """)
    }
}
