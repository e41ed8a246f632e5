import ArgumentParser

/// The exit codes of every `hunch` command. This is the only place that names them.
enum ExitStatus {
    /// Nothing was found.
    static let nothingFound = ExitCode(1)
    /// The usage or the input was wrong.
    static let badInput = ExitCode(2)
    /// The agent or the system could not do its part.
    static let trouble = ExitCode(3)
}

/// Ends a command: one line on standard error, and an exit code.
struct CommandError: Error {
    /// One sentence for a person, without a full stop; `nil` when all has been said already.
    let message: String?
    /// The exit code.
    let status: ExitCode

    init(_ message: String?, _ status: ExitCode) {
        self.message = message
        self.status = status
    }

    /// Nothing was found, which was already told or needs no telling.
    static let nothingFound = CommandError(nil, ExitStatus.nothingFound)
}
