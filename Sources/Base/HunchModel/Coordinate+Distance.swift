#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

extension Coordinate {
    /// The mean radius of the Earth in metres, as the IUGG defines it.
    public static let earthRadius = 6_371_008.8

    /// The radius of the sphere with the surface of the WGS 84 ellipsoid, in metres.
    package static let authalicRadius = 6_371_007.2

    /// The length of a degree of latitude on a sphere of the Earth's mean radius, in metres.
    package static let metresPerDegree = earthRadius * Double.pi / 180

    /// Returns the great-circle distance in metres on a sphere of the Earth's mean radius; within 0.6 % of the ellipsoid.
    public func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let haversine =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
