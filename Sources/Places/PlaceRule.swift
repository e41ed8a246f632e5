public import HunchModel

/// One way of writing a place. Each link format is one rule in one file.
public protocol PlaceRule: Sendable {
    /// The word that tells which rule matched, in camel case; stable, since JSON output shows it.
    var name: String { get }

    /// The place that the input means.
    ///
    /// - Returns: `nil` when the input is not of this rule's kind; the next rule is then asked.
    /// - Throws: ``PlaceError`` when it is of this kind and cannot be used; no other rule is asked.
    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace?
}

/// An input as rules see it: without surrounding white space, and with a leading scheme told apart.
public struct PlaceInput: Sendable {
    /// The input without white space around it; never empty.
    public let text: String
    /// The URI scheme in lower case, when the text begins with one; RFC 3986 section 3.1.
    public let scheme: String?
    /// The part behind the scheme's colon, or the whole text.
    public let body: Substring
    /// The link that the text is, when it is one of at most ``PlaceParser/maximumLinkLength`` bytes.
    let link: Link?

    private static let longestScheme = 64

    init(_ text: String) {
        self.text = text
        // A text of several lines is no link, and "Paris: the city" is none; either may have one in it.
        let isOneLine = !text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        let colon = text.utf8.prefix(Self.longestScheme).firstIndex(of: UInt8(ascii: ":"))
        guard isOneLine, let colon, Self.isScheme(text.utf8[..<colon]),
            text.utf8[text.utf8.index(after: colon)...].first?.isASCIISpace != true
        else {
            scheme = nil
            body = text[...]
            link = text.utf8.count <= PlaceParser.maximumLinkLength ? Link(bare: body) : nil
            return
        }
        let scheme = text[..<colon].lowercased()
        self.scheme = scheme
        body = text[text.utf8.index(after: colon)...]
        // No web address has a space in it: behind one, a text goes on. Apps' links are typed by hand too.
        let isWhole = !scheme.hasPrefix("http") || !body.utf8.contains(where: \.isASCIISpace)
        let isShort = text.utf8.count <= PlaceParser.maximumLinkLength
        link = isShort && isWhole ? Link(scheme: scheme, body: body) : nil
    }

    /// Whether the text has the form of a link: a scheme, or a host name that a path follows.
    public var isLink: Bool { link != nil }

    /// Makes an input for a rule's own use.
    ///
    /// - Throws: ``PlaceError`` with `notAPlace` when the text is blank, `tooLong` beyond
    ///   ``PlaceParser/maximumLength`` bytes.
    public init(checking text: String) throws(PlaceError) {
        guard text.utf8.count <= PlaceParser.maximumLength else {
            throw PlaceError(
                .tooLong, "the input is longer than \(PlaceParser.maximumLength) bytes; give only the place")
        }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty else { throw PlaceError(.notAPlace, "the input is empty; give a place") }
        self.init(trimmed)
    }

    /// Holds a link to the length that links may have.
    ///
    /// - Throws: ``PlaceError`` with `tooLong` beyond ``PlaceParser/maximumLinkLength`` bytes.
    public func checkLinkLength() throws(PlaceError) {
        guard text.utf8.count <= PlaceParser.maximumLinkLength else {
            throw PlaceError(
                .tooLong, "the link is longer than \(PlaceParser.maximumLinkLength) bytes; give a shorter one")
        }
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, first.isASCIILetter, bytes.count > 1 else { return false }
        return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
    }
}
