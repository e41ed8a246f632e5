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

/// Ends a command: one line on standard error, with `--json` an object on standard output too, and an exit code.
struct CommandError: Error {
    /// The error's code for programs, in camel case.
    let code: String
    /// One sentence for a person, without a full stop; `nil` if it was written already.
    let message: String?
    /// The exit code.
    let status: ExitCode
    /// Whether the command's output with `--json` contains the error already.
    let isInOutput: Bool

    /// - Parameter code: by default `notFound`, `badInput` or `trouble`, by the status.
    init(_ message: String?, _ status: ExitCode, code: String? = nil, isInOutput: Bool = false) {
        self.code = code ?? Self.code(of: status)
        self.message = message
        self.status = status
        self.isInOutput = isInOutput
    }

    /// Nothing was found, and no message is needed.
    static let nothingFound = CommandError(nil, ExitStatus.nothingFound)

    /// Returns the same error with another ``isInOutput``.
    func inOutput(_ isInOutput: Bool) -> CommandError {
        CommandError(message, status, code: code, isInOutput: isInOutput)
    }

    /// Writes the error.
    ///
    /// - Parameter json: whether the command writes JSON.
    func tell(json: Bool) {
        guard let message else { return }
        if json, !isInOutput, let field = ErrorField(self) { try? Output.raw(Output.json(ErrorObject(error: field))) }
        Output.complain(message)
    }

    private struct ErrorObject: Encodable { let error: ErrorField }

    private static func code(of status: ExitCode) -> String {
        switch status {
        case ExitStatus.nothingFound: "notFound"
        case ExitStatus.badInput: "badInput"
        default: "trouble"
        }
    }
}
