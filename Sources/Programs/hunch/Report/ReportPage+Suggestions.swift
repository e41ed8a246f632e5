import FoundationEssentials
import History
import HunchModel
import Localization
import Prediction

/// The sections about suggestions and about what is stored.
extension ReportPage {
    /// The outcomes, in the order of a bar.
    private static let outcomes: [Engagement.Outcome] = [
        .accepted, .dismissed, .closed, .expired, .failed, .withdrawn, .replaced, .shown,
    ]

    /// The suggestions and their outcomes.
    var suggestions: Section {
        guard !report.outcomes.isEmpty else {
            let nothing = localized("Nothing was suggested yet.")
            return Section(
                id: "suggestions", heading: localized("Suggestions"),
                content: "<p>\(nothing)</p>\n")
        }
        var kinds: [Suggestion.Kind: [Engagement.Outcome: Int]] = [:]
        for count in report.outcomes { kinds[count.kind, default: [:]][count.outcome] = count.count }
        let ordered = kinds.map { (kind: $0.key, counts: $0.value, total: $0.value.values.reduce(0, +)) }
            .sorted { ($1.total, $0.kind.rawValue) < ($0.total, $1.kind.rawValue) }
        let stacks: [HTML] = ordered.map { kind, counts, total in
            """
            <dt><bdi>\(kind.words)</bdi><span class="soft">\(LocalNumber.text(total))</span></dt>
            <dd>\(Self.stack(counts, total, kind))</dd>

            """
        }
        let rows: [[HTML]] = ordered.map { kind, counts, total in
            ["<bdi class=\"name\">\(kind.words)</bdi>", "\(LocalNumber.text(total))"]
                + Self.outcomes.map { "\(LocalNumber.text(counts[$0] ?? 0))" }
        }
        let total = report.suggestionCount()
        let lead = localizedPlural(
            "%1 suggestion, of which you accepted %2 and dismissed %3.",
            "%1 suggestions, of which you accepted %2 and dismissed %3.", total,
            LocalNumber.text(report.suggestionCount(.accepted)), LocalNumber.text(report.suggestionCount(.dismissed)))
        let caption = localized("What became of the suggestions, by kind")
        let table = ReportTable(
            id: "outcomes-table", caption: localized("Suggestions by kind"),
            columns: [
                .init(heading: localized("Kind")), .init(heading: localizedIn("outcomes", "All"), isNumber: true),
            ]
                + Self.outcomes.map { .init(heading: $0.words, isNumber: true) }, rows: rows, width: .wide)
        let legend: [HTML] = Self.outcomes.map {
            "<li><i class=\"\($0.rawValue)\"></i>\($0.words)</li>"
        }
        return Section(
            id: "suggestions", heading: localized("Suggestions"),
            content: """
                <p>\(sentence: lead)</p>
                <div class="pair below">
                <figure>
                <dl class="stacks">
                \(stacks)</dl>
                <ul class="legend">\(legend)</ul>
                <figcaption>\(sentence: caption)</figcaption>
                </figure>
                \(table.html)</div>
                \(latest.html)
                """)
    }

    private var latest: ReportTable {
        let rows: [[HTML]] = report.suggestions.map { suggested in
            let (engagement, date) = (suggested.engagement, suggested.engagement.date)
            let device = engagement.context.device?.rawValue ?? localizedIn("device", "this device")
            return [
                "<span class=\"time\">\(LocalDay(date).words), \(LocalDate.time(date))</span>",
                HTML.name(suggested.applicationName),
                "<bdi class=\"name\">\(engagement.kind.words)</bdi>",
                "<bdi class=\"name\">\(engagement.context.trigger?.words(deviceName: device) ?? "–")</bdi>",
                "\(engagement.outcome.words)",
            ]
        }
        return ReportTable(
            id: "latest-table", caption: localized("The latest suggestions, the newest first"),
            columns: [
                localized("When"), localized("App"), localized("Kind"), localized("Trigger"), localized("Outcome"),
            ].map { .init(heading: $0) }, rows: rows, width: .wide)
    }

    private static func words(_ category: PrivacyCategory) -> String {
        switch category {
        case .messages: localized("Messages")
        case .calls: localized("Calls")
        case .location: localized("Location")
        case .calendar: localized("Calendar")
        case .files: localized("Files")
        case .apps: localized("Apps")
        }
    }

    /// Returns one bar with a part for each outcome.
    private static func stack(_ counts: [Engagement.Outcome: Int], _ total: Int, _ kind: Suggestion.Kind) -> HTML {
        var parts: HTML = ""
        var start = 0.0
        var description: [String] = []
        for outcome in outcomes {
            guard let count = counts[outcome], count > 0 else { continue }
            let width = 100 * Double(count) / Double(max(total, 1))
            let hint = "\(outcome.words): \(LocalNumber.text(count))"
            parts += """
                <rect class="\(outcome.rawValue)" x="\(start)" width="\(width)" height="1"><title>\(hint)</title></rect>
                """
            description.append(hint)
            start += width
        }
        return """
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" role="img" \
            aria-label="\(kind.words): \(description.joined(separator: ", "))">\(parts)</svg>
            """
    }

    /// The rows and bytes of the history, and how long they are kept.
    var storage: Section {
        let (size, settings) = (report.size, report.settings)
        let tables = [
            ("donations", localized("Actions")), ("engagements", localized("Outcomes of suggestions")),
            ("resumePoints", localized("Places in media")), ("mutedPairs", localized("Muted apps")),
            ("announcements", localized("Announced items")), ("seenPlaces", localized("Places on the screen")),
            ("stays", localized("Stays at places")), ("devicePolicies", localized("Device settings")),
            ("ownPlaces", localized("Places with a name of yours")),
        ]
        let rows: [[HTML]] = tables.map { ["\($0.1)", "\(LocalNumber.text(size.rows[$0.0] ?? 0))"] }
        let state =
            !settings.isEnabled
            ? localized("Hunch is off, so nothing is recorded.")
            : settings.isPaused(at: report.date)
                ? localized("Hunch is paused, so nothing is recorded now.") : localized("Hunch is recording.")
        let withheld = PrivacyCategory.allCases.filter { !settings.allowedCategories.contains($0) }.map(Self.words)
        let lead = [
            localized("The history takes %1 on this machine.", LocalNumber.size(size.bytes)),
            localizedPlural(
                "Everything older than %1 day is deleted; “hunch keep --days” changes that.",
                "Everything older than %1 days is deleted; “hunch keep --days” changes that.", settings.retentionDays),
            state,
            withheld.isEmpty ? nil : localized("Not recorded: %1.", withheld.joined(separator: ", ")),
            size.setAsideFiles > 0
                ? localizedPlural(
                    "%1 damaged file is next to it; “hunch forget” removes it.",
                    "%1 damaged files are next to it; “hunch forget” removes them.", size.setAsideFiles) : nil,
        ].compactMap(\.self).joined(separator: " ")
        let table = ReportTable(
            id: "storage-table", caption: localized("Rows of the history"),
            columns: [.init(heading: localized("Content")), .init(heading: localized("Rows"), isNumber: true)],
            rows: rows, width: .slim)
        return Section(
            id: "storage", heading: localized("Storage"),
            content: """
                <p>\(sentence: lead)</p>
                \(table.html)
                """)
    }
}
