/// One recorded action in the list of the history.
///
/// Numbers of rows are used again after the newest row was deleted, so the date distinguishes them.
public struct ActionRow: Hashable, Sendable, CustomStringConvertible {
    /// The number of the row.
    public let number: Int64
    /// The date of the action, in milliseconds since 1970.
    public let milliseconds: Int64

    /// Creates the name of a row.
    public init(number: Int64, milliseconds: Int64) { (self.number, self.milliseconds) = (number, milliseconds) }

    /// Reads a row from its description; `nil` for another text.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0], radix: 36), let date = Int64(parts[1], radix: 36),
            number >= 0, date >= 0
        else { return nil }
        self.init(number: number, milliseconds: date)
    }

    /// The row as text, such as “3f-mf2k8x0w”, for commands and the bus.
    public var description: String { "\(String(number, radix: 36))-\(String(milliseconds, radix: 36))" }
}
