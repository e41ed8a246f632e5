#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// An ellipsoid of revolution, by which a reference system models the Earth.
package struct Ellipsoid: Hashable, Sendable {
    /// The World Geodetic System 1984; NIMA TR8350.2.
    static let wgs84 = Ellipsoid(semiMajorAxis: 6_378_137, flattening: 1 / 298.257_223_563)
    /// The Geodetic Reference System 1980, which differs from the ellipsoid of WGS 84 by 0.1 mm.
    package static let grs80 = Ellipsoid(semiMajorAxis: 6_378_137, flattening: 1 / 298.257_222_101)
    /// The ellipsoid of the British National Grid.
    static let airy1830 = Ellipsoid(semiMajorAxis: 6_377_563.396, semiMinorAxis: 6_356_256.909)
    /// The ellipsoid of the Irish Grid.
    static let airyModified = Ellipsoid(semiMajorAxis: 6_377_340.189, semiMinorAxis: 6_356_034.447)

    /// The equatorial radius in metres.
    let semiMajorAxis: Double
    /// The flattening, (a − b) / a.
    let flattening: Double

    /// The third flattening n, (a − b) / (a + b), used in series expansions.
    var thirdFlattening: Double { flattening / (2 - flattening) }
    private var squaredEccentricity: Double { flattening * (2 - flattening) }

    init(semiMajorAxis: Double, flattening: Double) {
        self.semiMajorAxis = semiMajorAxis
        self.flattening = flattening
    }

    init(semiMajorAxis: Double, semiMinorAxis: Double) {
        self.init(semiMajorAxis: semiMajorAxis, flattening: (semiMajorAxis - semiMinorAxis) / semiMajorAxis)
    }

    /// Returns the geocentric coordinates, in metres, of a point on the ellipsoid given in degrees.
    func cartesian(latitude: Double, longitude: Double) -> SIMD3<Double> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        let radius = primeVerticalRadius(at: north)
        return [
            radius * cos(north) * cos(east), radius * cos(north) * sin(east),
            radius * (1 - squaredEccentricity) * sin(north),
        ]
    }

    /// Returns the degrees of a point near the ellipsoid.
    ///
    /// - Parameter position: the geocentric coordinates in metres.
    func degrees(of position: SIMD3<Double>) -> (latitude: Double, longitude: Double) {
        let fromAxis = hypot(position.x, position.y)
        var north = atan2(position.z, fromAxis * (1 - squaredEccentricity))
        // Each round reduces the error 150-fold. Near the ground, the first is already below a millimetre.
        for _ in 0..<4 {
            let shift = squaredEccentricity * primeVerticalRadius(at: north) * sin(north)
            north = atan2(position.z + shift, fromAxis)
        }
        return (north * 180 / .pi, atan2(position.y, position.x) * 180 / .pi)
    }

    private func primeVerticalRadius(at latitude: Double) -> Double {
        let sine = sin(latitude)
        return semiMajorAxis / (1 - squaredEccentricity * sine * sine).squareRoot()
    }
}
