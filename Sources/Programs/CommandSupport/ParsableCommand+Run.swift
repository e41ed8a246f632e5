package import ArgumentParser
internal import Localization

extension AsyncParsableCommand {
    /// Runs the command, writes its errors, and exits if it fails.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - describe: returns the error to write for an error of a module.
    package static func run(
        _ arguments: [String], describe: @Sendable (any Error) -> CommandError
    ) async {
        // Read before parsing, so that errors in the arguments are written as JSON, too.
        let json = arguments.prefix { $0 != "--" }.contains("--json")
        // The parser shows the general help for an unknown command.
        if arguments.first == "help", let fault = CommandNames.fault(in: Array(arguments.dropFirst()), of: Self.self) {
            CommandError(fault, ExitStatus.badInput, code: "usage").tell(json: json)
            exit(withError: ExitStatus.badInput)
        }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ExitCode {
            exit(withError: error)
        } catch  where exitCode(for: error) == .success {
            // Help, version and completion scripts. The parser would ignore write errors.
            end(with: Result { try Output.raw(ParserTexts.translated(help: fullMessage(for: error))) }, json, describe)
        } catch  where exitCode(for: error) == .validationFailure {
            CommandError(
                CommandNames.fault(in: arguments, of: Self.self) ?? usage(error), ExitStatus.badInput, code: "usage"
            ).tell(
                json: json)
            exit(withError: ExitStatus.badInput)
        } catch {
            end(with: .failure(error), json, describe)
        }
    }

    private static func end(
        with result: Result<Void, any Error>, _ json: Bool, _ describe: (any Error) -> CommandError
    ) -> Never {
        do {
            try result.get()
            exit(withError: ExitCode.success)
        } catch {
            let failure = describe(error)
            failure.tell(json: json)
            exit(withError: failure.status)
        }
    }

    /// Returns the error in the arguments, and the command for help.
    private static func usage(_ error: any Error) -> String {
        var message = ParserTexts.translated(error: message(for: error))
        if message.hasSuffix(".") { message.removeLast() }
        // The parser's last line is “See 'hunch place --help' for more information.”
        let help = fullMessage(for: error).split(separator: "'").last { $0.hasSuffix(" --help") }
        guard let help else { return message }
        return message.hasSuffix("?")
            ? localized("%1 See “%2”", message, help) : localized("%1; see “%2”", message, help)
    }
}
