import Glibc
import HunchModel
import Localization

/// The meaning of the letter O: east in German (Ost), west in French, Spanish, Italian and Portuguese (ouest, oeste,
/// ovest).
///
/// The language of the person decides. For other languages, the degrees decide if the sea is on one side. Elsewhere
/// both sides are offered.
enum EastOrWest {
    /// The cause of an error that offers both sides.
    struct Question: Error {}

    private typealias Area = (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)

    /// Central Europe, in degrees north and east. The same degrees west are in the open Atlantic.
    private static let east: [Area] = [(45.5...51.3, 5.8...17.3), (51.3...55.2, 10.7...17.3)]
    /// Spain and Portugal, in degrees north and west. The same degrees east are in the open Mediterranean.
    private static let west: [Area] = [(40.2...41.1, 3.4...7.9), (37.3...38.7, 0.4...9.6)]

    /// Returns the coordinate of a latitude and a longitude without its side.
    ///
    /// - Parameter language: the language of the person, ISO 639-1 with or without a country.
    /// - Throws: ``PlaceError`` with `badCoordinate` if a number is out of range, or if neither language nor degrees
    ///   decide. The latter offers both, and ``Question`` is its cause.
    static func coordinate(
        _ latitude: Double, _ longitude: Double, language: String = languageOfMessages
    ) throws(PlaceError) -> Coordinate {
        // "O -3.7" has a sign, which the examples must not repeat.
        let size = longitude.magnitude
        _ = try PlaceText.coordinate(latitude, size)
        guard let isEast = isEast(latitude, longitude, language.prefix { $0 != "_" && $0 != "." && $0 != "@" }) else {
            let (north, east) = (DecimalNumber.text(of: latitude.rounded(7)), DecimalNumber.text(of: size.rounded(7)))
            throw PlaceError(
                .badCoordinate, localized("O may mean east or west; give %1,%2 or %1,-%2", north, east),
                underlying: Question())
        }
        return try PlaceText.coordinate(latitude, isEast ? longitude : -size)
    }

    /// Returns whether O means east; `nil` if neither language nor degrees decide.
    private static func isEast(_ latitude: Double, _ longitude: Double, _ language: Substring) -> Bool? {
        if eastern.contains(String(language)) { return true }
        if western.contains(String(language)) { return false }
        if contains(east, latitude, longitude) { return true }
        return contains(west, latitude, longitude) ? false : nil
    }

    /// The languages whose word for east begins with O.
    private static let eastern: Set<String> = ["de", "nl", "lb", "nds", "af", "fy"]
    /// The languages whose word for west begins with O.
    private static let western: Set<String> = ["fr", "es", "it", "pt", "ca", "gl", "oc", "ast", "eo"]

    /// The language of this process's messages, such as `de_DE.UTF-8`; `C` if none is set.
    static var languageOfMessages: String {
        // It belongs to the C library, and nothing sets the locale after the start.
        setlocale(LC_MESSAGES, nil).map { String(cString: $0) } ?? ""
    }

    private static func contains(_ areas: [Area], _ latitude: Double, _ longitude: Double) -> Bool {
        areas.contains { $0.latitudes.contains(latitude) && $0.longitudes.contains(longitude) }
    }
}

extension Double {
    /// Returns the number rounded to so many decimals.
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
