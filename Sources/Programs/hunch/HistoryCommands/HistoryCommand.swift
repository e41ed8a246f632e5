import CommandReports
internal import HistoryExport
import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchModel
import Localization

/// `hunch history`: lists recent actions and suggestions from the file, without an agent.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: localized("List recent actions, the latest first."),
        discussion: localized(
            """
            Each action is described in the words that its app declares for its kind. With --suggestions, each line is a \
            suggestion and its last outcome: shown, accepted, dismissed, closed, expired (no answer), failed, \
            withdrawn (its reason ended) or replaced by another one. Exit code 1: \
            nothing is found. “hunch export” writes all of it; “hunch forget --action” deletes one action.

            Example:
              hunch history --limit 10
              hunch history --kind playMedia --json
              hunch history --search jazz
              hunch history --suggestions
            """))

    @Option(help: .localized("The maximum number of lines, 1 to 10000."))
    var limit = 50
    @Option(help: .localized("Only actions of this kind, such as playMedia.", valueName: "kind"))
    var kind: String?
    @Option(help: .localized("Only this app: its name or desktop identifier.", valueName: "app"))
    var app: AppID?
    @Option(
        help: .localized(
            "Only actions whose description, app or app name contains this text. Case does not matter.",
            valueName: "text"))
    var search: String?
    @Flag(help: .localized("List what was suggested, and the last outcome of each suggestion."))
    var suggestions = false
    @Flag(help: .localized("Also list the identifiers of actions, for “hunch forget --action”."))
    var ids = false
    @Flag(
        help: .localized(
            "Write one JSON object a line: the keys of “hunch export”, “id”, “summary” and “name”."))
    var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError(localized("--limit is 1 to 10000")) }
        guard search != "", app?.isEmpty != true else {
            throw ValidationError(localized("--search and --app need a text"))
        }
        guard !suggestions || kind == nil && search == nil && !ids else {
            throw ValidationError(localized("--suggestions lists suggestions; leave out --kind, --search and --ids"))
        }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else {
            throw CommandError(Self.nothingRecorded, ExitStatus.nothingFound)
        }
        let known = KnownApps(environment: environment)
        let applications = try store.applications()
        let app = try app.map { try known.named($0, among: applications) ?? $0 }
        let count =
            suggestions
            ? try listSuggestions(store, of: app, AppNames(environment: environment))
            : try listActions(store, of: app, DonationWords(environment: environment))
        guard count == 0 else { return }
        if let app, !applications.contains(app) {
            throw CommandError(
                try known.named(app, among: applications) == nil
                    ? known.fault(app, among: applications) : localized("nothing of the app %1 was recorded", app),
                ExitStatus.nothingFound)
        }
        throw nothing(of: app)
    }

    // MARK: Actions

    private struct ActionFields: Encodable {
        let donation: Donation
        let id: ActionRow
        let summary: String
        let name: String

        private enum Key: CodingKey { case id, summary, name }

        func encode(to encoder: any Encoder) throws {
            try ExportLine.DonationLine(donation).encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id.description, forKey: .id)
            try container.encode(summary, forKey: .summary)
            try container.encode(name, forKey: .name)
        }
    }

    private func listActions(_ store: HistoryStore, of app: AppID?, _ words: DonationWords) throws -> Int {
        var words = words
        var found: [ActionFields] = []
        let wanted = search?.lowercased()
        // Lines are written after reading, because a slow reader of a pipe would delay forgetting.
        try store.forEachNewestDonation(of: kind.map(Donation.Kind.init(rawValue:)), by: app) { donation, row in
            let fields = ActionFields(
                donation: donation, id: row, summary: words.words(for: donation),
                name: words.name(of: donation.application))
            if wanted.map({ Self.contains($0, fields) }) ?? true { found.append(fields) }
            return found.count < limit
        }
        func cells(_ action: ActionFields) -> [String] {
            let donation = action.donation
            return [LocalDate.dated(donation.date), action.name, action.summary]
        }
        let (when, app, what) = (localized("When"), localized("App"), localized("What"))
        if ids {
            try Table.list(found, json: json, when, app, what, localized("ID")) { cells($0) + [$0.id.description] }
        } else {
            try Table.list(found, json: json, when, app, what, cells: cells)
        }
        return found.count
    }

    /// Returns whether an action contains a text, which is in lower case.
    private static func contains(_ text: String, _ action: ActionFields) -> Bool {
        [action.summary, action.donation.application.rawValue, action.name].contains {
            $0.lowercased().contains(text)
        }
    }

    // MARK: Suggestions

    private struct SuggestionFields: Encodable {
        let engagement: Engagement
        let name: String

        func encode(to encoder: any Encoder) throws {
            try PastSuggestion(
                engagement, name: name, date: RecordedTime(engagement.date).text
            ).encode(to: encoder)
        }
    }

    private func listSuggestions(_ store: HistoryStore, of app: AppID?, _ apps: AppNames) throws -> Int {
        var apps = apps
        let fields = try store.lastEngagements(by: app, limit: limit).map { engagement in
            SuggestionFields(engagement: engagement, name: apps.name(of: engagement.application))
        }
        try Table.list(
            fields, json: json, localized("When"), localized("App"), localized("Suggestion"), localized("Outcome")
        ) {
            let engagement = $0.engagement
            return [
                RecordedTime(engagement.date).words, $0.name,
                engagement.item?.title ?? engagement.kind.words, engagement.outcome.words,
            ]
        }
        return fields.count
    }

    // MARK: Nothing

    private static let nothingRecorded = localized(
        "nothing was recorded yet; once “hunch enable” was called, play something for half a minute, or ask for a route"
    )

    private func nothing(of app: AppID?) -> CommandError {
        let sentence: String
        switch (suggestions, search, kind, app) {
        case (true, _, _, let app?): sentence = localized("nothing of the app %1 was suggested", app)
        case (true, _, _, nil): sentence = localized("nothing was suggested yet")
        case (_, let search?, _, _): sentence = localized("no recorded action contains “%1”", search.cut(to: 60))
        case (_, _, let kind?, let app?):
            sentence = localized("nothing of the kind %1 of the app %2 was recorded", kind, app)
        case (_, _, let kind?, nil):
            sentence = NearName.fault(
                localized("nothing of the kind %1 was recorded", kind), kind, among: DonationWords.standardKinds)
        case (_, _, _, let app?): sentence = localized("no action of the app %1 was recorded", app)
        default: sentence = Self.nothingRecorded
        }
        return CommandError(sentence, ExitStatus.nothingFound)
    }
}
