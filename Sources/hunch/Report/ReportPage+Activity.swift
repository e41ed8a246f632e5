import FoundationEssentials
import History
import HunchModel

/// The sections about what was done.
extension ReportPage {
    /// The longest time in days that is drawn by days, and whose labels need no year. A longer one is drawn by weeks.
    static let longestByDays = 183
    /// The least number of bars, so that a single one is not as wide as the page.
    private static let fewestBars = 14

    /// The actions of each day, or of each week of a long time.
    var activity: Section {
        guard let first = report.days.keys.min(), let last = report.days.keys.max() else {
            return Section(id: "activity", heading: "Activity", content: "<p>No actions are recorded.</p>\n")
        }
        let end = max(last, LocalDay(report.date))
        let isByDays = end.number - first.number < Self.longestByDays
        let span = isByDays ? 1 : 7
        let unit = isByDays ? "day" : "week"
        var counts: [LocalDay: Int] = [:]
        for (day, count) in report.days { counts[isByDays ? day : day.monday, default: 0] += count }
        let final = isByDays ? end : end.monday
        let begin = min(isByDays ? first : first.monday, LocalDay(number: final.number - (Self.fewestBars - 1) * span))
        func hint(_ day: LocalDay) -> String { isByDays ? day.words : "week from \(day.words)" }
        let bars = stride(from: begin.number, through: final.number, by: span).map(LocalDay.init(number:)).map { day in
            (
                isByDays ? day.shortWords : day.month, "\(hint(day)): \(ReportText.count(counts[day] ?? 0, "action"))",
                counts[day] ?? 0
            )
        }
        let total = report.days.values.reduce(0, +)
        let busiest = report.days.count == 1 ? nil : report.days.max { ($0.value, $0.key) < ($1.value, $1.key) }
        let most = busiest.map { ", most on \($0.key.words) (\(ReportText.number($0.value)))" } ?? ""
        let lead =
            "\(ReportText.count(total, "action")) on \(ReportText.count(report.days.count, "day"))\(most)."
        let rows: [[HTML]] = counts.sorted { $0.key > $1.key }.map {
            ["\($0.key.words)", "\(ReportText.number($0.value))"]
        }
        return Section(
            id: "activity", heading: "Activity",
            content: """
                <p>\(lead)</p>
                <div class="pair">
                <figure>
                \(ReportChart.bars("Bars: actions per \(unit) since \(begin.words). The table has the figures.", bars).html)\
                <figcaption>Actions per \(unit)</figcaption>
                </figure>
                \(ReportTable(
                    id: "activity-table", caption: "Actions per \(unit)",
                    columns: [.init(heading: isByDays ? "Day" : "Week from"), .init(heading: "Actions", isNumber: true)],
                    rows: rows).html)</div>

                """)
    }

    /// The apps and the actions that were used most.
    var usage: Section {
        guard !report.apps.isEmpty else {
            return Section(id: "usage", heading: "Apps and actions", content: "<p>No actions are recorded.</p>\n")
        }
        let most = report.apps.map(\.records.actions).max() ?? 0
        let apps: [[HTML]] = report.apps.prefix(HistoryReport.listedRows).map { app in
            [
                "\(HTML.name(app.name))\(Self.meter(app.records.actions, of: most))",
                "\(ReportText.number(app.records.actions))", "\(app.records.last.map { LocalDay($0).words } ?? "–")",
            ]
        }
        let repeated = report.actions.filter { $0.count > 1 }
        let often = repeated.map(\.count).max() ?? 0
        let actions: [[HTML]] = repeated.map { action in
            [
                "<bdi class=\"name\">\(action.words)</bdi>\(Self.meter(action.count, of: often))",
                HTML.name(action.applicationName), "\(ReportText.number(action.count))",
            ]
        }
        let further = report.apps.count - apps.count
        let lead =
            further > 0
            ? "The \(apps.count) apps with the most actions; \(ReportText.count(further, "further app")) took part."
            : "The apps with recorded actions, and the actions that you did most."
        let common = ReportTable(
            id: "actions-table", caption: "Most frequent actions",
            columns: [.init(heading: "Action"), .init(heading: "App"), .init(heading: "Times", isNumber: true)],
            rows: actions)
        return Section(
            id: "usage", heading: "Apps and actions",
            content: """
                <p>\(lead)</p>
                <div class="pair even">
                \(ReportTable(
                    id: "apps-table", caption: "Apps",
                    columns: [
                        .init(heading: "App"), .init(heading: "Actions", isNumber: true),
                        .init(heading: "Last", isNumber: true),
                    ], rows: apps).html)\(actions.isEmpty ? "<p>No action was done twice.</p>\n" : common.html)</div>

                """)
    }

    /// Returns a thin bar for a part of the greatest value.
    private static func meter(_ part: Int, of greatest: Int) -> HTML {
        let share = 100 * Double(part) / Double(max(greatest, 1))
        return "<span class=\"meter\" aria-hidden=\"true\"><b style=\"width:\(share)%\"></b></span>"
    }
}
