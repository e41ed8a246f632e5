import Prediction

/// A report as `hunch evaluate --json` writes it: every key always there.
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

/// A ranking as `hunch evaluate --ranked` writes it.
struct RankedLine: Encodable {
    let line: Int
    let ranked: [String]
}
