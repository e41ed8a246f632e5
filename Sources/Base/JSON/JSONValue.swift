/// A JSON value in the properties of a coverage file. The members of an object have no order.
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
    /// An object. Of two members with the same name, the later counts.
    case object([String: JSONValue])

    /// The string, if it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, if it is an array of strings only.
    public var strings: [String]? {
        guard case .array(let values) = self else { return nil }
        let strings = values.compactMap(\.string)
        return strings.count == values.count ? strings : nil
    }

    /// The members, if it is an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}
