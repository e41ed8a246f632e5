import CommandSupport
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
                    FindCommand.self, OpenCommand.self, DirectionsCommand.self, PlaceCommand.self, PlacesCommand.self,
                    MarkupCommand.self,
                    GeocodeCommand.self,
                    ReverseCommand.self,
                    SuggestionsCommand.self, AcceptCommand.self, DismissCommand.self, ExplainCommand.self,
                    DevicesCommand.self, DeviceCommand.self, PlayersCommand.self, ActivityCommand.self,
                    CalendarCommand.self,
                    EnableCommand.self, DisableCommand.self, StatusCommand.self, PauseCommand.self,
                    UnpauseCommand.self, HandlerCommand.self, BrowserCommand.self, SettingsCommand.self,
                ]),
            CommandGroup(
                name: localized("Privacy"),
                subcommands: [
                    ForgetCommand.self, ExcludeCommand.self, KeepCommand.self, MutedCommand.self,
                    LockScreenCommand.self,
                    AllowCommand.self, OnlineCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: localized("Data"),
                subcommands: [
                    HistoryCommand.self, IndexCommand.self, AppsCommand.self, ReportCommand.self, DonateCommand.self,
                    GazetteerCommand.self,
                    RegionsCommand.self,
                ]),
            CommandGroup(
                name: localized("Diagnosis"),
                subcommands: [
                    DoctorCommand.self, SimulateCommand.self, TraceCommand.self, ManualCommand.self,
                ]),
        ])

    static func main() async {
        Catalogue.open()
        let arguments = Array(CommandLine.arguments.dropFirst())
        DeveloperProgram.run(arguments)
        await run(arguments, describe: { CommandError($0) })
    }
}
