public import Glibc
import Synchronization

/// A child process that runs while a test's body does; see ``withDaemon(_:readyWithin:grace:_:)``.
public struct Daemon: Sendable {
    let child: Child

    /// The name of its program.
    public var name: String { child.command.name }

    /// Its process number.
    public let processIdentifier: pid_t

    /// The output so far, both streams in the order in which they were read; the last 1 MiB.
    public var output: String { child.progress.state.transcript.text }

    /// The number of lines written so far, for a later ``waitForLine(containing:from:)``.
    public var lineCount: Int { child.progress.state.transcript.count }

    /// Whether it has not ended yet.
    public var isRunning: Bool { child.progress.state.termination == nil }

    /// Sends a signal, `SIGTERM` say; does nothing when it has ended.
    public func signal(_ number: Int32) { child.send(number) }

    /// Waits for a line that contains `text` and returns it, the first one from line number `start` on.
    ///
    /// - Throws: `BenchError` with the output if the process ends without such a line, or after `limit`.
    @discardableResult
    public func waitForLine(
        containing text: String, from start: Int = 0, within limit: Duration = .seconds(60)
    ) async throws -> String {
        // Each line is looked at once, however often there is something new.
        let next = Mutex(start)
        return try await withDeadline(limit, "a line with “\(text)” from \(name), which wrote:\n\(output)\nIt") {
            try await child.progress.wait { progress in
                let from = next.withLock { next in
                    defer { next = max(next, progress.transcript.count) }
                    return next
                }
                if let line = progress.transcript.line(containing: text, from: from) { return line }
                if let error = progress.earlyEnd(of: name, "without a line with “\(text)”") { throw error }
                return nil
            }
        }
    }

    /// Waits until the process has ended and all its output has been read.
    ///
    /// - Throws: `BenchError` after `limit`.
    @discardableResult
    public func waitForExit(within limit: Duration = .seconds(60)) async throws -> Termination {
        try await withDeadline(limit, "the end of \(name)") {
            try await child.progress.wait { try $0.outcome?.get() }
        }
    }
}

extension Child.Progress {
    /// Returns the message about a program that has ended too early; `nil` if it runs.
    func earlyEnd(of name: String, _ when: String) -> BenchError? {
        switch outcome {
        case nil: nil
        case .success(let termination): BenchError("\(name) \(termination) \(when); it wrote:\n\(transcript.text)")
        case .failure(let error): BenchError("\(name) could not be run: \(error)")
        }
    }
}
