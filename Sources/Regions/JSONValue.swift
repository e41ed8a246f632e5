/// A JSON value as a coverage file's properties hold it. Members of an object keep no order.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// Any number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; of two members of one name the later counts.
    case object([String: JSONValue])

    /// The string, when it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, when it is an array of strings alone.
    public var strings: [String]? {
        guard case .array(let values) = self else { return nil }
        let strings = values.compactMap(\.string)
        return strings.count == values.count ? strings : nil
    }

    /// The members, when it is an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}
