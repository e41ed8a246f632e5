import HunchModel

/// Why something is offered, as commands write it.
struct ExplanationFields: Encodable {
    private struct Evidence: Encodable {
        let text: String
        let weight: Double?
        let count: Int?
        let total: Int?
    }

    private enum Key: String, CodingKey { case reasons, evidence, remainder, margin }

    private let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(explanation.texts, forKey: .reasons)
        let evidence = explanation.reasons.map {
            Evidence(text: $0.text, weight: $0.weight, count: $0.share?.count, total: $0.share?.total)
        }
        try container.encode(evidence, forKey: .evidence)
        try container.encodeIfPresent(explanation.remainder, forKey: .remainder)
        try container.encodeIfPresent(explanation.margin, forKey: .margin)
    }
}

extension Explanation {
    /// A line for each reason; where something was learned, with its weight before it, and what the weights add up to below.
    var lines: [String] {
        guard let margin else { return texts }
        let weights = reasons.map { $0.weight.map(Self.hundredths) }
        let whole = Self.hundredths(margin)
        // What is shown adds up as it is shown.
        let others = whole - weights.reduce(0) { $0 + ($1 ?? 0) }
        let meaning = margin < 0 ? "behind what is likeliest" : "ahead of the next likeliest"
        let rows =
            zip(weights, texts).map { (weight: $0, text: $1) }
            + [
                (weight: others, text: "everything else"),
                (weight: whole, text: "in all: so far \(meaning); each 0.69 doubles the odds"),
            ]
        let columns = rows.map { $0.weight.map(Self.signed) ?? "" }
        let width = columns.map(\.count).max() ?? 0
        return zip(columns, rows).map { column, row in
            String(repeating: " ", count: width - column.count) + column + "  " + row.text
        }
    }

    /// What nobody can read apart is one: at most a million.
    private static func hundredths(_ weight: Double) -> Int {
        Int(clamping: min(max(weight, -1e6), 1e6) * 100)
    }

    private static func signed(_ hundredths: Int) -> String {
        let digits = "\(hundredths.magnitude % 100)"
        return (hundredths < 0 ? "-" : "+") + "\(hundredths.magnitude / 100)."
            + String(repeating: "0", count: 2 - digits.count) + digits
    }
}
