import FoundationEssentials
import HunchModel
import Localization
import Prediction

/// The sections about how well Hunch predicts.
extension ReportPage {
    /// The hit rate of each week, and of other methods.
    var predictions: Section {
        let weeks = report.predictions.weeks
        guard let first = weeks.keys.min(), let last = weeks.keys.max() else {
            let nothing = localized("Nothing can be predicted yet.")
            return Section(
                id: "predictions", heading: localized("Predictions"),
                content: "<p>\(nothing)</p>\n")
        }
        let mondays = stride(from: first.number, through: last.number, by: 7).map(LocalDay.init(number:))
        let isLong = last.number - first.number > Self.longestByDays
        func shares(_ part: (PredictionTally.Week) -> Int) -> [Double?] {
            mondays.map { weeks[$0].map { Double(part($0)) / Double($0.predicted) } }
        }
        let chart = ReportChart.lines(
            localized(
                """
                Lines: the share of actions that Hunch predicted at the first guess and within three guesses, by week. The \
                table has the figures.
                """), labels: mondays.map(isLong ? \.month : \.shortWords),
            [("second", shares(\.firstThree)), ("first", shares(\.first))])
        let rows: [[HTML]] = weeks.sorted { $0.key > $1.key }.map { monday, week in
            [
                "\(monday.words)", "\(LocalNumber.text(week.predicted))",
                "\(ReportText.percent(week.first, of: week.predicted))",
                "\(ReportText.percent(week.firstThree, of: week.predicted))",
            ]
        }
        let (atFirst, withinThree) = (localized("right at the first guess"), localized("right within three guesses"))
        let caption = localized("Actions that were predicted, by week")
        let table = ReportTable(
            id: "weeks-table", caption: localized("Predictions by week"),
            columns: [
                .init(heading: localized("Week from")), .init(heading: localized("Actions"), isNumber: true),
                .init(heading: localizedIn("guess", "First"), isNumber: true),
                .init(heading: localizedIn("guess", "In three"), isNumber: true),
            ], rows: rows)
        return Section(
            id: "predictions", heading: localized("Predictions"),
            content: """
                <p>\(sentence: predictionLead)</p>
                <div class="pair">
                <figure>
                \(chart.html)<ul class="legend"><li><i class="first"></i>\(atFirst)</li>\
                <li><i class="second"></i>\(withinThree)</li></ul>
                <figcaption>\(sentence: caption)</figcaption>
                </figure>
                \(table.html)</div>
                \(methods.html)
                """)
    }

    private var predictionLead: String {
        let report = report.evaluation
        let lead = localized(
            """
            Each action is predicted from the earlier ones alone, in its own circumstances. %1 of the actions were done for \
            the first time, which no method can predict.
            """, ReportText.percent(report.unseen, of: report.predicted))
        guard report.predicted == HistoryReport.evaluatedActions else { return lead }
        return lead + " "
            + localized("Only the newest %1 actions are evaluated.", LocalNumber.text(report.predicted))
    }

    private var methods: ReportTable {
        let rows: [[HTML]] = EvaluationMethod.allCases.compactMap { method in
            guard let rates = report.evaluation.methods[method]?.micro else { return nil }
            return [
                "\(Self.words(method))", "\(ReportText.percent(rates.first))",
                "\(ReportText.percent(rates.firstThree))",
                "\(ReportText.percent(rates.firstFive))",
            ]
        }
        return ReportTable(
            id: "methods-table",
            caption: localized("Hunch compared with simple methods: the share of actions that each predicts"),
            columns: [
                .init(heading: localized("Method")), .init(heading: localizedIn("guess", "First"), isNumber: true),
                .init(heading: localizedIn("guess", "In three"), isNumber: true),
                .init(heading: localizedIn("guess", "In five"), isNumber: true),
            ], rows: rows, width: .slim)
    }

