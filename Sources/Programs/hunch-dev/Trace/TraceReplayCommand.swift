import CommandSupport
import Trace
import ArgumentParser
import Glibc
import Localization

/// `hunch-dev trace replay`.
struct TraceReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: localized("Replay a trace: show triggers, suggestions, and reasons to hold them."),
        discussion: TraceFormat.description)

    @Argument(
        help: .localized("A trace; “-” reads standard input.", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var file: String

    @Flag(help: .localized("Write one JSON object a line. The last one is a summary."))
    var json = false

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError(localized("a path is not empty")) }
    }

    func run() async throws {
        let trace = try read()
        for (source, line) in trace.unknownSources.sorted(by: { $0.value < $1.value }) {
            Output.complain(localized("line %1: the source “%2” is not known, and is left out", line, source))
        }
        guard trace.count > 0 else { throw CommandError(localized("the trace is empty"), ExitStatus.nothingFound) }
        let report = try await TraceReplay.run(trace)
        for outcome in report.outcomes + [report.summary] {
            if json { try Output.raw(Output.json(outcome)) } else { try Output.line(outcome.line) }
        }
        guard report.uninvitedPlays + report.duplicateOffers == 0 else {
            throw CommandError(
                localized(
                    "Hunch would have misbehaved: %1 uninvited plays, %2 duplicate offers", report.uninvitedPlays,
                    report.duplicateOffers), ExitStatus.systemFailure, code: "misbehaved", isInOutput: true)
        }
    }

    private func read() throws -> Trace {
        let descriptor = try InputFile.open(file)
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var trace = Trace()
        var number = 0
        let name = file == "-" ? localized("standard input") : "“\(file)”"
        try InputLines.forEach(limit: Trace.lineLimit, of: descriptor, named: name) { line in
            number += 1
            switch line.fault {
            case .tooLong:
                throw CommandError(
                    localized("line %1: it is longer than %2 bytes", number, Trace.lineLimit), ExitStatus.badInput)
            case .notUTF8: throw CommandError(localized("line %1: it is not UTF-8", number), ExitStatus.badInput)
            case nil: break
            }
            do throws(TraceFault) {
                try trace.add(line.text)
            } catch {
                throw CommandError(localized("line %1: %2", error.line, error.message), ExitStatus.badInput)
            }
        }
        return trace
    }
}
