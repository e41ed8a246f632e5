import Glibc
import HunchModel

/// A map plane in metres around a centre: Lambert's azimuthal equal-area projection of the sphere.
///
/// It needs no special cases at the antimeridian and the poles. Within 500 km of the centre, distances are off by less
/// than 0.1 %.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395, section 24.
struct LocalPlane {
    private let sine: Double
    private let cosine: Double
    /// The longitude of the centre in radians.
    private let meridian: Double

    /// Creates the plane around the centre of some places.
    ///
    /// - Parameter places: the places; at least one.
    init(around places: [Coordinate]) {
        var (x, y, z) = (0.0, 0.0, 0.0)
        for place in places {
            let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
            x += cos(latitude) * cos(longitude)
            y += cos(latitude) * sin(longitude)
            z += sin(latitude)
        }
        let length = (x * x + y * y + z * z).squareRoot()
        // If the places are spread evenly around the earth, they have no centre, and any plane will do.
        sine = length > 0 ? z / length : 0
        cosine = max(0, 1 - sine * sine).squareRoot()
        meridian = atan2(y, x)
    }

    /// Returns the position of a place in metres east and north of the centre. The antipode of the centre gets the
    /// position of a place near it.
    func position(_ place: Coordinate) -> (x: Double, y: Double) {
        let latitude = place.latitude * .pi / 180
        let east = place.longitude * .pi / 180 - meridian
        let nearness = sine * sin(latitude) + cosine * cos(latitude) * cos(east)
        let scale = Coordinate.authalicRadius * (2 / max(1e-9, 1 + nearness)).squareRoot()
        return (
            scale * cos(latitude) * sin(east), scale * (cosine * sin(latitude) - sine * cos(latitude) * cos(east))
        )
    }

    /// Returns the degrees of a position. The longitude is within 180° of the centre's and may exceed ±180°.
    func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double) {
        let distance = (x * x + y * y).squareRoot()
        let middle = (longitude: meridian * 180 / .pi, latitude: asin(sine) * 180 / .pi)
        guard distance > 0 else { return middle }
        let angle = 2 * asin(min(1, distance / (2 * Coordinate.authalicRadius)))
        let latitude = asin(min(1, max(-1, cos(angle) * sine + y * sin(angle) * cosine / distance)))
        let east = atan2(x * sin(angle), distance * cosine * cos(angle) - y * sine * sin(angle))
        return (middle.longitude + east * 180 / .pi, latitude * 180 / .pi)
    }
}
