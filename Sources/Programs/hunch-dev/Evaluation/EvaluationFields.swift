import CommandSupport
import Prediction

/// A report in the output of `hunch-dev evaluate --json`. Every key is always present.
struct EvaluationFields: Encodable {
    private let report: EvaluationReport

    private enum Key: CodingKey { case falseOfferRate }

    init(_ report: EvaluationReport) { self.report = report }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(report.falseOfferRate, forKey: .falseOfferRate)
    }
}

/// A ranking in the output of `hunch-dev evaluate --ranked`.
struct RankedLine: Encodable {
    let line: Int
    let ranked: [String]
}
