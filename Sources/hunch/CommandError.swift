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
    /// What went wrong, for programs: a word in camel case.
    let code: String
    /// One sentence for a person, without a full stop; `nil` when all has been said already.
    let message: String?
    /// The exit code.
    let status: ExitCode
    /// Whether what the command wrote with `--json` tells of it already.
    let isInOutput: Bool

    /// - Parameter code: by default `notFound`, `badInput` or `trouble`, as the status has it.
    init(_ message: String?, _ status: ExitCode, code: String? = nil, isInOutput: Bool = false) {
        self.code = code ?? Self.code(of: status)
        self.message = message
        self.status = status
        self.isInOutput = isInOutput
    }

    /// Nothing was found, which was already told or needs no telling.
    static let nothingFound = CommandError(nil, ExitStatus.nothingFound)

    /// The same, told in what the command wrote with `--json`.
    func inOutput(_ isInOutput: Bool) -> CommandError {
        CommandError(message, status, code: code, isInOutput: isInOutput)
    }

    /// Tells of it.
    ///
    /// - Parameter json: whether the command was asked for JSON.
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
