import AgentInterface
import ArgumentParser
import CommandSupport

/// The `hunch-dev` command, for developers of apps and of Hunch. Exit codes as of `hunch`. It speaks English in every locale, as
/// its traces and tables do, so it opens no catalogue of translations.
@main
struct HunchDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch-dev",
        abstract:
            "Writes and checks apps, measures predictions, records and replays what is watched, and draws coverage.",
        version: HunchVersion.full,
        subcommands: [
            NewCommand.self, CheckCommand.self, TriggerCommand.self, ConformanceCommand.self, EvaluateCommand.self,
            TraceCommand.self,
            FromGTFSCommand.self, ManualCommand.self,
        ])

    static func main() async {
        await run(Array(CommandLine.arguments.dropFirst()), describe: CommandError.init(ofFiles:))
    }
}
