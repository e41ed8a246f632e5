public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks

/// A point from geographic programs, longitude first: WKT, `POINT(13.4 52.5)`, optionally with its reference system,
/// and GeoJSON, `{"type":"Point","coordinates":[13.4,52.5]}`, alone or in a feature. Also forms with named numbers: a
/// script object, `{"lat":52.5,"lng":13.4}`, and an XML element, `<trkpt lat="52.5" lon="13.4">`.
///
/// Sources: OGC 06-103r4 section 7.2, PostGIS for `SRID=4326;`, and RFC 7946 section 3.1.
public struct GeometryRule: PlaceRule {
    /// `geometry`.
    public let name = "geometry"

    /// The maximum number of characters of a text that are searched.
    private static let maximumLength = 4_096
    private static let dimensions = ["", "Z", "M", "ZM"]

    /// Creates the rule.
    public init() {}

    /// Returns the place at a point.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let text = input.text.head(Self.maximumLength)
        let coordinate =
            switch text.utf8.first {
            case UInt8(ascii: "{"): try Self.ofJSON(text)
            case UInt8(ascii: "<"): try Self.ofElement(text)
            default: try Self.ofWKT(text)
            }
        guard let coordinate else { return nil }
        return ParsedPlace(item: MapItem(coordinate: coordinate), rule: name)
    }

    private static func ofJSON(_ text: String) throws(PlaceError) -> Coordinate? {
        guard let key = text.firstRange(of: "\"coordinates\"") else { return try PositionObject(text).coordinate }
        let list = text[key.upperBound...].drop { $0.isWhitespace || $0 == ":" }
        guard list.first == "[", text.contains("\"Point\"") else {
            throw PlaceError(.notAPlace, localized("only a Point of GeoJSON is a place; give a Point or coordinates"))
        }
        // The third number is the altitude.
        let numbers = list.dropFirst().prefix { $0 != "]" }.split(separator: ",", omittingEmptySubsequences: false)
        return try PlaceText.coordinate(numbers.prefix(2).joined(separator: ","), order: .longitudeFirst)
    }

    /// Returns the coordinate of the only XML element that has one; `nil` if it is not the first element, or if several
    /// have one.
    private static func ofElement(_ text: String) throws(PlaceError) -> Coordinate? {
        guard let latitude = attribute("lat", in: text), let longitude = attribute("lon", in: text) else { return nil }
        return try PlaceText.coordinate(latitude: latitude, longitude: longitude)
    }

    private static func attribute(_ name: String, in text: String) -> Substring? {
        let parts = text.split(separator: " \(name)=", maxSplits: 2, omittingEmptySubsequences: false)
        // If the attribute occurs twice, or not in the first element, its meaning is ambiguous.
        guard parts.count == 2, !parts[0].contains(">"), let quote = parts[1].first, "\"'".contains(quote) else {
            return nil
        }
        return parts[1].dropFirst().prefix { $0 != quote }
    }

    private static func ofWKT(_ text: String) throws(PlaceError) -> Coordinate? {
        var rest = text[...]
        var system: Substring?
        if rest.cut(toBytes: 5).uppercased() == "SRID=", let end = rest.firstIndex(of: ";") {
            system = rest[..<end].dropFirst(5)
            rest = rest[rest.index(after: end)...]
        }
        guard rest.cut(toBytes: 5).uppercased() == "POINT", rest.hasSuffix(")"), let open = rest.firstIndex(of: "("),
            dimensions.contains(String(rest[..<open].dropFirst(5)).trimmed.uppercased())
        else { return nil }
        let numbers = rest[rest.index(after: open)...].dropLast().split(whereSeparator: \.isWhitespace)
        guard (2...4).contains(numbers.count), numbers.allSatisfy({ DecimalNumber.value(of: $0) != nil }) else {
            return nil
        }
        if let system, system != "4326" {
            throw PlaceError(
                .unsupportedDatum,
                localized(
                    "the reference system %1 is not supported; only 4326 (WGS 84) can be used", system.cut(to: 20)))
        }
        return try PlaceText.coordinate(latitude: numbers[1], longitude: numbers[0])
    }
}
