import Synchronization

/// The result of a program.
public struct CommandResult: Sendable, Equatable {
    /// The exit status; `.exited(0)` is success.
    public let status: Termination
    /// The standard output; bytes that are not UTF-8 become U+FFFD.
    public let standardOutput: String
    /// The standard error, likewise.
    public let standardError: String

    /// A result to compare with.
    public init(status: Termination, standardOutput: String, standardError: String) {
        self.status = status
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// The standard output when the program succeeded.
    ///
    /// - Throws: `BenchError` with all it wrote if it did not.
    public func output() throws -> String {
        guard status == .exited(0) else {
            throw BenchError("it \(status) and wrote:\n\(standardOutput)\(standardError)")
        }
        return standardOutput
    }
}

/// Runs a program to its end and returns what it wrote.
///
/// The program runs as with `withDaemon`: in a session of its own, with no signal blocked, in
/// `Surroundings.environment` with `environment` laid over it.
///
/// - Parameters:
///   - executable: a name to be found in `PATH`, or a path with a slash.
///   - input: the standard input of the program.
///   - directory: the folder to start in; nil means that of the test run.
///   - outputLimit: the maximum size of its two outputs together, in bytes.
///   - limit: the maximum running time.
/// - Throws: `BenchError` if it cannot be started, runs too long or writes too much (it is killed then). A status
///   other than 0 is a result.
public func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
    directory: String? = nil, outputLimit: Int = 16 << 20, within limit: Duration = .seconds(60)
) async throws -> CommandResult {
    try await run(
        executable, arguments, environment: environment, input: Array(input.utf8), directory: directory,
        outputLimit: outputLimit, within: limit)
}

/// Runs a program to its end with bytes as its input; otherwise as the `run` that takes text.
public func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], input: [UInt8],
    directory: String? = nil, outputLimit: Int = 16 << 20, within limit: Duration = .seconds(60)
) async throws -> CommandResult {
    let command = Command(executable, arguments, environment: environment, directory: directory)
    let child = Child(command)
    let written = Mutex<[Transcript.Stream: [UInt8]]>([:])
    let line = ([command.name] + arguments).joined(separator: " ")
    let status: Termination
    do {
        status = try await withDeadline(
            limit, "the end of `\(line)`, which wrote:\n\(child.progress.state.transcript.text)\nIt"
        ) {
            try await child.live(input: input, grace: .seconds(2)) { stream, bytes in
                let size = written.withLock { written in
                    written[stream, default: []] += bytes
                    return written.values.reduce(0) { $0 + $1.count }
                }
                guard size <= outputLimit else { throw BenchError("`\(line)` wrote more than \(outputLimit) bytes") }
            }
        }
    } catch let error as BenchError {
        throw error
    } catch let error as CancellationError {
        throw error
    } catch {
        throw BenchError("`\(line)` could not be run: \(error)")
    }
    return written.withLock { written in
        CommandResult(
            status: status, standardOutput: String(decoding: written[.output] ?? [], as: UTF8.self),
            standardError: String(decoding: written[.error] ?? [], as: UTF8.self))
    }
}
