internal import FoundationEssentials
internal import HunchModel

/// A report of one person's computer to the aggregator: random bits about the content that the user opened, or about none.
///
/// In JSON: `{"version":1,"epsilon":1,"row":12,"bits":"…"}`, with the bits in 256 hexadecimal digits.
public struct PopularityReport: Hashable, Sendable {
    /// The version of the protocol.
    public static let version = 1
    /// The longest report in JSON, in bytes.
    public static let lengthLimit = 512

    /// The privacy loss, ε.
    public let epsilon: Double
    /// The row of the sketch, which was chosen at random.
    public let row: Int
    /// ``PopularitySketch/columns`` bits, eight in a byte, the lowest first.
    public let bits: [UInt8]

    /// Creates a random report.
    ///
    /// - Parameter key: the content that the user opened; `nil` for none.
    public init(
        about key: PopularityKey?, encoding: UnaryEncoding, using random: inout some RandomNumberGenerator
    ) {
        epsilon = encoding.epsilon
        row = Int.random(in: 0..<PopularitySketch.rows, using: &random)
        bits = encoding.report(about: key?.column(inRow: row), of: PopularitySketch.columns, using: &random)
    }

    /// Reads a report.
    ///
    /// - Throws: ``PopularityError``.
    public init(json: some Sequence<UInt8>) throws(PopularityError) {
        self = try PopularityError.decode(json, form: "report is not a JSON object with version, epsilon, row and bits")
    }

    /// The report in JSON, in one line.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Encoding numbers and a text cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension PopularityReport: Codable {
    private enum CodingKeys: String, CodingKey { case version, epsilon, row, bits }

    /// Decodes a report.
    ///
    /// - Throws: ``PopularityError``, `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Int.self, forKey: .version) == Self.version else {
            throw PopularityError("the report is of another version; the version is \(Self.version)")
        }
        epsilon = try container.decode(Double.self, forKey: .epsilon)
        row = try container.decode(Int.self, forKey: .row)
        let digits = Array(try container.decode(String.self, forKey: .bits).utf8)
        guard (0..<PopularitySketch.rows).contains(row) else {
            throw PopularityError("“row” must be a number from 0 to \(PopularitySketch.rows - 1)")
        }
        guard digits.count == PopularitySketch.columns / 4,
            digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
        else {
            throw PopularityError("“bits” must have \(PopularitySketch.columns / 4) hexadecimal digits")
        }
        bits = stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    /// Encodes the report.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(epsilon, forKey: .epsilon)
        try container.encode(row, forKey: .row)
        let digits = bits.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        try container.encode(digits.joined(), forKey: .bits)
    }
}
