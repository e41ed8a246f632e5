import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchModel

/// `hunch history`: lists recent actions from the file, without an agent.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List recent actions, the latest first.",
        discussion: """
            Each action is described in the words that its app declares for its kind. Exit code 1: nothing is recorded. \
            “hunch export” writes all of it.

            Example:
              hunch history --limit 10
              hunch history --kind playMedia --json
            """)

    @Option(help: "The maximum number of lines, 1 to 10000.")
    var limit = 50
    @Option(help: ArgumentHelp("Only actions of this kind, such as playMedia.", valueName: "kind"))
    var kind: String?
    @Flag(help: "Write one JSON object a line, as “hunch export” does.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is 1 to 10000") }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else { throw Self.nothing(of: kind) }
        let donations = try store.donations(of: kind.map(Donation.Kind.init(rawValue:)), limit: limit)
        var table = Table("When", "App", "What")
        var words = DonationWords(environment: environment)
        for donation in donations {
            let when = ExportLine.text(of: donation.date.milliseconds)
            if json {
                try Output.raw(Output.json(ExportLine.DonationLine(donation)))
            } else {
                table.add(when, donation.application.rawValue, words.words(for: donation))
            }
        }
        if !json { try table.print() }
        if donations.isEmpty { throw Self.nothing(of: kind) }
    }

    private static func nothing(of kind: String?) -> CommandError {
        CommandError(
            kind.map {
                NearName.fault("nothing of the kind \($0) was recorded", $0, among: DonationWords.standardKinds)
            } ?? "nothing was recorded yet", ExitStatus.nothingFound)
    }
}
