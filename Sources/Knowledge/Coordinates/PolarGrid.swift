#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Squares of the Military Grid Reference System near the poles, in the Universal Polar Stereographic grid.
///
/// Source: NGA.STND.0037, sections 10, 14 and 16.
struct PolarGrid {
    private static let scale = 0.994
    private static let falseOrigin = 2_000_000.0
    private static let square = 100_000.0

    /// Whether the half of the polar area is in the south.
    private let isSouth: Bool
    /// The letters of the columns from west to east, and the easting of the first one.
    private let columns: [UInt8]
    private let firstEasting: Double
    /// The letters of the rows from south to north, and the northing of the first one.
    private let rows: [UInt8]
    private let firstNorthing: Double

    private static let westernColumns = Array("JKLPQRSTUXYZ".utf8)
    private static let easternColumns = Array("ABCFGHJKLPQR".utf8)

    /// Creates the grid of a letter: A and B in the south, Y and Z in the north, A and Y west of Greenwich. `nil` for other
    /// letters.
    init?(_ letter: UInt8) {
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "Y"): (columns, firstEasting) = (Self.westernColumns, 800_000)
        case UInt8(ascii: "B"), UInt8(ascii: "Z"): (columns, firstEasting) = (Self.easternColumns, 2_000_000)
        default: return nil
        }
        isSouth = letter < UInt8(ascii: "C")
        rows = Array((isSouth ? "ABCDEFGHJKLMNPQRSTUVWXYZ" : "ABCDEFGHJKLMNP").utf8)
        firstNorthing = isSouth ? 800_000 : 1_300_000
    }

    /// Returns the latitude and longitude of a point in a square; `nil` if there is no such square.
    func degrees(column: UInt8, row: UInt8, easting: Double, northing: Double) -> (latitude: Double, longitude: Double)?
    {
        guard let column = columns.firstIndex(of: column), let row = rows.firstIndex(of: row) else { return nil }
        return degrees(
            firstEasting + Double(column) * Self.square + easting, firstNorthing + Double(row) * Self.square + northing)
    }

    /// Returns the latitude and longitude of a point in metres; `nil` if it is farther from the pole than the grid reaches.
    private func degrees(_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double)? {
        let (x, y) = (easting - Self.falseOrigin, northing - Self.falseOrigin)
        let ellipsoid = Ellipsoid.wgs84
        let squared = ellipsoid.flattening * (2 - ellipsoid.flattening)
        let eccentricity = squared.squareRoot()
        let radius =
            2 * ellipsoid.semiMajorAxis * Self.scale
            / (pow(1 + eccentricity, 1 + eccentricity) * pow(1 - eccentricity, 1 - eccentricity)).squareRoot()
        let distance = hypot(x, y) / radius
        // The conformal latitude is inverted by iteration, which converges to less than a millimetre within ten steps.
        var latitude = Double.pi / 2 - 2 * atan(distance)
        for _ in 0..<10 {
            let sine = eccentricity * sin(latitude)
            latitude = .pi / 2 - 2 * atan(distance * pow((1 - sine) / (1 + sine), eccentricity / 2))
        }
        let degrees = latitude * 180 / .pi
        guard degrees >= (isSouth ? 79 : 83) else { return nil }
        let longitude = hypot(x, y) == 0 ? 0 : atan2(x, isSouth ? y : -y) * 180 / .pi
        return (isSouth ? -degrees : degrees, longitude)
    }
}
