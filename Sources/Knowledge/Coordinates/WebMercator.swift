#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The inverse projection of web maps, EPSG:3857, from metres to degrees; EPSG guidance note 7-2, method 1024.
package enum WebMercator {
    private static let radius = 6_378_137.0

    /// Returns the degrees of a point on the map. The longitude may exceed 180.
    ///
    /// - Parameters:
    ///   - x: metres east of the prime meridian.
    ///   - y: metres north of the equator.
    package static func degrees(x: Double, y: Double) -> (latitude: Double, longitude: Double) {
        (2 * atan(exp(y / radius)) * 180 / .pi - 90, x / radius * 180 / .pi)
    }
}
