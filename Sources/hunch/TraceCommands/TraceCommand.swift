import ArgumentParser

/// `hunch trace`: records and replays the input of the decisions.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Record what Hunch watches, and replay the recording.",
        discussion: """
            A trace is JSON Lines: what BlueZ, the audio server, the session, players \
            and others showed, with the time.

            Example:
              hunch trace record headphones.jsonl
              hunch trace replay headphones.jsonl
            """,
        subcommands: [TraceRecordCommand.self, TraceReplayCommand.self])
}
