import FoundationEssentials

/// Where commands write: JSON with stable keys, or plain lines.
enum Output {
    /// One JSON object on one line, keys sorted, slashes as they are.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
