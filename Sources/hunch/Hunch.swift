import ArgumentParser

/// The `hunch` command. Exit codes: 0 answered, 1 nothing found, 2 bad usage or input, 3 agent or system trouble.
@main
struct Hunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hunch",
        abstract: "Suggestions for the moment: what to play, how to get there.",
        version: "0.1.0",
        subcommands: [])
}
