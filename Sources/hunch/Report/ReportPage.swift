import AgentInterface
import FoundationEssentials
import History
import HunchModel
import Prediction

/// The page of a report: one HTML file that loads nothing and runs no script.
struct ReportPage {
    let report: HistoryReport

    /// A mark near the beginning of every page, by which a later report may replace it.
    static let mark = #"<meta name="generator" content="hunch report">"#

    /// The page as a document.
    var document: String {
        let sections = [activity, usage, predictions, calibration, suggestions, storage]
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            \(HTML(stringLiteral: Self.mark))
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>Your history in Hunch</title>
            <style>
            \(ReportStyle.sheet)
            </style>
            </head>
            <body>
            <header>
            <h1>Your history in Hunch</h1>
            <p class="soft">\(period)</p>
            \(tiles)<nav aria-label="Sections"><ul>
            \(sections.map { section -> HTML in "<li><a href=\"#\(section.id)\">\(section.heading)</a></li>\n" })</ul></nav>
            </header>
            <main>
            \(sections.map(\.html))</main>
            <footer>
            <p>This page is a copy of what Hunch recorded, with titles and places, and readable by you only. \
            “hunch forget” does not change it, so delete it when you no longer need it. It loads nothing from elsewhere. \
            Made by Hunch \(HunchVersion.text) on \(LocalDay(report.date).words).</p>
            </footer>
            </body>
            </html>

            """
        return page.markup
    }

    /// A section of the page.
    struct Section {
        let id: String
        let heading: String
        let content: HTML

        var html: HTML {
            """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(heading)</h2>
            \(content)</section>

            """
        }
    }

    /// The days from the first to the last recorded action.
    private var period: String {
        guard let first = report.days.keys.min(), let last = report.days.keys.max() else {
            return "No actions are recorded."
        }
        return first == last ? first.words : "\(first.words) – \(last.words)"
    }

    private var tiles: HTML {
        let actions = report.days.values.reduce(0, +)
        let hits = report.evaluation.methods[.hunch]?.micro
        let (accepted, suggested) = (report.suggestionCount(.accepted), report.suggestionCount())
        let tiles: [(String, String)] = [
            (ReportText.number(actions), actions == 1 ? "action recorded" : "actions recorded"),
            (ReportText.number(report.apps.count), report.apps.count == 1 ? "app" : "apps"),
            (hits.map { ReportText.percent($0.first) } ?? "–", "of actions predicted at first guess"),
            (ReportText.number(suggested), suggested == 1 ? "suggestion" : "suggestions"),
            (ReportText.percent(accepted, of: suggested), "of suggestions accepted"),
        ]
        let items: [HTML] = tiles.map { "<div><dt>\($0.1)</dt><dd>\($0.0)</dd></div>\n" }
        return "<dl class=\"tiles\">\n\(items)</dl>\n"
    }
}
