public import JSON
import Markup

/// Returns the structured data of a page.
func markup(_ page: String, address: String? = "https://example.org/menu/") -> Markup {
    Markup(page: Array(page.utf8), address: address)
}

extension Markup {
    /// The items as values.
    var values: [JSONValue] { items.map(\.value) }
}

extension JSONValue: @retroactive ExpressibleByStringLiteral, @retroactive ExpressibleByArrayLiteral,
    @retroactive ExpressibleByDictionaryLiteral, @retroactive ExpressibleByFloatLiteral,
    @retroactive ExpressibleByExtendedGraphemeClusterLiteral, @retroactive ExpressibleByUnicodeScalarLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}
