import AgentInterface
import ArgumentParser
import CommandSupport
import Localization

/// The `hunch-dev` command, for developers of apps and of Hunch. Exit codes as of `hunch`.
@main
struct HunchDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch-dev",
        abstract: "Checks apps, measures predictions, records and replays what is watched, and draws coverage.",
        version: HunchVersion.full,
        subcommands: [
            ConformanceCommand.self, EvaluateCommand.self, TraceCommand.self, FromGTFSCommand.self, ManualCommand.self,
        ])

    static func main() async {
        Catalogue.open()
        await run(Array(CommandLine.arguments.dropFirst()), describe: CommandError.init(ofFiles:))
    }
}
