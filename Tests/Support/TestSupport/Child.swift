import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// A process with its whole process group. Tasks wait on its state in `progress`.
final class Child: Sendable {
    struct Progress: Sendable {
        var identifier: pid_t?
        /// Set while the process has ended but is not reaped, so that no other process can have its number.
        var termination: Termination?
        var transcript = Transcript()
        /// Set once all its output has been read, or when it could not be started.
        var outcome: Result<Termination, any Error>?
    }

    let command: Command
    let progress = Watched(Progress())
    /// The number of printed lines of its output.
    let shown = Mutex(0)

    init(_ command: Command) { self.command = command }

    /// Starts the process in a session of its own, reads its output until it ends, kills the rest of its process
    /// group, and reaps it.
    ///
    /// When the task is cancelled the process gets SIGTERM, and SIGKILL after `grace`.
    ///
    /// - Parameter sink: receives the output. If it throws, the process is killed and the error rethrown.
    func live(
        input: [UInt8], grace: Duration, sink: @escaping @Sendable (Transcript.Stream, [UInt8]) throws -> Void
    ) async throws -> Termination {
        do {
            let termination = try await start(input, grace, sink)
            progress.update { $0.outcome = .success(termination) }
            return termination
        } catch {
            progress.update { $0.outcome = .failure(error) }
            throw error
        }
    }

    /// Sends `signal` to the process or to its whole group. Does nothing after it has ended.
    func send(_ signal: Int32, toGroup: Bool = false) {
        progress.update { progress in
            guard let identifier = progress.identifier, progress.termination == nil else { return }
            kill(toGroup ? -identifier : identifier, signal)
        }
    }

    /// A child that ends without reading its input must not end the test run as well.
    private static let brokenPipesIgnored: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    private func start(
        _ input: [UInt8], _ grace: Duration, _ sink: @escaping @Sendable (Transcript.Stream, [UInt8]) throws -> Void
    ) async throws -> Termination {
        _ = Self.brokenPipesIgnored
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)]
        let environment = Surroundings.environment.merging(command.environment) { $1 }
        return try await Subprocess.run(
            command.executable.contains("/") ? .path(FilePath(command.executable)) : .name(command.executable),
            arguments: Arguments(command.arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })),
            workingDirectory: command.directory.map { FilePath($0) }, platformOptions: options,
            input: .inputWriter, output: .sequence, error: .sequence
        ) { execution in
            let identifier = execution.processIdentifier.value
            Guardian.shared.add(group: identifier)
            defer { Guardian.shared.remove(group: identifier) }
            progress.update { $0.identifier = identifier }
            async let termination = end(of: identifier)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    // A child need not read its input.
                    _ = try? await execution.standardInputWriter.write(input)
                    try? await execution.standardInputWriter.finish()
                }
                group.addTask { try await self.read(execution.standardOutput, .output, sink) }
                group.addTask { try await self.read(execution.standardError, .error, sink) }
                try await group.waitForAll()
            }
            progress.update { $0.transcript.finish() }
            return try await termination
        }.closureResult
    }

    private func end(of identifier: pid_t) async throws -> Termination {
        try await onBlockingThread { [progress] in
            let termination = try Termination.wait(for: identifier)
            progress.update { progress in
                progress.termination = termination
                // Kill the rest of its group now: until the process is reaped, no other group can have its number.
                kill(-identifier, SIGKILL)
            }
            return termination
        }
    }

    private func read(
        _ output: SubprocessOutputSequence, _ stream: Transcript.Stream,
        _ sink: @Sendable (Transcript.Stream, [UInt8]) throws -> Void
    ) async throws {
        do {
            for try await buffer in output {
                let bytes = buffer.withUnsafeBytes { Array($0) }
                progress.update { $0.transcript.append(bytes, from: stream) }
                try sink(stream, bytes)
            }
        } catch {
            // Resumes the tasks that wait for the child.
            send(SIGKILL, toGroup: true)
            throw error
        }
    }
}
