public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks

/// Full Plus Codes, short ones next to a place, and links to plus.codes.
///
/// Source: the Open Location Code project's specification, and its "plus.codes URL" page.
public struct PlusCodeRule: LinkRule {
    /// `plusCode`.
    public let name = "plusCode"

    /// Creates the rule.
    public init() {}

    /// Returns the place of a Plus Code.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        if let link = input.link { return try place(of: link) }
        guard input.text.utf8.count <= PlaceLimits.text else { return nil }
        let text = input.text.singleSpaced
        // In a code copied from a link, the "+" is encoded.
        guard let code = Self.labelled(text) ?? PlusCodeText(text) ?? PlusCodeText(text.replacing("%2B", with: "+"))
        else { return nil }
        return try place(of: code)
    }

    private static let labels = ["plus codes", "plus code", "pluscode", "open location code", "olc"]

    /// Returns the code after a label: `Plus Code: V75V+8Q Paris, France`.
    private static func labelled(_ text: String) -> PlusCodeText? {
        let lowercased = text.cut(toBytes: longestLabel).lowercased()
        guard let label = labels.first(where: { lowercased.hasPrefix($0) }) else { return nil }
        let behind = text.utf8.dropFirst(label.utf8.count)
        // "Olcott" is a town.
        guard let mark = behind.first, mark.isASCIISpace || mark == UInt8(ascii: ":") else { return nil }
        return PlusCodeText(String(Substring(behind.drop { $0.isASCIISpace || $0 == UInt8(ascii: ":") })))
    }

    private static let longestLabel = 24

    package func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.isWeb, link.host == "plus.codes" else { return nil }
        // "+" is part of the code here; only "%20" is a space.
        let written = link.pathBegins("map") ? link.segments.dropFirst().first : link.segments.first
        var text = try PercentEncoding.decode(written ?? link.fragment)
        // Some apps encode twice.
        if text.contains("%2B") || text.contains("%20") { text = try PercentEncoding.decode(text) }
        guard let code = PlusCodeText(text.singleSpaced) else { throw Self.noPlace }
        return try place(of: code)
    }

    private func place(of text: PlusCodeText) throws(PlaceError) -> ParsedPlace {
        guard let item = try text.item else {
            throw PlaceError(
                .notAPlace, localized("the Plus Code %1 is short; add its town, or give the full code", text.code.text))
        }
        return ParsedPlace(item: item, rule: name)
    }
}
