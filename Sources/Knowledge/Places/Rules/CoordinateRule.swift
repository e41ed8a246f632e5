public import Coordinates
public import HunchModel
public import MapLinks

/// A lone coordinate in any notation of ``CoordinateText``, optionally after a word and a colon (`GPS: 37.79,
/// -122.39`), after a word for a position (`GPS 37.79 -122.39`), or before a label (`37.79, -122.39 (Yank Sing)`).
/// Plain numbers that may also be one number, a fraction or a date are rejected.
public struct CoordinateRule: PlaceRule {
    /// `coordinates`.
    public let name = "coordinates"

    private static let longestLabel = 32

    /// Creates the rule.
    public init() {}

    /// Returns the place at a coordinate.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        if let place = try place(at: input) { return place }
        guard let rest = Self.marked(input.text) else { return nil }
        return try place(at: PlaceInput(checking: rest))
    }

    private func place(at input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let doubt = AmbiguousNumbers.doubt(about: input.text)
        let whole: Coordinate?
        do throws(PlaceError) {
            whole = try CoordinateText.coordinate(in: input.text)
        } catch {
            throw doubt ?? error
        }
        if whole != nil, let doubt { throw doubt }
        if whole == nil {
            if let place = try placeOfView(input.text) { return place }
            if let place = try placeWithAltitude(input.text) { return place }
        }
        if whole == nil, let item = try PlaceText.labelled(input.text) { return ParsedPlace(item: item, rule: name) }
        guard let coordinate = whole ?? Self.labelled(input) else { return nil }
        return ParsedPlace(item: MapItem(coordinate: coordinate), rule: name)
    }

    /// Reads `@LAT,LON,ZOOMz`, from the address bar of Google Maps.
    private func placeOfView(_ text: String) throws(PlaceError) -> ParsedPlace? {
        guard text.hasPrefix("@"), text.utf8.count <= PlaceLimits.text else { return nil }
        let parts = text.dropFirst().split(separator: ",").map { String($0).trimmed }
        guard parts.count == 3, parts[2].hasSuffix("z"), let zoom = PlaceText.zoom(parts[2].dropLast()) else {
            return nil
        }
        let position = try PlaceText.coordinate(latitude: parts[0], longitude: parts[1])
        return ParsedPlace(
            item: MapItem(coordinate: position), rule: name, zoom: zoom,
            uncertainty: MapFragment.radius(ofViewAt: position, zoom: zoom))
    }

    /// Reads a coordinate followed by the altitude in metres: `52.5163,13.3777,34`, `lat 52.5163 lon 13.3777 alt 34`.
    private func placeWithAltitude(_ text: String) throws(PlaceError) -> ParsedPlace? {
        guard text.utf8.count <= Self.longestPositionWithAltitude else { return nil }
        var rest = text.lowercased()
        if rest.hasSuffix("m") { rest = String(rest.dropLast()).trimmed }
        let altitude = rest.utf8.reversed().prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == 0x2D }
        let number = String(decoding: rest.utf8.suffix(altitude.count), as: UTF8.self)
        guard let metres = DecimalNumber.value(of: number), Self.altitudes.contains(metres) else {
            return nil
        }
        rest = String(rest.dropLast(altitude.count)).trimmed
        let mark = Self.altitudeMarks.first { rest.hasSuffix($0) }
        guard let mark else { return nil }
        rest = String(rest.dropLast(mark.count)).trimmed
        // Three plain numbers may be sizes. So here the coordinate needs at least four decimals, and the altitude
        // fewer.
        if mark == "," {
            let numbers = rest.split(separator: ",").map { String($0).trimmed }
            guard numbers.count == 2, numbers.allSatisfy({ Self.decimals($0) >= 4 }),
                Self.decimals(number) < 4
            else { return nil }
        } else if rest.hasSuffix(",") {
            rest = String(rest.dropLast()).trimmed
        }
        guard let position = try CoordinateText.coordinate(in: rest) else { return nil }
        return ParsedPlace(item: MapItem(coordinate: position), rule: name, altitude: metres)
    }

    private static let longestPositionWithAltitude = 128
    /// The altitudes from the sea floor to aircraft, in metres.
    private static let altitudes = -12_000.0...20_000.0
    private static let altitudeMarks = [
        "altitude", "altitude:", "altitude=", "alt", "alt:", "alt=", "alt.", "ele", "ele:", "ele=", ",",
    ]

    private static func decimals(_ number: String) -> Int {
        guard DecimalNumber.value(of: number) != nil, let point = number.firstIndex(of: ".") else { return 0 }
        return number[point...].utf8.count - 1
    }

    /// Words for a position, in lower case.
    private static let marks: Set<String> = [
        "gps", "position", "pos", "coordinates", "coordinate", "coords", "koordinaten", "koordinater", "coördinaten",
        "coordonnées", "coordenadas", "współrzędne", "souřadnice", "koordinaatit", "koordináták",
    ]

    /// Returns the text after ``marks`` at the beginning; `nil` without marks, or if only whole numbers follow. These
    /// may also be a page, a seat or a score.
    private static func marked(_ text: String) -> String? {
        var rest = text[...]
        while true {
            let word = rest.cut(toBytes: longestLabel).prefix { !$0.isWhitespace }
            let mark = word.hasSuffix(":") || word.hasSuffix(".") ? word.dropLast() : word
            guard word.utf8.count < longestLabel, marks.contains(mark.lowercased()) else { break }
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
        }
        guard rest.startIndex > text.startIndex else { return nil }
        return rest.contains { $0 == "." || $0 == "°" || $0.isLetter } ? String(rest) : nil
    }

    private static func labelled(_ input: PlaceInput) -> Coordinate? {
        let bytes = input.text.utf8
        if let colon = bytes.prefix(longestLabel).firstIndex(of: UInt8(ascii: ":")) {
            let rest = String(input.text[bytes.index(after: colon)...])
            // Without a space after the colon, the word may be a scheme.
            guard rest.utf8.first?.isASCIISpace == true else { return nil }
            let order = StatedOrder.order(in: input.text[..<colon]) ?? .latitudeFirst
            return try? CoordinateText.coordinate(in: rest.trimmed, order: order)
        }
        guard let colon = input.text.unicodeScalars.prefix(longestLabel).firstIndex(of: "：") else { return nil }
        let rest = input.text.unicodeScalars[colon...].dropFirst()
        return try? CoordinateText.coordinate(in: String(rest).trimmed)
    }
}
