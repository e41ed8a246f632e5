/// The name of a method, signal or property.
///
/// Source: D-Bus specification, "Member names".
public struct MemberName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Validates a name.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` and a message that says what is wrong.
    public init(_ text: String) throws(DBusError) {
        if let fault = Self.fault(in: text) { throw .invalidName("a member name", text, fault) }
        self.text = text
    }

    /// Creates a name from text that libdbus has already validated.
    package init(unchecked text: String) { self.text = text }

    /// The name as text.
    public var description: String { text }

    /// Orders names by their bytes.
    public static func < (left: MemberName, right: MemberName) -> Bool { left.text < right.text }

    private static func fault(in text: String) -> String? {
        if text.utf8.contains(0x2E) { return "it contains a dot" }
        return NameRule.fault(inDotted: text, hyphens: false, leadingDigits: false, minimum: 1)
    }
}
