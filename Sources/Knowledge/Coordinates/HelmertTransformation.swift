/// A transformation from an older reference system to WGS 84: a translation, three small rotations and a scale.
///
/// Source: the position vector form of EPSG guidance note 7-2, method 9606.
struct HelmertTransformation: Sendable {
    /// The ellipsoid of the older system.
    let ellipsoid: Ellipsoid
    /// Metres.
    let translation: SIMD3<Double>
    /// Seconds of arc.
    let rotation: SIMD3<Double>
    /// Parts per million.
    let scale: Double

    /// Returns the degrees in WGS 84 of a point on the ground given in degrees of the older system.
    func wgs84(latitude: Double, longitude: Double) -> (latitude: Double, longitude: Double) {
        let old = ellipsoid.cartesian(latitude: latitude, longitude: longitude)
        let turn = rotation * (.pi / 648_000)
        let turned: SIMD3<Double> = [
            turn.y * old.z - turn.z * old.y, turn.z * old.x - turn.x * old.z, turn.x * old.y - turn.y * old.x,
        ]
        return Ellipsoid.wgs84.degrees(of: translation + old * (1 + scale / 1_000_000) + turned)
    }
}
