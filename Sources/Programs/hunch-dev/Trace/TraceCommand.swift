import ArgumentParser

/// `hunch-dev trace`: records what Hunch watches, and replays it.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Record what Hunch watches, and replay the recording.",
        discussion: """
            A trace is JSON Lines. Each line has a time and one report of BlueZ, the audio server, the session, a player \
            or another source.

            Example:
              hunch-dev trace record headphones.jsonl
              hunch-dev trace replay headphones.jsonl
            """,
        subcommands: [TraceRecordCommand.self, TraceReplayCommand.self])
}
