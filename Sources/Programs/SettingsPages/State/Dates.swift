internal import FoundationEssentials

/// Reads the dates in the reports of the command `hunch`.
enum Dates {
    /// Returns a date in ISO 8601, with or without fractional seconds; `nil` for another text.
    static func date(_ text: String) -> Date? {
        let styles: [Date.ISO8601FormatStyle] = [.init(includingFractionalSeconds: true), .init()]
        return styles.lazy.compactMap { try? Date(text, strategy: $0) }.first
    }
}
