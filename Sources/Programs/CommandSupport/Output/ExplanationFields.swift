package import HunchModel
import Localization

/// An explanation in the output of commands.
package struct ExplanationFields: Encodable {
    private struct Evidence: Encodable {
        let text: String
        let weight: Double?
        let count: Int?
        let total: Int?
    }

    private enum Key: String, CodingKey { case reasons, evidence, remainder, margin }

    private let explanation: Explanation

    package init(_ explanation: Explanation) { self.explanation = explanation }

    package func encode(to encoder: any Encoder) throws {
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
    /// The lines for a user: one for each reason, after its weight if it was learned, and the sum of the weights.
    package var lines: [String] {
        guard let margin else { return texts }
        let weights = reasons.map { $0.weight.map(Self.hundredths) }
        let whole = Self.hundredths(margin)
        // The rounded numbers must add up.
        let others = whole - weights.reduce(0) { $0 + ($1 ?? 0) }
        let sum =
            margin < 0
            ? localized("in all: so far behind the most likely one; each 0.69 doubles the odds")
            : localized("in all: so far ahead of the next most likely one; each 0.69 doubles the odds")
        let rows =
            zip(weights, texts).map { (weight: $0, text: $1) }
            + [
                (weight: others, text: localized("everything else")),
                (weight: whole, text: sum),
            ]
        let columns = rows.map { $0.weight.map(Self.signed) ?? "" }
        let width = columns.map(\.count).max() ?? 0
        return zip(columns, rows).map { column, row in
            String(repeating: " ", count: width - column.count) + column + "  " + row.text
        }
    }

    /// Returns a weight in hundredths, limited to a million.
    private static func hundredths(_ weight: Double) -> Int {
        Int(clamping: min(max(weight, -1e6), 1e6) * 100)
    }

    private static func signed(_ hundredths: Int) -> String {
        let digits = "\(hundredths.magnitude % 100)"
        return (hundredths < 0 ? "-" : "+") + "\(hundredths.magnitude / 100)."
            + String(repeating: "0", count: 2 - digits.count) + digits
    }
}
