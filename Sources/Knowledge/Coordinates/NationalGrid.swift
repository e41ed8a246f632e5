/// A national grid: a transverse Mercator projection of an older reference system.
package struct NationalGrid: Sendable {
    /// The British National Grid, EPSG:27700. The error is below 3.5 m for 95 of 100 places.
    ///
    /// Source: Ordnance Survey, "A guide to coordinate systems in Great Britain".
    package static let british = NationalGrid(
        projection: TransverseMercator(
            .airy1830, scale: 0.999_601_271_7, latitude: 49, longitude: -2, falseEasting: 400_000,
            falseNorthing: -100_000),
        transformation: HelmertTransformation(
            ellipsoid: .airy1830, translation: [446.448, -125.157, 542.060], rotation: [0.1502, 0.2470, 0.8421],
            scale: -20.4894))

    /// The Irish Grid, EPSG:29903. The error is below 1 m.
    ///
    /// Source: Ordnance Survey Ireland and Land & Property Services, "Making maps compatible with GPS".
    static let irish = NationalGrid(
        projection: TransverseMercator(
            .airyModified, scale: 1.000_035, latitude: 53.5, longitude: -8, falseEasting: 200_000,
            falseNorthing: 250_000),
        transformation: HelmertTransformation(
            ellipsoid: .airyModified, translation: [482.530, -130.596, 564.557], rotation: [-1.042, -0.214, -0.631],
            scale: 8.150))

    /// Irish Transverse Mercator, EPSG:2157, whose reference system is within a metre of WGS 84.
    static let irishTransverseMercator = NationalGrid(
        projection: TransverseMercator(
            .grs80, scale: 0.999_82, latitude: 53.5, longitude: -8, falseEasting: 600_000, falseNorthing: 750_000),
        transformation: nil)

    let projection: TransverseMercator
    /// The transformation to WGS 84; `nil` if none is needed.
    let transformation: HelmertTransformation?

    /// Returns the WGS 84 latitude and longitude of a point of the grid in metres.
    package func degrees(easting: Double, northing: Double) -> (latitude: Double, longitude: Double) {
        let old = projection.degrees(easting: easting, northing: northing)
        return transformation?.wgs84(latitude: old.latitude, longitude: old.longitude) ?? old
    }
}
