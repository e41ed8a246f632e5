import CommandSupport
import ArgumentParser
import FoundationEssentials
import Glibc
import History
import HunchModel
import Prediction

/// `hunch-dev evaluate`: measures how well actions are predicted from earlier ones.
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure how well the learner predicts a log of events.",
        discussion: """
            A log is JSON Lines, the oldest event first: {"user", "action", "at"?, "context"?, "phase"?}. Each event is \
            predicted from that user's earlier events, then learned; with "phase": "learn" or "predict" only that. \
            "at" is ISO 8601 (hour and weekday as written; UTC where there is no offset) or seconds since 1970 (UTC). \
            "context" is an object of texts; null and "" are absent. Its key "trigger" is what happened just before \
            (a device connected); all others, "device" too, are circumstances, of which the first eight names of a \
            user count, "hour" and "weekday" among them. These two are taken from "at" unless "context" gives them. \
            Learn-only events that follow on each other in the same context without "at" are one moment; in a log in which \
            no user does the same again in the same context, they need not follow on each other.

            Methods: hunch; mfu, the most frequent; mru, the most recent; markov1, what most often followed on the last, \
            then mfu; contextMFU, the most frequent in exactly the same context, hour, weekday and trigger included, \
            then mfu. An action that its user never did before counts as a miss for all.

            Rates are shares of the predicted events (micro) and means over users (macro): HR@n, the right action is \
            among the first n; MRR@10, the mean of 1/rank within the first ten. JSON keys: users, events, predicted, \
            learned, unseen (first uses among the predicted), offers (how often Hunch was sure \
            enough to offer its first), falseOffers and falseOfferRate (of the offers), methods.NAME.micro|macro.hr1|hr3|hr4|hr5|mrr10, \
            microsecondsPerPrediction, microsecondsPerUpdate, bytesPerUser, greatestBytesPerUser.

            --history evaluates the donations that “hunch history” lists, oldest first, as events of one user in their recorded \
            contexts; nothing is written. Equivalent donations are one action: the route to one place by one app, the opening \
            of one document. For media the action is the item if it was played before, and otherwise its app with a new item.

            Limits: \(LogLine.maximumLength) bytes a line, \(Evaluator.maximumUsers) users, \(Evaluator.maximumActions) \
            distinct actions; “user” \(LogLine.maximumUser) bytes, “action” \(LogLine.maximumAction); “context” \
            \(LogLine.maximumKeys) keys of \(LogLine.maximumKey) bytes with values of \(LogLine.maximumValue). A line beyond them, \
            or one that is not JSON, ends the evaluation with its number.

            Example:
              hunch-dev evaluate log.jsonl
              hunch-dev evaluate --json --ranked ranked.jsonl - < log.jsonl
              hunch-dev evaluate --history
            """)

    @Argument(help: ArgumentHelp("A log of events; “-” reads standard input.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(help: "Evaluate on your own history, which is only read.")
    var history = false

    @Option(help: ArgumentHelp("Write the first ten of each predicted event there, as JSON Lines.", valueName: "out"))
    var ranked: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    func validate() throws {
        guard (file != nil) != history else {
            throw ValidationError("give either a log, “-” being standard input, or --history")
        }
        guard ranked == nil || !history else {
            throw ValidationError("--ranked needs a log; leave out --history")
        }
        guard file != "" && ranked != "" else { throw ValidationError("a path is not empty") }
    }

    func run() throws {
        let report = try file.map(evaluateLog) ?? evaluateHistory()
        guard report.predicted > 0 else {
            throw CommandError(
                history
                    ? "the history holds nothing yet; it fills as things are done while Hunch is enabled"
                    : "the log has no event to predict; an event with \"phase\": \"learn\" is only learned",
                ExitStatus.nothingFound)
        }
        if json { return try Output.raw(Output.json(EvaluationFields(report))) }
        try report.lines(for: .output).forEach(Output.raw)
    }

    private func evaluateLog(_ path: String) throws -> EvaluationReport {
        let descriptor = try InputFile.open(path)
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let rankings = try ranked.map { ranked in
            guard !Self.isSame(ranked, descriptor) else {
                throw CommandError("“\(ranked)” is the log itself; give --ranked another file", ExitStatus.badInput)
            }
            return try PartialFile(path: ranked)
        }
        var evaluator = Evaluator()
        var number = 0
        let name = path == "-" ? "standard input" : "“\(path)”"
        try InputLines.forEach(limit: LogLine.maximumLength, of: descriptor, named: name) { line in
            number += 1
            do {
                switch line.fault {
                case .tooLong: throw LogLine.Fault("it is longer than \(LogLine.maximumLength) bytes")
                case .notUTF8: throw LogLine.Fault("it is not UTF-8")
                case nil: break
                }
                if line.text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
                guard let best = try evaluator.add(LogLine.event(line.text)) else { return }
                try rankings?.line(
                    Output.json(RankedLine(line: number, ranked: best.ranked.map(\.application.rawValue))))
            } catch let fault as LogLine.Fault {
                throw CommandError("line \(number): \(fault.message)", ExitStatus.badInput)
            } catch let error as EvaluationError {
                throw CommandError("line \(number): \(error.message)", ExitStatus.badInput)
            }
        }
        try rankings?.finish()
        return evaluator.report
    }

    private func evaluateHistory() throws -> EvaluationReport {
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        var evaluator = Evaluator()
        var failure: EvaluationError?
        var log = DonationLog()
        try HistoryStore.openReadOnly(at: path)?.forEachDonation { donation in
            do {
                _ = try evaluator.add(log.event(donation))
            } catch let error as EvaluationError {
                failure = error
                throw error
            }
        }
        if let failure { throw CommandError(failure.message, ExitStatus.systemFailure) }
        return evaluator.report
    }

    /// Whether a path names an open file.
    private static func isSame(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        // −1 on failure: the file is missing, or reading it will fail.
        guard stat(path, &named) == 0, fstat(descriptor, &opened) == 0 else { return false }
        return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
    }
}
