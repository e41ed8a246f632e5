/// The name of an interface: `org.example.Player1`.
///
/// Source: D-Bus specification, "Interface names".
public struct InterfaceName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Validates a name.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs`, telling what is wrong with it.
    public init(_ text: String) throws(DBusError) {
        if let fault = Self.fault(in: text) { throw .invalidName("an interface name", text, fault) }
        self.text = text
    }

    /// For text that libdbus has validated already.
    init(unchecked text: String) { self.text = text }

    /// The name as text.
    public var description: String { text }

    /// Orders by bytes.
    public static func < (left: InterfaceName, right: InterfaceName) -> Bool { left.text < right.text }

    private static func fault(in text: String) -> String? {
        NameRule.fault(inDotted: text, hyphens: false, leadingDigits: false, minimum: 2)
    }
}
