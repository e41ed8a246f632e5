#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// An inverse transverse Mercator projection, from metres on the map to degrees.
///
/// ```swift
/// let korea = TransverseMercator(
///     .grs80, scale: 1, latitude: 38, longitude: 127, falseEasting: 200_000, falseNorthing: 500_000)
/// korea.degrees(easting: 198_242, northing: 451_586)  // 37.5643, 126.9801
/// ```
///
/// Source: Krüger's series to the fourth order of n, as in C. F. F. Karney, "Transverse Mercator with an accuracy of
/// a few nanometers", Journal of Geodesy 85 (2011). The error is below 1 mm within 3,000 km of the central meridian.
package struct TransverseMercator: Sendable {
    private let centralMeridian: Double
    private let falseEasting: Double
    private let falseNorthing: Double
    /// The length of one radian of the meridian on the map, in metres.
    private let radius: Double
    /// The rectifying latitude of the origin, in radians.
    private let originArc: Double
    /// The coefficients from map to conformal sphere: Karney's β.
    private let toSphere: SIMD4<Double>
    /// The coefficients from conformal to geodetic latitude: Krüger's δ.
    private let toGeodetic: SIMD4<Double>

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - scale: the scale on the central meridian.
    ///   - latitude: degrees of the true origin.
    ///   - longitude: degrees of the central meridian.
    ///   - falseEasting: the easting of the true origin, in metres.
    ///   - falseNorthing: the northing of the true origin, in metres.
    package init(
        _ ellipsoid: Ellipsoid, scale: Double, latitude: Double = 0, longitude: Double, falseEasting: Double,
        falseNorthing: Double = 0
    ) {
        let n = ellipsoid.thirdFlattening
        let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
        toSphere = [
            n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360, n2 / 48 + n3 / 15 - n4 * 437 / 1_440,
            n3 * 17 / 480 - n4 * 37 / 840, n4 * 4_397 / 161_280,
        ]
        toGeodetic = [
            n * 2 - n2 * 2 / 3 - n3 * 2 + n4 * 116 / 45, n2 * 7 / 3 - n3 * 8 / 5 - n4 * 227 / 45,
            n3 * 56 / 15 - n4 * 136 / 35, n4 * 4_279 / 630,
        ]
        // Helmert's series (1880) for the length of a meridian, from the geodetic to the rectifying latitude.
        let arc: SIMD4<Double> = [
            -n * 3 / 2 + n3 * 9 / 16, n2 * 15 / 16 - n4 * 15 / 32, -n3 * 35 / 48, n4 * 315 / 512,
        ]
        let origin = latitude * .pi / 180
        originArc = origin + Self.sum(arc) { sin($0 * origin) }
        radius = scale * ellipsoid.semiMajorAxis / (1 + n) * (1 + n2 / 4 + n4 / 64)
        centralMeridian = longitude
        self.falseEasting = falseEasting
        self.falseNorthing = falseNorthing
    }

    /// Returns the degrees of a point on the map. The longitude may exceed 180. Far from the central meridian, the
    /// result is meaningless and may be NaN.
    package func degrees(easting: Double, northing: Double) -> (latitude: Double, longitude: Double) {
        let north = (northing - falseNorthing) / radius + originArc
        let east = (easting - falseEasting) / radius
        let sphereNorth = north - Self.sum(toSphere) { sin($0 * north) * cosh($0 * east) }
        let sphereEast = east - Self.sum(toSphere) { cos($0 * north) * sinh($0 * east) }
        let conformal = asin(sin(sphereNorth) / cosh(sphereEast))
        let latitude = conformal + Self.sum(toGeodetic) { sin($0 * conformal) }
        return (latitude * 180 / .pi, centralMeridian + atan2(sinh(sphereEast), cos(sphereNorth)) * 180 / .pi)
    }

    /// Returns the sum of a series of four terms.
    ///
    /// - Parameter term: returns the term for the multiple 2, 4, 6 or 8 of an angle.
    private static func sum(_ coefficients: SIMD4<Double>, _ term: (Double) -> Double) -> Double {
        coefficients[0] * term(2) + coefficients[1] * term(4) + coefficients[2] * term(6) + coefficients[3] * term(8)
    }
}
