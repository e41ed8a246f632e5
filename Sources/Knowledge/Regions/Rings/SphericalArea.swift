import Glibc
import HunchModel

/// Areas on a sphere with the same surface as the WGS 84 ellipsoid. Edges are straight in longitude and latitude, as in
/// GeoJSON.
enum SphericalArea {
    /// Returns the area of a closed ring in km². It is positive for both orientations.
    ///
    /// Integrates sin φ dλ along each edge, which is exact for an edge whose latitude is linear in its longitude.
    static func ofRing(_ values: [Double]) -> Double {
        guard values.count >= 8 else { return 0 }
        var sum = 0.0
        for index in stride(from: 0, to: values.count - 2, by: 2) {
            let width = (values[index + 2] - values[index]) * .pi / 180
            let south = values[index + 1] * .pi / 180
            let rise = values[index + 3] * .pi / 180 - south
            let mean = abs(rise) < 1e-9 ? sin(south + rise / 2) : (cos(south) - cos(south + rise)) / rise
            sum += width * mean
        }
        return abs(sum) * Coordinate.authalicRadius * Coordinate.authalicRadius / 1e6
    }

    /// Returns the area of a polygon in km², never negative. The first ring is the outer ring.
    static func ofPolygon(_ polygon: RingPolygon) -> Double {
        guard let outer = polygon.rings.first else { return 0 }
        return polygon.rings.dropFirst().reduce(ofRing(outer.values)) { $0 - ofRing($1.values) }.magnitude
    }
}
