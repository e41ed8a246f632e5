import Coordinates
import HunchModel
import MapLinks
import XML

/// The position in an XMP packet. Source: CIPA DC-010 (Exif metadata for XMP), section 3.3.
///
/// The properties are attributes or elements. Besides the standard's notation (`48,51.504N`), drones write signed decimal
/// degrees, DJI's under the name `GpsLongtitude`.
final class XMPPacket: XMLReceiver {
    /// The maximum size of a packet, in bytes.
    private static let maximumLength = 1 << 20
    private static let longestValue = 64
    private static let names: Set<String> = [
        "gpslatitude", "gpslatituderef", "gpslongitude", "gpslongtitude", "gpslongituderef", "gpsaltitude",
        "gpsaltituderef", "gpsmapdatum",
    ]

    /// The first value of each property, by its name in lower case.
    private var values: [String: String] = [:]

    let isDone = false

    /// Returns the place; `nil` if the packet has no position, or one that is out of range.
    ///
    /// - Throws: ``PlaceError`` with `unsupportedDatum` or `unreadable`.
    static func place(in region: FileRegion, named name: String) throws(PlaceError) -> ParsedPlace? {
        let packet = XMPPacket()
        var offset = 0
        // The part before a fault counts, since programs cut packets that are too long for a segment.
        _ = try XMLScanner.scan(name, limit: maximumLength, into: packet) { (count) throws(PlaceError) in
            let bytes = try region.bytes(offset, min(count, region.count - offset)) ?? Bytes([])
            offset += bytes.count
            return bytes.content
        }
        let values = packet.values
        guard let latitude = degrees(values["gpslatitude"], values["gpslatituderef"], ("N", "S")),
            let longitude = degrees(
                values["gpslongitude"] ?? values["gpslongtitude"], values["gpslongituderef"], ("E", "W")),
            let coordinate = Photo.coordinate(latitude, longitude)
        else { return nil }
        try Photo.check(datum: packet.values["gpsmapdatum"] ?? "", of: name)
        let altitude = packet.values["gpsaltitude"].flatMap(fraction)
        let isBelow = packet.values["gpsaltituderef"] == "1"
        return ParsedPlace(
            item: MapItem(coordinate: coordinate), rule: "xmp", altitude: altitude.map { isBelow ? -$0 : $0 })
    }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        for (name, value) in element.attributes { remember(name, value) }
        return Self.names.contains(element.name.lowercased()) ? Self.longestValue : 0
    }

    func end(_ element: XMLText, in path: [String]) { remember(element.name, element.text) }

    private func remember(_ name: String, _ value: String) {
        let name = name.lowercased()
        let value = value.cut(toBytes: Self.longestValue).singleSpaced
        guard Self.names.contains(name), !value.isEmpty, values[name] == nil else { return }
        values[name] = value
    }

    /// Returns degrees of `DDD,MM,SSk`, `DDD,MM.mmk`, or a decimal number, which is signed or has a hemisphere of its own.
    private static func degrees(
        _ text: String?, _ hemisphere: String?, _ letters: (positive: Character, negative: Character)
    ) -> Double? {
        guard let text else { return nil }
        let letter = text.last.map { Character($0.uppercased()) }
        guard letter == letters.positive || letter == letters.negative else {
            let isNegative = hemisphere?.uppercased().first == letters.negative
            return DocumentText.number(text).map { isNegative ? -$0.magnitude : $0 }
        }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .map { DocumentText.number($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var degrees = 0.0
        for (part, unit) in zip(parts, [1.0, 60, 3_600]) {
            guard let part, part >= 0 else { return nil }
            degrees += part / unit
        }
        return letter == letters.negative ? -degrees : degrees
    }

    /// Returns the number of a fraction such as `3520/10`.
    private static func fraction(_ text: String) -> Double? {
        let parts = text.split(separator: "/").map { DocumentText.number($0) }
        guard let above = parts.first ?? nil else { return nil }
        guard parts.count == 2 else { return parts.count == 1 ? above : nil }
        guard let below = parts[1], below != 0 else { return nil }
        return above / below
    }
}
