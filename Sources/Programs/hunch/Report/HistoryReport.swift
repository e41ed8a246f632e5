import FoundationEssentials
import History
import HunchModel
import Localization
import Prediction

/// The figures of a history for `hunch report`.
///
/// Its size depends on the days, apps and distinct actions of the history, not on the number of its rows.
struct HistoryReport {
    /// An app with its name.
    struct App {
        let application: AppID
        let name: String
        let records: RecordedApp
    }

    /// A frequent action in the words of its kind.
    struct CommonAction {
        let words: String
        let applicationName: String
        let count: Int
    }

    /// A suggestion with its last outcome.
    struct Suggested {
        let engagement: Engagement
        let applicationName: String
    }

    /// The number of newest actions that are evaluated. More would take minutes.
    static let evaluatedActions = 200_000
    /// The number of rows of the lists of apps, actions and suggestions.
    static let listedRows = 10

    /// The date of the report.
    let date: Date
    /// The number of actions of each day with actions.
    private(set) var days: [LocalDay: Int] = [:]
    /// The apps with actions, the one with the most first.
    private(set) var apps: [App] = []
    /// The most frequent actions, the most frequent first.
    private(set) var actions: [CommonAction] = []
    /// The predictions of the actions.
    private(set) var predictions = PredictionTally()
    /// The evaluation of these predictions, as by `hunch-dev evaluate --history`.
    private(set) var evaluation: EvaluationReport
    /// The number of suggestions by kind and last outcome.
    private(set) var outcomes: [OutcomeCount] = []
    /// The latest suggestions, the newest first.
    private(set) var suggestions: [Suggested] = []
    /// The rows and bytes of the history.
    let size: HistorySize
    /// The user's settings.
    let settings: HistorySettings

    /// Reads a history. Writes nothing.
    ///
    /// - Parameters:
    ///   - environment: the environment, for the names of apps.
    ///   - progress: takes the part of the actions that were evaluated, 0…1.
    init(
        _ store: HistoryStore, environment: [String: String], now: Date, progress: (Double) -> Void = { _ in }
    ) throws {
        date = now
        size = try store.size()
        settings = try store.settings()
        for (start, count) in try store.actionCounts() { days[LocalDay(start), default: 0] += count }
        var words = DonationWords(environment: environment)
        apps = try store.recordedApps().filter { $0.value.actions > 0 }.map { application, records in
            App(application: application, name: words.name(of: application), records: records)
        }.sorted { ($1.records.actions, $0.application) < ($0.records.actions, $1.application) }
        actions = try store.commonActions(limit: Self.listedRows).map { action, count in
            CommonAction(
                words: words.words(for: action), applicationName: words.name(of: action.application), count: count)
        }
        outcomes = try store.outcomeCounts()
        suggestions = try store.lastEngagements(limit: Self.listedRows).map {
            Suggested(engagement: $0, applicationName: words.name(of: $0.application))
        }
        var (log, evaluator, tally) = (DonationLog(), Evaluator(), PredictionTally())
        let total = min(days.values.reduce(0, +), Self.evaluatedActions)
        var done = 0
        try store.forEachDonation(newest: Self.evaluatedActions) { donation in
            done += 1
            progress(Double(done) / Double(max(total, 1)))
            if let event = try evaluator.add(log.event(donation)) { tally.add(event, on: LocalDay(donation.date)) }
        }
        (predictions, evaluation) = (tally, evaluator.report)
    }

    /// Whether there is nothing to report.
    var isEmpty: Bool { days.isEmpty && outcomes.isEmpty }

    /// The number of suggestions with an outcome.
    func suggestionCount(_ outcome: Engagement.Outcome? = nil) -> Int {
        outcomes.filter { outcome == nil || $0.outcome == outcome }.reduce(0) { $0 + $1.count }
    }
}
