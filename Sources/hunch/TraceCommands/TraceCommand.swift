import ArgumentParser

/// `hunch trace`: what triggers are decided from, recorded and replayed.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Record what Hunch watches, and replay such a recording.",
        discussion: """
            A trace is JSON Lines: what BlueZ, the audio server, the session, players
            and others showed, with the time.

            Example:
              hunch trace record headphones.jsonl
              hunch trace replay headphones.jsonl
            """,
        subcommands: [TraceRecordCommand.self, TraceReplayCommand.self])
}
