import FoundationEssentials
import HunchModel
import Prediction

/// The sections about how well Hunch predicts.
extension ReportPage {
    /// The hit rate of each week, and of other methods.
    var predictions: Section {
        let weeks = report.predictions.weeks
        guard let first = weeks.keys.min(), let last = weeks.keys.max() else {
            return Section(id: "predictions", heading: "Predictions", content: "<p>Nothing can be predicted yet.</p>\n")
        }
        let mondays = stride(from: first.number, through: last.number, by: 7).map(LocalDay.init(number:))
        let isLong = last.number - first.number > Self.longestByDays
        func shares(_ part: (PredictionTally.Week) -> Int) -> [Double?] {
            mondays.map { weeks[$0].map { Double(part($0)) / Double($0.predicted) } }
        }
        let chart = ReportChart.lines(
            "Lines: the share of actions that Hunch predicted at the first guess and within three guesses, by week. "
                + "The table has the figures.", labels: mondays.map(isLong ? \.month : \.shortWords),
            [("second", shares(\.firstThree)), ("first", shares(\.first))])
        let rows: [[HTML]] = weeks.sorted { $0.key > $1.key }.map { monday, week in
            [
                "\(monday.words)", "\(ReportText.number(week.predicted))",
                "\(ReportText.percent(week.first, of: week.predicted))",
                "\(ReportText.percent(week.firstThree, of: week.predicted))",
            ]
        }
        return Section(
            id: "predictions", heading: "Predictions",
            content: """
                <p>\(predictionLead)</p>
                <div class="pair">
                <figure>
                \(chart.html)<ul class="legend"><li><i class="first"></i>right at the first guess</li>\
                <li><i class="second"></i>right within three guesses</li></ul>
                <figcaption>Actions that were predicted, by week</figcaption>
                </figure>
                \(ReportTable(
                    id: "weeks-table", caption: "Predictions by week",
                    columns: [
                        .init(heading: "Week from"), .init(heading: "Actions", isNumber: true),
                        .init(heading: "First", isNumber: true), .init(heading: "In three", isNumber: true),
                    ], rows: rows).html)</div>
                \(methods.html)
                """)
    }

    private var predictionLead: String {
        let report = report.evaluation
        let limit =
            report.predicted == HistoryReport.evaluatedActions
            ? " Only the newest \(ReportText.number(report.predicted)) actions are evaluated." : ""
        let news = ReportText.percent(report.unseen, of: report.predicted)
        return """
            Each action is predicted from the earlier ones alone, in its own circumstances. \(news) of the actions were \
            done for the first time, which no method can predict.\(limit)
            """
    }

    private var methods: ReportTable {
        let rows: [[HTML]] = EvaluationMethod.allCases.compactMap { method in
            guard let rates = report.evaluation.methods[method]?.micro else { return nil }
            return [
                "\(method.name)", "\(ReportText.percent(rates.first))", "\(ReportText.percent(rates.firstThree))",
                "\(ReportText.percent(rates.firstFive))",
            ]
        }
        return ReportTable(
            id: "methods-table", caption: "Hunch beside simple methods: the share of actions that each predicts",
            columns: [
                .init(heading: "Method"), .init(heading: "First", isNumber: true),
                .init(heading: "In three", isNumber: true), .init(heading: "In five", isNumber: true),
            ], rows: rows, width: .slim)
    }

    /// The confidence of predictions beside how often they were right.
    var calibration: Section {
        let bins = report.predictions.bins.enumerated().filter { $0.element.predicted > 0 }
        let predicted = bins.reduce(0) { $0 + $1.element.predicted }
        guard predicted > 0 else {
            return Section(id: "confidence", heading: "Confidence", content: "<p>Nothing was predicted yet.</p>\n")
        }
        func mean(_ bin: PredictionTally.Bin) -> Double { bin.confidence / Double(bin.predicted) }
        func right(_ bin: PredictionTally.Bin) -> Double { Double(bin.right) / Double(bin.predicted) }
        func range(_ index: Int) -> String { "\(index * 10)–\(index * 10 + 10)\u{A0}%" }
        let dots = bins.map { index, bin in
            let hint =
                "\(ReportText.percent(mean(bin))) expected, \(ReportText.percent(right(bin))) right, "
                + ReportText.count(bin.predicted, "prediction")
            return (mean(bin), right(bin), Double(bin.predicted), hint)
        }
        let distance = bins.reduce(0.0) { sum, bin in
            sum + abs(mean(bin.element) - right(bin.element)) * Double(bin.element.predicted)
        }
        let points = Int(clamping: 100 * distance / Double(predicted))
        let rows: [[HTML]] = bins.map { index, bin in
            [
                "\(range(index))", "\(ReportText.number(bin.predicted))", "\(ReportText.percent(mean(bin)))",
                "\(ReportText.percent(right(bin)))",
            ]
        }
        let chart = ReportChart.comparison(
            "Dots: how often predictions were right, by the confidence that Hunch had in them. The table has the figures.",
            dots)
        return Section(
            id: "confidence", heading: "Confidence",
            content: """
                <p>A prediction with a confidence of \(ReportText.percent(0.6)) should be right in 60 cases of 100. Here, confidence and result \
                differ by \(ReportText.count(points, "percentage point")) on average. \(offers)</p>
                <div class="pair even">
                <figure>
                \(chart.html)<figcaption>From left to right: the confidence in the first guess. Upwards: how often it was \
                right. On the line, both agree. Above it, Hunch was too modest; below it, too sure. Larger dots stand for more predictions.</figcaption>
                </figure>
                \(ReportTable(
                    id: "confidence-table", caption: "Results by confidence",
                    columns: [
                        .init(heading: "Confidence"), .init(heading: "Predictions", isNumber: true),
                        .init(heading: "Mean", isNumber: true), .init(heading: "Right", isNumber: true),
                    ], rows: rows).html)</div>

                """)
    }

    private var offers: String {
        let report = report.evaluation
        guard report.offers > 0 else { return "Hunch was never sure enough for a suggestion." }
        let right = ReportText.percent(report.offers - report.falseOffers, of: report.offers)
        return """
            \(ReportText.count(report.offers, "prediction")) had the \
            \(ReportText.percent(Evaluator.offerProbability)) that a suggestion needs, and \(right) of these were right.
            """
    }
}
