import AgentInterface
import ArgumentParser
import FoundationEssentials

/// The `hunch` command. Exit codes: 0 answered, 1 nothing found, 2 bad usage or input, 3 agent or system trouble.
@main
struct Hunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch",
        abstract: "Suggests what to play and how to get there.",
        version: HunchVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    DirectionsCommand.self, PlaceCommand.self, GeocodeCommand.self, ReverseCommand.self,
                    SuggestionsCommand.self, AcceptCommand.self, DismissCommand.self, ExplainCommand.self,
                    DevicesCommand.self, DeviceCommand.self, PlayersCommand.self, ActivityCommand.self,
                    EnableCommand.self, DisableCommand.self, StatusCommand.self, PauseCommand.self,
                    UnpauseCommand.self, HandlerCommand.self,
                ]),
            CommandGroup(
                name: "Privacy",
                subcommands: [
                    ForgetCommand.self, ExcludeCommand.self, KeepCommand.self, MutedCommand.self,
                    LockScreenCommand.self,
                    AllowCommand.self, OnlineCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: "Data",
                subcommands: [HistoryCommand.self, DonateCommand.self, GazetteerCommand.self, RegionsCommand.self]),
            CommandGroup(
                name: "Diagnosis",
                subcommands: [
                    DoctorCommand.self, EvaluateCommand.self, SimulateCommand.self, TraceCommand.self,
                    ConformanceCommand.self, ManualCommand.self,
                ]),
        ])

    /// Runs the command and maps its errors to our exit codes.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Read before parsing, so that errors in the arguments are written as JSON, too.
        let json = arguments.prefix { $0 != "--" }.contains("--json")
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
            end(with: Result { try Output.raw(fullMessage(for: error)) }, json: json)
        } catch  where exitCode(for: error) == .validationFailure {
            CommandError(CommandNames.fault(in: arguments) ?? usage(error), ExitStatus.badInput, code: "usage").tell(
                json: json)
            exit(withError: ExitStatus.badInput)
        } catch {
            end(with: .failure(error), json: json)
        }
    }

    private static func end(with result: Result<Void, any Error>, json: Bool) -> Never {
        do {
            try result.get()
            exit(withError: ExitCode.success)
        } catch {
            let failure = CommandError(error)
            failure.tell(json: json)
            exit(withError: failure.status)
        }
    }

    /// Returns the error in the arguments, and the command for help.
    private static func usage(_ error: any Error) -> String {
        var message = message(for: error)
        if message.hasSuffix(".") { message.removeLast() }
        // The parser's last line is “See 'hunch place --help' for more information.”
        let help = fullMessage(for: error).split(separator: "'").last { $0.hasSuffix(" --help") }
        return help.map { message + (message.hasSuffix("?") ? " See" : "; see") + " “\($0)”" } ?? message
    }
}
