import FoundationEssentials
import History
import HunchModel
import Localization

/// The sections about recorded actions.
extension ReportPage {
    /// The longest time in days that is drawn by days, and whose labels need no year. A longer one is drawn by weeks.
    static let longestByDays = 183
    /// The least number of bars, so that a single one is not as wide as the page.
    private static let fewestBars = 14

    private static var noActions: HTML {
        let nothing = localized("No actions are recorded.")
        return "<p>\(nothing)</p>\n"
    }

    /// The actions of each day, or of each week of a long time.
    var activity: Section {
        guard let first = report.days.keys.min(), let last = report.days.keys.max() else {
            return Section(id: "activity", heading: localized("Activity"), content: Self.noActions)
        }
        let end = max(last, LocalDay(report.date))
        let isByDays = end.number - first.number < Self.longestByDays
        let span = isByDays ? 1 : 7
        var counts: [LocalDay: Int] = [:]
        for (day, count) in report.days { counts[isByDays ? day : day.monday, default: 0] += count }
        let final = isByDays ? end : end.monday
        let begin = min(isByDays ? first : first.monday, LocalDay(number: final.number - (Self.fewestBars - 1) * span))
        let bars = stride(from: begin.number, through: final.number, by: span).map(LocalDay.init(number:)).map {
            day -> (String, String, Int) in
            let count = counts[day] ?? 0
            let hint =
                isByDays
                ? localizedPlural("%2: %1 action", "%2: %1 actions", count, day.words)
                : localizedPlural("week from %2: %1 action", "week from %2: %1 actions", count, day.words)
            return (isByDays ? day.shortWords : day.month, hint, count)
        }
        let total = report.days.values.reduce(0, +)
        let busiest = report.days.count == 1 ? nil : report.days.max { ($0.value, $0.key) < ($1.value, $1.key) }
        let days = localizedPlural("%1 day", "%1 days", report.days.count)
        let lead =
            busiest.map {
                localizedPlural(
                    "%1 action on %2, most on %3 (%4).", "%1 actions on %2, most on %3 (%4).", total, days,
                    $0.key.words,
                    LocalNumber.text($0.value))
            } ?? localizedPlural("%1 action on %2.", "%1 actions on %2.", total, days)
        let caption = isByDays ? localized("Actions per day") : localized("Actions per week")
        let description =
            isByDays
            ? localized("Bars: actions per day since %1. The table has the figures.", begin.words)
            : localized("Bars: actions per week since %1. The table has the figures.", begin.words)
        let rows: [[HTML]] = counts.sorted { $0.key > $1.key }.map {
            ["\($0.key.words)", "\(LocalNumber.text($0.value))"]
        }
        let table = ReportTable(
            id: "activity-table", caption: caption,
            columns: [
                .init(heading: isByDays ? localized("Day") : localized("Week from")),
                .init(heading: localized("Actions"), isNumber: true),
            ], rows: rows)
        return Section(
            id: "activity", heading: localized("Activity"),
            content: """
                <p>\(sentence: lead)</p>
                <div class="pair">
                <figure>
                \(ReportChart.bars(description, bars).html)<figcaption>\(sentence: caption)</figcaption>
                </figure>
                \(table.html)</div>

                """)
    }

    /// The apps and the actions that were used most.
    var usage: Section {
        guard !report.apps.isEmpty else {
            return Section(id: "usage", heading: localized("Apps and actions"), content: Self.noActions)
        }
        let most = report.apps.map(\.records.actions).max() ?? 0
        let apps: [[HTML]] = report.apps.prefix(HistoryReport.listedRows).map { app in
            [
                "\(HTML.name(app.name))\(Self.meter(app.records.actions, of: most))",
                "\(LocalNumber.text(app.records.actions))", "\(app.records.last.map { LocalDay($0).words } ?? "–")",
            ]
        }
        let repeated = report.actions.filter { $0.count > 1 }
        let often = repeated.map(\.count).max() ?? 0
        let actions: [[HTML]] = repeated.map { action in
            [
                "<bdi class=\"name\">\(action.words)</bdi>\(Self.meter(action.count, of: often))",
                HTML.name(action.applicationName), "\(LocalNumber.text(action.count))",
            ]
        }
        let further = report.apps.count - apps.count
        let lead =
            further > 0
            ? localizedPlural(
                "The %2 apps with the most actions; %1 further app took part.",
                "The %2 apps with the most actions; %1 further apps took part.", further, apps.count)
            : localized("The apps with recorded actions, and the actions that you did most.")
        let common = ReportTable(
            id: "actions-table", caption: localized("Most frequent actions"),
            columns: [
                .init(heading: localized("Action")), .init(heading: localized("App")),
                .init(heading: localized("Times"), isNumber: true),
            ], rows: actions)
        let table = ReportTable(
            id: "apps-table", caption: localized("Apps"),
            columns: [
                .init(heading: localized("App")), .init(heading: localized("Actions"), isNumber: true),
                .init(heading: localizedIn("date", "Last"), isNumber: true),
            ], rows: apps)
        let nothing = localized("No action was done twice.")
        let repetition: HTML = actions.isEmpty ? "<p>\(nothing)</p>\n" : common.html
        return Section(
            id: "usage", heading: localized("Apps and actions"),
            content: """
                <p>\(sentence: lead)</p>
                <div class="pair even">
                \(table.html)\(repetition)</div>

                """)
    }

    /// Returns a thin bar for a part of the greatest value.
    private static func meter(_ part: Int, of greatest: Int) -> HTML {
        let share = 100 * Double(part) / Double(max(greatest, 1))
        return "<span class=\"meter\" aria-hidden=\"true\"><b style=\"width:\(share)%\"></b></span>"
    }
}
