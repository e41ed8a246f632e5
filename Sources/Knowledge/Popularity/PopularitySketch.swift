internal import FoundationEssentials
internal import Glibc

/// The sums of many people's reports, from which the popularity of any content is estimated: a count-mean sketch over
/// ``UnaryEncoding``.
///
/// It has rows of counts, and a hash function for each row, which gives the column of a content. A report is about the column
/// of one row. Contents with the same column in a row do not have it in others.
///
/// In JSON: `{"version":1,"epsilon":1,"reports":[…],"counts":[…]}`, with the number of reports of each row, and the counts of
/// one row after the other.
public struct PopularitySketch: Hashable, Sendable {
    /// The number of rows.
    public static let rows = 64
    /// The number of columns, a power of two.
    public static let columns = 1_024
    /// The largest sketch in JSON, in bytes.
    public static let lengthLimit = 1 << 20
    /// The largest count.
    private static let countLimit: UInt32 = 1 << 31

    /// The encoding of the reports.
    public let encoding: UnaryEncoding
    /// The number of reports of each row.
    public private(set) var reports: [UInt32]
    /// The number of reports of a row with the bit of a column, row by row.
    public private(set) var counts: [UInt32]

    /// Creates a sketch without reports.
    public init(encoding: UnaryEncoding) {
        self.encoding = encoding
        reports = Array(repeating: 0, count: Self.rows)
        counts = Array(repeating: 0, count: Self.rows * Self.columns)
    }

    /// Creates a sketch from its numbers.
    ///
    /// - Throws: ``PopularityError`` if there are too few or too many numbers, or one is too large.
    public init(encoding: UnaryEncoding, reports: [UInt32], counts: [UInt32]) throws(PopularityError) {
        guard reports.count == Self.rows, counts.count == Self.rows * Self.columns else {
            throw PopularityError("the sums do not have \(Self.rows) × \(Self.columns) counts")
        }
        for (index, count) in counts.enumerated() where count > reports[index / Self.columns] {
            throw PopularityError("a count is larger than the number of reports of its row")
        }
        guard reports.allSatisfy({ $0 <= Self.countLimit }) else {
            throw PopularityError("a row has more than \(Self.countLimit) reports")
        }
        (self.encoding, self.reports, self.counts) = (encoding, reports, counts)
    }

    /// Adds a report.
    ///
    /// - Throws: ``PopularityError`` for a report with another ε.
    public mutating func add(_ report: PopularityReport) throws(PopularityError) {
        guard report.epsilon == encoding.epsilon else {
            throw PopularityError("“epsilon” must be \(encoding.epsilon), as in the sums")
        }
        guard reports[report.row] < Self.countLimit else { throw PopularityError("a row has too many reports") }
        reports[report.row] += 1
        let start = report.row * Self.columns
        for (index, byte) in report.bits.enumerated() {
            var rest = byte
            while rest != 0 {
                counts[start + 8 * index + rest.trailingZeroBitCount] += 1
                rest &= rest - 1
            }
        }
    }

    /// The number of all reports.
    public var total: Double { reports.reduce(0) { $0 + Double($1) } }

    /// The sum of all counts.
    public var ones: Double { counts.reduce(0) { $0 + Double($1) } }

    /// Returns the estimates from this sketch.
    public func estimator() -> PopularityEstimator {
        PopularityEstimator(encoding: encoding, reports: reports, ones: ones) { [counts] in counts[$0] }
    }
}

extension PopularitySketch: Codable {
    private enum CodingKeys: String, CodingKey { case version, epsilon, reports, counts }

    /// Decodes a sketch.
    ///
    /// - Throws: ``PopularityError``, `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Int.self, forKey: .version) == PopularityReport.version else {
            throw PopularityError("the sums are of another version; the version is \(PopularityReport.version)")
        }
        guard let encoding = UnaryEncoding(epsilon: try container.decode(Double.self, forKey: .epsilon)) else {
            let range = UnaryEncoding.epsilons
            throw PopularityError("“epsilon” must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        try self.init(
            encoding: encoding, reports: container.decode([UInt32].self, forKey: .reports),
            counts: container.decode([UInt32].self, forKey: .counts))
    }

    /// Encodes the sketch.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(PopularityReport.version, forKey: .version)
        try container.encode(encoding.epsilon, forKey: .epsilon)
        try container.encode(reports, forKey: .reports)
        try container.encode(counts, forKey: .counts)
    }

    /// Reads a sketch.
    ///
    /// - Throws: ``PopularityError``.
    public init(json: some Collection<UInt8>) throws(PopularityError) {
        guard json.count <= Self.lengthLimit else {
            throw PopularityError("the sums have more than \(Self.lengthLimit) bytes")
        }
        self = try PopularityError.decode(
            json, form: "aggregator's answer is not a JSON object with version, epsilon, reports and counts")
    }

    /// The sketch in JSON.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Encoding numbers cannot fail.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }
}
