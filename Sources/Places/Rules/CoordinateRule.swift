public import HunchModel

/// A position alone, in any notation of ``CoordinateText``, behind a word and a colon: `GPS: 37.79, -122.39`, or
/// before a label: `37.79, -122.39 (Yank Sing)`. Numbers alone that may as well be one number, a fraction or a date are
/// refused.
public struct CoordinateRule: PlaceRule {
    /// `coordinates`.
    public let name = "coordinates"

    private static let longestLabel = 32

    /// Makes the rule.
    public init() {}

    /// The place at plain coordinates.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let doubt = AmbiguousNumbers.doubt(about: input.text)
        let whole: Coordinate?
        do throws(PlaceError) {
            whole = try CoordinateText.coordinate(in: input.text)
        } catch {
            throw doubt ?? error
        }
        if whole != nil, let doubt { throw doubt }
        if whole == nil, let item = try PlaceText.labelled(input.text) { return ParsedPlace(item: item, rule: name) }
        guard let coordinate = whole ?? Self.labelled(input) else { return nil }
        return ParsedPlace(item: MapItem(coordinate: coordinate), rule: name)
    }

    private static func labelled(_ input: PlaceInput) -> Coordinate? {
        let bytes = input.text.utf8
        if let colon = bytes.prefix(longestLabel).firstIndex(of: UInt8(ascii: ":")) {
            let rest = String(input.text[bytes.index(after: colon)...])
            // Without a space the word may be a scheme.
            guard rest.utf8.first?.isASCIISpace == true else { return nil }
            let order = StatedOrder.order(in: input.text[..<colon]) ?? .latitudeFirst
            return try? CoordinateText.coordinate(in: rest.trimmed, order: order)
        }
        guard let colon = input.text.unicodeScalars.prefix(longestLabel).firstIndex(of: "：") else { return nil }
        let rest = input.text.unicodeScalars[colon...].dropFirst()
        return try? CoordinateText.coordinate(in: String(rest).trimmed)
    }
}
