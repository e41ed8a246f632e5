import FoundationEssentials
import History
import HunchModel

/// The sections about suggestions and about what is stored.
extension ReportPage {
    /// The outcomes, in the order of a bar.
    private static let outcomes: [(outcome: Engagement.Outcome, words: String)] = [
        (.accepted, "Accepted"), (.dismissed, "Dismissed"), (.expired, "No answer"), (.failed, "Failed"),
        (.shown, "Withdrawn or open"),
    ]

    /// The suggestions and their outcomes.
    var suggestions: Section {
        guard !report.outcomes.isEmpty else {
            return Section(id: "suggestions", heading: "Suggestions", content: "<p>Nothing was suggested yet.</p>\n")
        }
        var kinds: [Suggestion.Kind: [Engagement.Outcome: Int]] = [:]
        for count in report.outcomes { kinds[count.kind, default: [:]][count.outcome] = count.count }
        let ordered = kinds.map { (kind: $0.key, counts: $0.value, total: $0.value.values.reduce(0, +)) }
            .sorted { ($1.total, $0.kind.rawValue) < ($0.total, $1.kind.rawValue) }
        let stacks: [HTML] = ordered.map { kind, counts, total in
            """
            <dt><bdi>\(Self.words(kind))</bdi><span class="soft">\(ReportText.number(total))</span></dt>
            <dd>\(Self.stack(counts, total, kind))</dd>

            """
        }
        let rows: [[HTML]] = ordered.map { kind, counts, total in
            ["<bdi class=\"name\">\(Self.words(kind))</bdi>", "\(ReportText.number(total))"]
                + Self.outcomes.map { "\(ReportText.number(counts[$0.outcome] ?? 0))" }
        }
        let total = report.suggestionCount()
        let lead = """
            \(ReportText.count(total, "suggestion")), of which you accepted \
            \(ReportText.number(report.suggestionCount(.accepted))) and dismissed \
            \(ReportText.number(report.suggestionCount(.dismissed))).
            """
        let legend: [HTML] = Self.outcomes.map {
            "<li><i class=\"\($0.outcome.rawValue)\"></i>\($0.words)</li>"
        }
        return Section(
            id: "suggestions", heading: "Suggestions",
            content: """
                <p>\(lead)</p>
                <div class="pair below">
                <figure>
                <dl class="stacks">
                \(stacks)</dl>
                <ul class="legend">\(legend)</ul>
                <figcaption>What became of the suggestions, by kind</figcaption>
                </figure>
                \(ReportTable(
                    id: "outcomes-table", caption: "Suggestions by kind",
                    columns: [.init(heading: "Kind"), .init(heading: "All", isNumber: true)]
                        + Self.outcomes.map { .init(heading: $0.words, isNumber: true) },
                    rows: rows, width: .wide).html)</div>
                \(latest.html)
                """)
    }

    private var latest: ReportTable {
        let rows: [[HTML]] = report.suggestions.map { suggested in
            let (engagement, date) = (suggested.engagement, suggested.engagement.date)
            let outcome = Self.outcomes.first { $0.outcome == engagement.outcome }?.words ?? engagement.outcome.rawValue
            return [
                "<span class=\"time\">\(LocalDay(date).words), \(DateText.words(date, now: date))</span>",
                HTML.name(suggested.applicationName),
                "<bdi class=\"name\">\(Self.words(engagement.kind))</bdi>",
                "<bdi class=\"name\">\(engagement.context.trigger.map(Self.words) ?? "–")</bdi>", "\(outcome)",
            ]
        }
        return ReportTable(
            id: "latest-table", caption: "The latest suggestions, the newest first",
            columns: ["When", "App", "Kind", "Trigger", "Outcome"].map { .init(heading: $0) }, rows: rows, width: .wide)
    }

    /// Returns one bar with a part for each outcome.
    private static func stack(_ counts: [Engagement.Outcome: Int], _ total: Int, _ kind: Suggestion.Kind) -> HTML {
        var parts: HTML = ""
        var start = 0.0
        var description: [String] = []
        for (outcome, words) in outcomes {
            guard let count = counts[outcome], count > 0 else { continue }
            let width = 100 * Double(count) / Double(max(total, 1))
            let hint = "\(words): \(ReportText.number(count))"
            parts += """
                <rect class="\(outcome.rawValue)" x="\(start)" width="\(width)" height="1"><title>\(hint)</title></rect>
                """
            description.append(hint)
            start += width
        }
        return """
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" role="img" \
            aria-label="\(words(kind)): \(description.joined(separator: ", "))">\(parts)</svg>
            """
    }

    private static func words(_ kind: Suggestion.Kind) -> String {
        switch kind {
        case .media: "Media"
        case .directions: "Directions"
        case .call: "Calls"
        case .message: "Messages"
        case .item: "Opening items"
        case .reservation: "Reservations"
        default: kind.rawValue
        }
    }

    private static func words(_ trigger: Trigger) -> String {
        switch trigger {
        case .device(let device): "connecting \(device)"
        case .session(.sessionStarted): "logging in"
        case .session(.unlocked): "unlocking"
        case .session(.resumed): "waking up"
        case .arrival(let place): "arriving at \(place)"
        case .departure(let place): "leaving \(place)"
        case .activity(let application): "\(application) on the screen"
        case .move, .launch, .other: trigger.description
        }
    }

    /// The rows and bytes of the history, and how long they are kept.
    var storage: Section {
        let (size, settings) = (report.size, report.settings)
        let tables = [
            ("donations", "Actions"), ("engagements", "Outcomes of suggestions"), ("resumePoints", "Places in media"),
            ("mutedPairs", "Muted apps"), ("announcements", "Announced items"), ("seenPlaces", "Places on the screen"),
            ("stays", "Stays at places"), ("devicePolicies", "Device settings"),
        ]
        let rows: [[HTML]] = tables.map { ["\($0.1)", "\(ReportText.number(size.rows[$0.0] ?? 0))"] }
        let state =
            !settings.isEnabled
            ? "Hunch is off, so nothing is recorded."
            : settings.pausedUntil.map { $0 > report.date } ?? false
                ? "Hunch is paused, so nothing is recorded now." : "Hunch is recording."
        let withheld = PrivacyCategory.allCases.filter { !settings.allowedCategories.contains($0) }.map(\.rawValue)
        let without = withheld.isEmpty ? "" : " Not recorded: \(withheld.sorted().joined(separator: ", "))."
        let damaged =
            size.setAsideFiles > 0
            ? " \(ReportText.count(size.setAsideFiles, "damaged file")) stand beside it; “hunch forget” removes them."
            : ""
        return Section(
            id: "storage", heading: "Storage",
            content: """
                <p>The history takes \(ReportText.bytes(size.bytes)) on this machine. Everything older than \
                \(ReportText.count(settings.retentionDays, "day")) is deleted; “hunch keep --days” changes that. \
                \(state)\(without)\(damaged)</p>
                \(ReportTable(
                    id: "storage-table", caption: "Rows of the history",
                    columns: [.init(heading: "Content"), .init(heading: "Rows", isNumber: true)], rows: rows,
                    width: .slim).html)
                """)
    }
}
