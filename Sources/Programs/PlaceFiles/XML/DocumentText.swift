import Coordinates
import HunchModel
import Localization

/// Numbers and names in GPX and KML.
enum DocumentText {
    /// The maximum length of a name, in bytes.
    static let maximumName = 1_024

    /// Returns the error for a document whose points are all out of range.
    static func badPoint(in name: String) -> PlaceError {
        PlaceError(
            .badCoordinate, localized("%1 has a point whose latitude and longitude are not a position on Earth", name))
    }

    /// Returns the value of a decimal or double of XML Schema, whose white space collapses; `nil` for "INF", "NaN" and
    /// other texts. Some programs write a decimal comma.
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.count <= 4 * DecimalNumber.maximumLength else { return nil }
        var number = String(text).singleSpaced
        guard number.utf8.count <= DecimalNumber.maximumLength else { return nil }
        if !number.utf8.contains(UInt8(ascii: ".")), number.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1 {
            number = number.replacing(",", with: ".")
        }
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(number)
    }

    /// Returns the coordinate of two texts; `nil` if they are invalid or out of range.
    static func coordinate(
        latitude: (some StringProtocol)?, longitude: (some StringProtocol)?
    ) -> Coordinate? {
        guard let latitude = latitude.flatMap({ number($0) }), let longitude = longitude.flatMap({ number($0) }),
            (-180...180).contains(longitude)
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }
}
