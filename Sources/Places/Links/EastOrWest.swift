import Glibc
import HunchModel

/// The meaning of the letter O: east in German (Ost), west in French, Spanish, Italian and Portuguese (ouest, oeste,
/// ovest).
///
/// The degrees decide: a place whose eastern longitude is in the German-speaking countries was written in German, one whose
/// western longitude is in a country of the other languages was written in these. Elsewhere the language of the person
/// decides. If it has another word, both are offered.
enum EastOrWest {
    private typealias Area = (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)

    /// Germany, Austria, Switzerland and their neighbours, in degrees north and east.
    private static let east: [Area] = [(45.5...55.2, 5.8...17.3)]
    /// The places west of Greenwich where these languages are spoken, in degrees north and west: France; Spain, Portugal
    /// and their islands; the north-west of Africa; Latin America; Québec.
    private static let west: [Area] = [
        (42.3...51.2, 0...5.3), (35.9...43.9, 0...9.6), (27.5...29.6, 13.2...18.3), (36.8...39.9, 24.9...31.4),
        (32.5...33.2, 16.2...17.4), (4.0...36.0, 0...17.6), (-56.0...33.0, 34.0...118.0), (44.0...63.0, 57.0...80.0),
    ]

    /// Returns the coordinate of a latitude and a longitude without its side.
    ///
    /// - Parameter language: the language of the person, ISO 639-1 with or without a country.
    /// - Throws: ``PlaceError`` with `badCoordinate` that offers both, if neither degrees nor language decide.
    static func coordinate(
        _ latitude: Double, _ longitude: Double, language: String = languageOfMessages
    ) throws(PlaceError) -> Coordinate {
        var isEast = contains(east, latitude, longitude)
        var isWest = contains(west, latitude, longitude)
        if isEast == isWest {
            let language = String(language.prefix { $0 != "_" && $0 != "." && $0 != "@" })
            (isEast, isWest) = (eastern.contains(language), western.contains(language))
        }
        guard isEast != isWest else {
            let (north, east) = (
                DecimalNumber.text(of: latitude.rounded(7)), DecimalNumber.text(of: longitude.rounded(7))
            )
            throw PlaceError(.badCoordinate, "O may mean east or west; give \(north),\(east) or \(north),-\(east)")
        }
        return try PlaceText.coordinate(latitude, isEast ? longitude : -longitude)
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
