package import ArgumentParser
internal import BulkFiles
internal import History
internal import HunchModel
internal import Regions

/// The exit codes of `hunch` and `hunch-dev`.
package enum ExitStatus {
    /// The exit code if nothing was found.
    package static let nothingFound = ExitCode(1)
    /// The exit code for invalid arguments or input.
    package static let badInput = ExitCode(2)
    /// The exit code if the agent or the system failed.
    package static let systemFailure = ExitCode(3)
}

/// Ends a command: one line on standard error, with `--json` an object on standard output too, and an exit code.
package struct CommandError: Error {
    /// The error's code for programs, in camel case.
    package let code: String
    /// One sentence for a user, without a full stop; `nil` if it was written already.
    package let message: String?
    /// The exit code.
    package let status: ExitCode
    /// Whether the command's output with `--json` contains the error already.
    package let isInOutput: Bool

    /// - Parameter code: by default `notFound`, `badInput` or `trouble`, by the exit code.
    package init(_ message: String?, _ status: ExitCode, code: String? = nil, isInOutput: Bool = false) {
        self.code = code ?? Self.code(of: status)
        self.message = message
        self.status = status
        self.isInOutput = isInOutput
    }

    /// Returns the same error with another ``isInOutput``.
    package func inOutput(_ isInOutput: Bool) -> CommandError {
        CommandError(message, status, code: code, isInOutput: isInOutput)
    }

    /// Writes the error.
    ///
    /// - Parameter json: whether the command writes JSON.
    package func tell(json: Bool) {
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

/// An error in the output of commands.
package struct ErrorField: Encodable {
    package let code: String
    package let message: String

    package init(code: String, message: String) { (self.code, self.message) = (code, message) }
}

extension ErrorField {
    /// Creates the error for JSON; `nil` if it was written already.
    package init?(_ error: CommandError) {
        guard let message = error.message else { return nil }
        self.init(code: error.code, message: Output.cut(message))
    }
}

extension CommandError {
    /// Returns the error to write for an error of a module that reads files or the history, or for any other error.
    package init(ofFiles error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ImportError:
            self.init(error.message, ExitStatus.badInput, code: error.code.rawValue)
        case let error as RegionError:
            self.init(error.message, ExitStatus.systemFailure, code: error.code.rawValue)
        case let error as HistoryError:
            self.init(
                error.message, error.code == .invalidInput ? ExitStatus.badInput : ExitStatus.systemFailure,
                code: error.code.rawValue)
        default: self.init("\(error)", ExitStatus.systemFailure)
        }
    }
}
