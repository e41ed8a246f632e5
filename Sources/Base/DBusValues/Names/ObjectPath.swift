/// The path of an object: `/org/example/player`.
///
/// Source: D-Bus specification, "Valid object paths".
public struct ObjectPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path as text.
    public let text: String

    /// Validates a path.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` and a message that says what is wrong.
    public init(_ text: String) throws(DBusError) {
        if let fault = Self.fault(in: text) { throw .invalidName("an object path", text, fault) }
        self.text = text
    }

    /// Creates the path of a D-Bus activatable app: its name with slashes for dots and underscores for hyphens.
    ///
    /// Source: Desktop Entry Specification 1.5, "D-Bus Activation".
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` for a unique name.
    public init(application: BusName) throws(DBusError) {
        try self.init("/" + application.text.replacing(".", with: "/").replacing("-", with: "_"))
    }

    /// The path as text.
    public var description: String { text }

    /// Orders paths by their bytes.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.text < right.text }

    /// The path `/`.
    public static let root = ObjectPath(unchecked: "/")

    package init(unchecked text: String) { self.text = text }

    /// Returns this path with an element appended.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` if the element is empty or has a character other than ASCII
    ///   letters, digits and underscores.
    public func appending(_ element: String) throws(DBusError) -> ObjectPath {
        try ObjectPath(text == "/" ? "/" + element : text + "/" + element)
    }

    /// Returns whether this path is `other` or below it.
    public func isWithin(_ other: ObjectPath) -> Bool {
        if self == other || other.text == "/" { return true }
        let (bytes, prefix) = (text.utf8, other.text.utf8)
        return bytes.starts(with: prefix) && bytes.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }

    /// The last element; empty for the root path.
    public var lastElement: String {
        String(text[(text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex)...])
    }

    private static func fault(in text: String) -> String? {
        guard text.utf8.first == 0x2F else { return "it does not begin with a slash" }
        if text == "/" { return nil }
        for element in text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            if element.isEmpty { return "an element is empty" }
            if !element.allSatisfy({ NameRule.isLetterOrUnderscore($0) || NameRule.isDigit($0) }) {
                return "only letters, digits and underscores are allowed"
            }
        }
        return nil
    }
}
