/// The value of an attribute of a searchable item.
public enum AttributeValue: Hashable, Sendable {
    /// One text.
    case text(String)
    /// Several texts, such as keywords.
    case texts([String])
    /// A number. A date is a number of seconds since 1970 (UTC).
    case number(Double)
    /// A statement that is true or false.
    case flag(Bool)

    /// The texts of the value; empty for numbers and flags.
    public var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .number, .flag: []
        }
    }

    /// The number; `nil` for other values.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
}
