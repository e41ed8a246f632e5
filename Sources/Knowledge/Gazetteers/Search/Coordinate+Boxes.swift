#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
import HunchModel

extension Coordinate {
    /// Returns boxes of latitude and longitude that cover a circle: one, or two if it crosses the antimeridian. The
    /// box of a circle around a pole spans all longitudes.
    func boxes(within metres: Double) -> [(latitude: ClosedRange<Double>, longitude: ClosedRange<Double>)] {
        let angle = min(metres / Self.earthRadius, .pi)
        // Slightly wider than the circle, so that rounding excludes no point on its edge.
        let reach = angle * 180 / .pi + 1e-6
        let south = max(latitude - reach, -90)
        let north = min(latitude + reach, 90)
        guard north < 90, south > -90 else { return [(south...north, -180...180)] }
        let ratio = sin(angle) / cos(latitude * .pi / 180)
        let width = asin(min(1, ratio)) * 180 / .pi + 1e-6
        let (west, east) = (longitude - width, longitude + width)
        if west < -180 { return [(south...north, -180...east), (south...north, (west + 360)...180)] }
        if east > 180 { return [(south...north, west...180), (south...north, -180...(east - 360))] }
        return [(south...north, west...east)]
    }
}
