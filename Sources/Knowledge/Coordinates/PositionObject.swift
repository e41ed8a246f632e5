package import HunchModel
import Localization

/// An object of JSON or of a script with a latitude and a longitude: `{"lat":52.52,"lng":13.405}`,
/// `{latitude: 52.52, longitude: 13.405}`.
package struct PositionObject {
    private static let latitudeNames: Set = ["lat", "latitude"]
    private static let longitudeNames: Set = ["lng", "lon", "long", "longitude"]
    private static let longestName = 16

    private var latitudes: [String] = []
    private var longitudes: [String] = []

    /// Reads the fields of a text, including those of inner objects.
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard let word = Self.word(in: bytes, &index) else {
                index += 1
                continue
            }
            Self.skipSpaces(in: bytes, &index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { continue }
            let name = word.count <= Self.longestName ? String(decoding: word, as: UTF8.self).lowercased() : ""
            let isLatitude = Self.latitudeNames.contains(name)
            guard isLatitude || Self.longitudeNames.contains(name) else { continue }
            index += 1
            Self.skipSpaces(in: bytes, &index)
            let value = String(decoding: Self.value(in: bytes, &index), as: UTF8.self).trimmed
            if isLatitude { latitudes.append(value) } else { longitudes.append(value) }
        }
    }

    /// The coordinate; `nil` if the text has neither a latitude nor a longitude.
    package var coordinate: Coordinate? {
        get throws(PlaceError) {
            switch (latitudes.count, longitudes.count) {
            case (0, 0): return nil
            case (1, 1): break
            case (1..., 1...):
                throw PlaceError(.notAPlace, localized("the object has several positions; give one of them"))
            default: throw PlaceError(.badCoordinate, localized("the object has only one of latitude and longitude"))
            }
            guard let north = DecimalNumber.value(of: latitudes[0], plusSign: true),
                let east = DecimalNumber.value(of: longitudes[0], plusSign: true)
            else {
                throw PlaceError(
                    .badCoordinate,
                    localized("the latitude and longitude of the object are not decimal degrees such as 52.52"))
            }
            return try PlaceText.coordinate(north, east)
        }
    }

    /// Returns the string or the name at an index, and advances the index.
    private static func word(in bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8>? {
        if let string = string(in: bytes, &index) { return string }
        let name = bytes[index...].prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        index += name.count
        return name.isEmpty ? nil : name
    }

    /// Returns the content of the quoted string at an index, and advances the index.
    private static func string(in bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8>? {
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let start = index + 1
        var end = start
        while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        end = min(end, bytes.count)
        index = min(end + 1, bytes.count)
        return bytes[start..<end]
    }

    private static func value(in bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
        guard index < bytes.count else { return [] }
        if let string = string(in: bytes, &index) { return string }
        let value = bytes[index...].prefix { !",}]".utf8.contains($0) }
        index += value.count
        return value
    }

    private static func skipSpaces(in bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
    }
}
