import AgentInterface
import FoundationEssentials
import History
import HunchModel
import Localization
import Prediction

/// The page of a report: one HTML file that loads nothing and runs no script.
struct ReportPage {
    let report: HistoryReport

    /// A mark near the beginning of every page, by which a later report may replace it.
    static let mark = #"<meta name="generator" content="hunch report">"#

    /// The page as a document.
    var document: String {
        let sections = [activity, usage, predictions, calibration, suggestions, storage]
        // TRANSLATORS: the code of your language in ISO 639-1, for web browsers
        let language = localizedIn("code of the language", "en")
        let (title, contents) = (localized("Your history in Hunch"), localized("Sections"))
        let notice = localized(
            """
            This page is a copy of what Hunch recorded, with titles and places, and readable by you only. “hunch forget” \
            does not change it, so delete it when you no longer need it. It loads nothing from elsewhere. Made by Hunch %1 \
            on %2.
            """, HunchVersion.text, LocalDay(report.date).words)
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="\(language)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            \(HTML(stringLiteral: Self.mark))
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>
            \(ReportStyle.sheet)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <p class="soft">\(period)</p>
            \(tiles)<nav aria-label="\(contents)"><ul>
            \(sections.map { section -> HTML in "<li><a href=\"#\(section.id)\">\(section.heading)</a></li>\n" })</ul></nav>
            </header>
            <main>
            \(sections.map(\.html))</main>
            <footer>
            <p>\(sentence: notice)</p>
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
            return localized("No actions are recorded.")
        }
        return first == last ? first.words : "\(first.words) – \(last.words)"
    }

    private var tiles: HTML {
        let actions = report.days.values.reduce(0, +)
        let hits = report.evaluation.methods[.hunch]?.micro
        let (accepted, suggested) = (report.suggestionCount(.accepted), report.suggestionCount())
        let tiles: [(String, String)] = [
            (LocalNumber.text(actions), localizedPlural("action recorded", "actions recorded", actions)),
            (
                LocalNumber.text(report.apps.count),
                localizedPlural("app took part", "apps took part", report.apps.count)
            ),
            (hits.map { ReportText.percent($0.first) } ?? "–", localized("of actions predicted at first guess")),
            (LocalNumber.text(suggested), localizedPlural("suggestion", "suggestions", suggested)),
            (ReportText.percent(accepted, of: suggested), localized("of suggestions accepted")),
        ]
        let items: [HTML] = tiles.map { "<div><dt>\($0.1)</dt><dd>\($0.0)</dd></div>\n" }
        return "<dl class=\"tiles\">\n\(items)</dl>\n"
    }
}
