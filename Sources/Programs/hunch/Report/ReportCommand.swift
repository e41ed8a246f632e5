import ArgumentParser
import CommandSupport
import Files
import FoundationEssentials
import Glibc
import History
import Localization

/// `hunch report`: writes a page about the user's history.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: localized("Write a page with charts about your history."),
        discussion: localized(
            """
            The page is one HTML file that loads nothing and runs no script. It shows what you did, how well Hunch \
            predicts it, what Hunch suggested and what became of it, and what is stored. The file is readable by you \
            only. An earlier report is replaced, any other file is not. With --json and “-”, the figures of the predictions \
            are written instead of the page. Exit code 1: nothing is recorded.

            Example:
              hunch report
              hunch report --output ~/hunch-report.html
            """))

    @Option(help: .localized("The file to write; “-” is standard output.", valueName: "file"), completion: .file())
    var output = "report.html"

    @Flag(
        help: .localized(
            "Write one JSON object: name and size of the file, or with “-” the figures of the predictions."))
    var json = false

    private struct Fields: Encodable {
        let file: String
        let bytes: Int
    }

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError(localized("a path is not empty")) }
    }

    func run() throws {
        // Reading and evaluating may take a while, so the file is checked first.
        if output != "-" { try checkReplaceable() }
        let environment = ProcessInfo.processInfo.environment
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else { throw Self.nothing }
        var bar = ProgressBar(localized("evaluating"))
        defer { bar.end() }
        let report = try HistoryReport(store, environment: environment, now: Date()) { bar.show($0, "") }
        bar.end()
        guard !report.isEmpty else { throw Self.nothing }
        if json, output == "-" { return try Output.raw(Output.json(report.evaluation)) }
        let page = Array(ReportPage(report: report).document.utf8)
        guard output != "-" else { return try Output.write(String(decoding: page, as: UTF8.self), to: STDOUT_FILENO) }
        do throws(SystemError) {
            // The process's number tells two commands apart that write to one file.
            let file = try ReplacementFile(
                of: output, at: "\(output).\(getpid()).partial", mode: 0o600, isExact: true)
            try file.write(page)
            try file.finish()
        } catch {
            throw CommandError(localized("“%1” cannot be written: %2", output, error), ExitStatus.systemFailure)
        }
        if json { return try Output.raw(Output.json(Fields(file: output, bytes: page.count))) }
        try Output.line(localized("wrote %1 (%2); open it in a web browser", output, LocalNumber.size(page.count)))
    }

    private static var nothing: CommandError {
        CommandError(
            localized("nothing is recorded, so there is nothing to report; the history fills while Hunch is enabled"),
            ExitStatus.nothingFound)
    }

    /// - Throws: ``CommandError`` if the file is not a report.
    private func checkReplaceable() throws {
        guard FileManager.default.fileExists(atPath: output) else { return }
        // −1 on failure: whatever it is, it is not a report. A named pipe must not make the command wait.
        let descriptor = open(output, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 1_024)
        // −1 on failure.
        let count = descriptor < 0 ? 0 : max(read(descriptor, &buffer, buffer.count), 0)
        if descriptor >= 0 { close(descriptor) }
        guard String(decoding: buffer[..<count], as: UTF8.self).contains(ReportPage.mark) else {
            throw CommandError(
                localized("“%1” exists and is not a report of Hunch; give another name with --output", output),
                ExitStatus.badInput)
        }
    }
}
