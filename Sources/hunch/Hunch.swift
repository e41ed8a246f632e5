import ArgumentParser
import FoundationEssentials

/// The `hunch` command. Exit codes: 0 answered, 1 nothing found, 2 bad usage or input, 3 agent or system trouble.
@main
struct Hunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch",
        abstract: "Suggestions for the moment: what to play, how to get there.",
        version: "0.1.0",
        subcommands: [
            DirectionsCommand.self,
            RegionsCommand.self,
            PlaceCommand.self,
            GeocodeCommand.self,
            ReverseCommand.self,
            GazetteerCommand.self,
            EnableCommand.self,
            DisableCommand.self,
            StatusCommand.self,
            DoctorCommand.self,
            SuggestionsCommand.self,
            AcceptCommand.self,
            DismissCommand.self,
            ExplainCommand.self,
            PlayersCommand.self,
            DevicesCommand.self,
            SimulateCommand.self,
        ])

    /// Runs the command, and maps what it throws: the parser's own exit codes are not ours.
    static func main() async {
        do {
            var command = try parseAsRoot()
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
            Output.complain(message(for: error))
            exit(withError: ExitStatus.badInput)
        } catch {
            let failure = CommandError(error)
            if let message = failure.message { Output.complain(message) }
            exit(withError: failure.status)
        }
    }
}
