/// The name of a connection: unique (`:1.42`) or well-known (`org.example.App`).
///
/// Source: D-Bus specification, "Bus names".
public struct BusName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Validates a name.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` and a message that says what is wrong.
    public init(_ text: String) throws(DBusError) {
        if let fault = Self.fault(in: text) { throw .invalidName("a bus name", text, fault) }
        self.text = text
    }

    /// Creates a name from text that libdbus has already validated.
    package init(unchecked text: String) { self.text = text }

    /// The name as text.
    public var description: String { text }

    /// Orders names by their bytes.
    public static func < (left: BusName, right: BusName) -> Bool { left.text < right.text }

    /// Whether this is the unique name that the bus gave to one connection for its lifetime.
    public var isUnique: Bool { text.utf8.first == 0x3A }

    private static func fault(in text: String) -> String? {
        if text.utf8.first == 0x3A {
            if text.utf8.count > NameRule.maximumLength { return "it is longer than 255 bytes" }
            return NameRule.fault(inDotted: text.dropFirst(), hyphens: true, leadingDigits: true, minimum: 2)
        }
        return NameRule.fault(inDotted: text, hyphens: true, leadingDigits: false, minimum: 2)
    }
}