    private static func words(_ method: EvaluationMethod) -> String {
        switch method {
        case .hunch: "Hunch"
        case .mostFrequent: localized("The most frequent actions")
        case .mostRecent: localized("The latest actions")
        case .markov: localized("What followed the last action")
        case .mostFrequentInContext: localized("The most frequent in the same circumstances")
        }
    }

    /// The confidence of predictions and how often they were right.
    var calibration: Section {
        let bins = report.predictions.bins.enumerated().filter { $0.element.predicted > 0 }
        let predicted = bins.reduce(0) { $0 + $1.element.predicted }
        guard predicted > 0 else {
            let nothing = localized("Nothing was predicted yet.")
            return Section(
                id: "confidence", heading: localized("Confidence"),
                content: "<p>\(nothing)</p>\n")
        }
        func mean(_ bin: PredictionTally.Bin) -> Double { bin.confidence / Double(bin.predicted) }
        func right(_ bin: PredictionTally.Bin) -> Double { Double(bin.right) / Double(bin.predicted) }
        func range(_ index: Int) -> String { "\(index * 10)–\(index * 10 + 10)\u{A0}%" }
        let dots = bins.map { index, bin in
            let hint = localizedPlural(
                "%2 expected, %3 right, %1 prediction", "%2 expected, %3 right, %1 predictions", bin.predicted,
                ReportText.percent(mean(bin)), ReportText.percent(right(bin)))
            return (mean(bin), right(bin), Double(bin.predicted), hint)
        }
        let distance = bins.reduce(0.0) { sum, bin in
            sum + abs(mean(bin.element) - right(bin.element)) * Double(bin.element.predicted)
        }
        let points = Int(clamping: 100 * distance / Double(predicted))
        let rows: [[HTML]] = bins.map { index, bin in
            [
                "\(range(index))", "\(LocalNumber.text(bin.predicted))", "\(ReportText.percent(mean(bin)))",
                "\(ReportText.percent(right(bin)))",
            ]
        }
        let chart = ReportChart.comparison(
            localized(
                """
                Dots: how often predictions were right, by the confidence that Hunch had in them. The table has the figures.
                """), dots)
        let lead = localizedPlural(
            """
            A prediction with a confidence of %2 should be right in 60 cases of 100. Here, confidence and result differ by \
            %1 percentage point on average.
            """,
            """
            A prediction with a confidence of %2 should be right in 60 cases of 100. Here, confidence and result differ by \
            %1 percentage points on average.
            """, points, ReportText.percent(0.6))
        let legend = localized(
            """
            From left to right: the confidence in the first guess. Upwards: how often it was right. On the line, both \
            agree. Above it, Hunch was too modest; below it, too sure. Larger dots stand for more predictions.
            """)
        let table = ReportTable(
            id: "confidence-table", caption: localized("Results by confidence"),
            columns: [
                .init(heading: localized("Confidence")), .init(heading: localized("Predictions"), isNumber: true),
                .init(heading: localizedIn("confidence", "Mean"), isNumber: true),
                .init(heading: localizedIn("predictions", "Right"), isNumber: true),
            ], rows: rows)
        return Section(
            id: "confidence", heading: localized("Confidence"),
            content: """
                <p>\(sentence: lead) \(sentence: offers)</p>
                <div class="pair even">
                <figure>
                \(chart.html)<figcaption>\(sentence: legend)</figcaption>
                </figure>
                \(table.html)</div>

                """)
    }

    private var offers: String {
        let report = report.evaluation
        guard report.offers > 0 else { return localized("Hunch was never sure enough for a suggestion.") }
        let right = ReportText.percent(report.offers - report.falseOffers, of: report.offers)
        return localizedPlural(
            "%1 prediction had the %2 that a suggestion needs, and %3 of these were right.",
            "%1 predictions had the %2 that a suggestion needs, and %3 of these were right.", report.offers,
            ReportText.percent(Evaluator.offerProbability), right)
    }
}
