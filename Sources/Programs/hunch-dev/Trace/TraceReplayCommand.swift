import CommandSupport
import Trace
import ArgumentParser
import Glibc

/// `hunch-dev trace replay`.
struct TraceReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a trace: show triggers, suggestions, and reasons to hold them.",
        discussion: TraceFormat.description)

    @Argument(
        help: .init("A trace; “-” reads standard input.", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var file: String

    @Flag(help: "Write one JSON object a line. The last one is a summary.")
    var json = false

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("a path is not empty") }
    }

    func run() async throws {
        let trace = try read()
        for (source, line) in trace.unknownSources.sorted(by: { $0.value < $1.value }) {
            Output.complain("line \(line): the source “\(source)” is not known, and is left out")
        }
        guard trace.count > 0 else { throw CommandError("the trace is empty", ExitStatus.nothingFound) }
        let report = try await TraceReplay.run(trace)
        for outcome in report.outcomes + [report.summary] {
            if json { try Output.raw(Output.json(outcome)) } else { try Output.line(outcome.line) }
        }
        guard report.uninvitedPlays + report.duplicateOffers == 0 else {
            throw CommandError(
                "Hunch would have misbehaved: \(report.uninvitedPlays) uninvited plays, \(report.duplicateOffers) duplicate offers",
                ExitStatus.systemFailure, code: "misbehaved", isInOutput: true)
        }
    }

    private func read() throws -> Trace {
        let descriptor = try InputFile.open(file)
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var trace = Trace()
        var number = 0
        let name = file == "-" ? "standard input" : "“\(file)”"
        try InputLines.forEach(limit: Trace.lineLimit, of: descriptor, named: name) { line in
            number += 1
            switch line.fault {
            case .tooLong:
                throw CommandError(
                    "line \(number): it is longer than \(Trace.lineLimit) bytes", ExitStatus.badInput)
            case .notUTF8: throw CommandError("line \(number): it is not UTF-8", ExitStatus.badInput)
            case nil: break
            }
            do throws(TraceFault) {
                try trace.add(line.text)
            } catch {
                throw CommandError("line \(error.line): \(error.message)", ExitStatus.badInput)
            }
        }
        return trace
    }
}
