import AgentInterface
import ArgumentParser
import FoundationEssentials

/// The `hunch` command. Exit codes: 0 answered, 1 nothing found, 2 bad usage or input, 3 agent or system trouble.
@main
struct Hunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch",
        abstract: "Suggestions for the moment: what to play, how to get there.",
        version: HunchVersion.text,
        subcommands: [
            DirectionsCommand.self,
            EvaluateCommand.self,
            HandlerCommand.self,
            RegionsCommand.self,
            PlaceCommand.self,
            GeocodeCommand.self,
            ReverseCommand.self,
            GazetteerCommand.self,
            OnlineCommand.self,
            EnableCommand.self,
            DisableCommand.self,
            StatusCommand.self,
            DoctorCommand.self,
            SuggestionsCommand.self,
            AcceptCommand.self,
            DismissCommand.self,
            ExplainCommand.self,
            ActivityCommand.self,
            PlayersCommand.self,
            DevicesCommand.self,
            DeviceCommand.self,
            SimulateCommand.self,
            TraceCommand.self,
            ConformanceCommand.self,
            ForgetCommand.self,
            PauseCommand.self,
            ResumeCommand.self,
            ExcludeCommand.self,
            KeepCommand.self,
            LockScreenCommand.self,
            MutedCommand.self,
            ExportCommand.self,
            DonateCommand.self,
            AllowCommand.self,
            HistoryCommand.self,
            ManualCommand.self,
        ])

    /// Runs the command, and maps what it throws: the parser's own exit codes are not ours.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Known before the arguments are, so that what is wrong with them is told in the same way.
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
            // Help and version.
            exit(withError: error)
        } catch  where exitCode(for: error) == .validationFailure {
            CommandError(CommandNames.fault(in: arguments) ?? usage(error), ExitStatus.badInput, code: "usage").tell(
                json: json)
            exit(withError: ExitStatus.badInput)
        } catch {
            let failure = CommandError(error)
            failure.tell(json: json)
            exit(withError: failure.status)
        }
    }

    /// What is wrong with the arguments, and where the right ones are told.
    private static func usage(_ error: any Error) -> String {
        var message = message(for: error)
        if message.hasSuffix(".") { message.removeLast() }
        // The parser's last line is “See 'hunch place --help' for more information.”
        let help = fullMessage(for: error).split(separator: "'").last { $0.hasSuffix(" --help") }
        return help.map { message + (message.hasSuffix("?") ? " See" : "; see") + " “\($0)”" } ?? message
    }
}
