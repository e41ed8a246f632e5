import CGEOS
import Testing

/// A geometry asked by GEOS's plain predicate, without preparation and without a tree: what the index must agree with.
final class PlainGeometry {
    private let handle: GEOSContextHandle_t
    private let geometry: OpaquePointer

    init(wellKnownText text: String) throws {
        let handle = try #require(GEOS_init_r())
        let reader = try #require(GEOSWKTReader_create_r(handle))
        defer { GEOSWKTReader_destroy_r(handle, reader) }
        geometry = try #require(GEOSWKTReader_read_r(handle, reader, text))
        self.handle = handle
    }

    deinit {
        GEOSGeom_destroy_r(handle, geometry)
        GEOS_finish_r(handle)
    }

    var isValid: Bool { GEOSisValid_r(handle, geometry) == 1 }

    func intersects(_ x: Double, _ y: Double) -> Bool {
        let point = GEOSGeom_createPointFromXY_r(handle, x, y)
        defer { GEOSGeom_destroy_r(handle, point) }
        return GEOSIntersects_r(handle, geometry, point) == 1
    }
}
