import HunchModel

/// The meaning of the letter O: east in German (Ost), west in French, Spanish, Italian and Portuguese (ouest, oeste,
/// ovest).
///
/// The degrees decide: a place whose eastern longitude is in the German-speaking countries was written in German, one whose
/// western longitude is in a country of the other languages was written in these. Elsewhere both are offered.
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
    /// - Throws: ``PlaceError`` with `badCoordinate` that offers both, if the degrees do not decide.
    static func coordinate(_ latitude: Double, _ longitude: Double) throws(PlaceError) -> Coordinate {
        let isEast = contains(east, latitude, longitude)
        guard isEast != contains(west, latitude, longitude) else {
            let (north, east) = (
                DecimalNumber.text(of: latitude.rounded(7)), DecimalNumber.text(of: longitude.rounded(7))
            )
            throw PlaceError(.badCoordinate, "O may mean east or west; give \(north),\(east) or \(north),-\(east)")
        }
        return try PlaceText.coordinate(latitude, isEast ? longitude : -longitude)
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
