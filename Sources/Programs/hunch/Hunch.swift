import CommandSupport
import PlaceCommands
import AgentInterface
import ArgumentParser
import FoundationEssentials
import Localization

/// The `hunch` command. Exit codes: 0 answered, 1 nothing was found, 2 invalid arguments or input, 3 the agent or the system failed.
@main
struct Hunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch",
        abstract: localized("Suggests what to play and how to get there."),
        version: HunchVersion.full,
        groupedSubcommands: [
            CommandGroup(
                name: localized("Everyday"),
                subcommands: [
                    DirectionsCommand.self, SuggestionsCommand.self, FindCommand.self, OpenCommand.self,
                    AcceptCommand.self, DismissCommand.self,
                    ExplainCommand.self, WhyNotCommand.self,
                    PlacesCommand.self, CalendarCommand.self, SettingsCommand.self,
                ]),
            CommandGroup(
                name: localized("On and off"),
                subcommands: [
                    EnableCommand.self, DisableCommand.self, StatusCommand.self, PauseCommand.self,
                    UnpauseCommand.self, DoctorCommand.self, PurgeCommand.self,
                ]),
            CommandGroup(
                name: localized("Privacy"),
                subcommands: [
                    AllowCommand.self, ForgetCommand.self, ExcludeCommand.self, MutedCommand.self, HistoryCommand.self,
                    AppsCommand.self, KeepCommand.self, LockScreenCommand.self, DeveloperCommand.self,
                    OnlineCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: localized("Devices and programs"),
                subcommands: [
                    DevicesCommand.self, DeviceCommand.self, PlayersCommand.self, ActivityCommand.self,
                    HandlerCommand.self, BrowserCommand.self,
                ]),
            CommandGroup(
                name: localized("Tools"),
                subcommands: [
                    PlaceCommand.self, GeocodeCommand.self, ReverseCommand.self, GazetteerCommand.self,
                    RegionsCommand.self, MarkupCommand.self, IndexCommand.self, DonateCommand.self, ReportCommand.self,
                    SimulateCommand.self, ManualCommand.self,
                ]),
        ])

    static func main() async {
        Catalogue.open()
        let arguments = Array(CommandLine.arguments.dropFirst())
        DeveloperProgram.run(arguments)
        await run(arguments, describe: { CommandError($0) })
    }
}
