public import Coordinates
public import HunchModel

/// A rule that reads places in one notation. Each link form has a rule of its own.
public protocol PlaceRule: Sendable {
    /// The name of the rule in camel case; stable, since JSON output shows it.
    var name: String { get }

    /// Returns the place that the input means.
    ///
    /// - Returns: `nil` if the input is not of this rule's kind. Then the next rule is tried.
    /// - Throws: ``PlaceError`` if it is of this kind but unusable. Then no other rule is tried.
    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace?
}

/// An input for rules, without surrounding white space, and with its scheme split off.
public struct PlaceInput: Sendable {
    /// The input without surrounding white space; never empty.
    public let text: String
    /// The URI scheme in lower case, if the text begins with one; RFC 3986 section 3.1.
    public let scheme: String?
    /// The part after the scheme's colon, or the whole text.
    public let body: Substring
    /// The text as a link, if it is one of at most ``PlaceLimits/link`` bytes.
    package let link: Link?

    private static let longestScheme = 64

    /// Creates an input from a text without surrounding white space that is not empty.
    package init(_ text: String) {
        self.text = text
        // A text of several lines is not a link, and neither is "Paris: the city", but both may contain one.
        let isOneLine = !text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        let colon = text.utf8.prefix(Self.longestScheme).firstIndex(of: UInt8(ascii: ":"))
        guard isOneLine, let colon, Self.isScheme(text.utf8[..<colon]),
            text.utf8[text.utf8.index(after: colon)...].first?.isASCIISpace != true
        else {
            scheme = nil
            body = text[...]
            link = text.utf8.count <= PlaceLimits.link ? Link(bare: body) : nil
            return
        }
        let scheme = text[..<colon].lowercased()
        self.scheme = scheme
        body = text[text.utf8.index(after: colon)...]
        // A web address has no space, so a text with one continues after the address. App links may have spaces,
        // because people type them.
        let isWhole = !scheme.hasPrefix("http") || !body.utf8.contains(where: \.isASCIISpace)
        let isShort = text.utf8.count <= PlaceLimits.link
        link = isShort && isWhole ? Link(scheme: scheme, body: body) : nil
    }

    /// Whether the text has the form of a link: a scheme, or a host name followed by a path.
    public var isLink: Bool { link != nil }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, first.isASCIILetter, bytes.count > 1 else { return false }
        return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
    }
}
