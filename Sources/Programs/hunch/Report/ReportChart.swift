internal import HunchModel
import Localization

/// A chart of a report: inline SVG for the marks, and HTML for the labels, which keep their size when the chart shrinks.
struct ReportChart {
    /// A label on an axis.
    struct Label {
        /// The position, 0…1.
        let place: Double
        let text: String
    }

    /// The units of the SVG's vertical axis.
    private static let height = 100.0
    /// The maximum number of points of a line that are drawn as dots. More of them would cover the line.
    private static let mostDots = 40

    private let description: String
    private let marks: HTML
    private let width: Double
    private let horizontal: [Label]
    private let vertical: [Label]
    private let isSquare: Bool

    /// The chart as markup.
    var html: HTML {
        func spans(_ labels: [Label], _ side: String) -> [HTML] {
            labels.map { "<span style=\"\(side):\($0.place * 100)%\">\($0.text)</span>" }
        }
        let grid: [HTML] = vertical.map {
            let place = Self.height * (1 - $0.place)
            return "<path class=\"grid\" d=\"M0 \(place)H\(width)\"/>"
        }
        return """
            <div class="plot\(isSquare ? " square" : "")">
            <div class="y" aria-hidden="true">\(spans(vertical, "bottom"))</div>
            <svg viewBox="0 0 \(width) \(Self.height)" preserveAspectRatio="none" role="img" aria-label="\(sentence: description)">
            \(grid)\(marks)</svg>
            <div class="x" aria-hidden="true">\(spans(horizontal, "left"))</div>
            </div>

            """
    }

    /// Creates a chart of bars.
    ///
    /// - Parameters:
    ///   - description: the text for people who do not see the chart.
    ///   - bars: the label and the value of each bar, from the left.
    static func bars(_ description: String, _ bars: [(label: String, hint: String, value: Int)]) -> ReportChart {
        let scale = Self.scale(to: bars.map(\.value).max() ?? 0)
        let top = Double(max(scale.last ?? 1, 1))
        var marks: HTML = ""
        for (index, bar) in bars.enumerated() where bar.value > 0 {
            let height = Self.height * Double(bar.value) / top
            marks += """
                <rect x="\(Double(index) + 0.1)" y="\(Self.height - height)" width=".8" height="\(height)">\
                <title>\(bar.hint)</title></rect>
                """
        }
        return ReportChart(
            description: description, marks: marks, width: Double(max(bars.count, 1)),
            horizontal: labels(bars.map(\.label)),
            vertical: scale.map { Label(place: Double($0) / top, text: LocalNumber.text($0)) }, isSquare: false)
    }

    /// Creates a chart of lines of shares, 0…1. Steps without a share interrupt a line.
    ///
    /// - Parameter lines: the CSS class of each line, and its shares from the left.
    static func lines(
        _ description: String, labels: [String], _ lines: [(style: String, shares: [Double?])]
    ) -> ReportChart {
        var marks: HTML = ""
        for line in lines {
            var (path, dots): (HTML, HTML) = ("", "")
            var isOpen = false
            for (index, share) in line.shares.enumerated() {
                guard let share else {
                    isOpen = false
                    continue
                }
                let point: HTML = "\(Double(index) + 0.5) \(height * (1 - share))"
                path += isOpen ? "L\(point)" : "M\(point)"
                let isAlone = !isOpen && (index + 1 == line.shares.count || line.shares[index + 1] == nil)
                if isAlone || line.shares.count <= mostDots { dots += "M\(point)h.001" }
                isOpen = true
            }
            marks +=
                "<path class=\"line \(line.style)\" d=\"\(path)\"/><path class=\"dot \(line.style)\" d=\"\(dots)\"/>"
        }
        return ReportChart(
            description: description, marks: marks, width: Double(max(labels.count, 1)),
            horizontal: self.labels(labels), vertical: percentages, isSquare: false)
    }

    /// Creates a square chart of dots with two shares each, 0…1, and the line where both are equal.
    ///
    /// - Parameter dots: the position and the weight of each dot. Its area grows with the weight.
    static func comparison(
        _ description: String, _ dots: [(x: Double, y: Double, weight: Double, hint: String)]
    ) -> ReportChart {
        let greatest = max(dots.map(\.weight).max() ?? 1, 1)
        var marks: HTML = "<path class=\"diagonal\" d=\"M0 100L100 0\"/>"
        for dot in dots {
            let size = 7 + 17 * (dot.weight / greatest).squareRoot()
            marks += """
                <path class="dot first" style="stroke-width:\(size)" d="M\(100 * dot.x) \(height * (1 - dot.y))h.001">\
                <title>\(dot.hint)</title></path>
                """
        }
        return ReportChart(
            description: description, marks: marks, width: 100, horizontal: percentages, vertical: percentages,
            isSquare: true)
    }

    private static let percentages = [0, 25, 50, 75, 100].map { Label(place: Double($0) / 100, text: "\($0) %") }

    /// Returns a few labels, the first and the last among them.
    private static func labels(_ texts: [String]) -> [Label] {
        guard let last = texts.indices.last, last > 0 else { return texts.map { Label(place: 0.5, text: $0) } }
        // On a narrow page, there is room for four days or three months.
        let count = min(texts.allSatisfy { $0.utf8.count <= 6 } ? 4 : 3, texts.count)
        return (0..<count).map { step in
            let index = last * step / (count - 1)
            let place = step == 0 ? 0 : step == count - 1 ? 1 : (Double(index) + 0.5) / Double(texts.count)
            return Label(place: place, text: texts[index])
        }
    }

    /// Returns the values to label on an axis: at most five round ones from 0 to at least the greatest value.
    private static func scale(to greatest: Int) -> [Int] {
        var step = 1
        var factors = [2, 5, 10].makeIterator()
        var decade = 1
        while step * 4 < greatest {
            if let factor = factors.next() {
                step = decade * factor
            } else {
                decade *= 10
                factors = [2, 5, 10].makeIterator()
            }
        }
        let steps = max(1, (greatest + step - 1) / step)
        return (0...steps).map { $0 * step }
    }
}

/// Texts of a report.
enum ReportText {
    /// Returns a share in percent; “–” if there is nothing to share.
    static func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "–" : percent(Double(part) / Double(whole))
    }

    /// Returns a share, 0…1, in percent.
    static func percent(_ share: Double) -> String { "\(Int(clamping: share * 100))\u{A0}%" }
}
