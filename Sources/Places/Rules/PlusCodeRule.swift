public import HunchModel

/// Plus Codes, full, or short with a place beside them, and links to plus.codes.
///
/// Source: the Open Location Code project's specification, and its "plus.codes URL" page.
public struct PlusCodeRule: LinkRule {
    /// `plusCode`.
    public let name = "plusCode"

    /// Makes the rule.
    public init() {}

    /// The place of a Plus Code.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        if let link = input.link { return try place(of: link) }
        guard input.text.utf8.count <= PlaceParser.maximumTextLength, let text = PlusCodeText(input.text.singleSpaced)
        else { return nil }
        return try place(of: text)
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.isWeb, link.host == "plus.codes" else { return nil }
        // "+" is part of the code there; only "%20" is a space.
        guard let text = try link.segment(0).flatMap({ PlusCodeText($0) }) else { throw Self.noPlace }
        return try place(of: text)
    }

    private func place(of text: PlusCodeText) throws(PlaceError) -> ParsedPlace {
        guard let item = try text.item else {
            throw PlaceError(
                .notAPlace, "the Plus Code \(text.code.text) is short: add the town it lies in, or give all of it")
        }
        return ParsedPlace(item: item, rule: name)
    }
}
