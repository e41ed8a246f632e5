internal import CGEOS
internal import HunchModel
internal import Localization

extension GEOSContext {
    func point(longitude: Double, latitude: Double) throws(RegionError) -> GEOSShape {
        try owned(GEOSGeom_createPointFromXY_r(handle, longitude, latitude), "make a point")
    }

    func rectangle(west: Double, south: Double, east: Double, north: Double) throws(RegionError) -> GEOSShape {
        try owned(GEOSGeom_createRectangle_r(handle, west, south, east, north), "make a rectangle")
    }

    /// Creates a closed ring of at least four positions.
    func linearRing(_ ring: Ring) throws(RegionError) -> GEOSShape {
        let sequence = ring.values.withUnsafeBufferPointer {
            GEOSCoordSeq_copyFromBuffer_r(handle, $0.baseAddress, UInt32(ring.count), 0, 0)
        }
        // NULL: exception. On success the sequence is ours until the next call, which takes it over even on failure.
        guard let sequence else { throw failure("copy a ring") }
        return try owned(GEOSGeom_createLinearRing_r(handle, sequence), "make a ring")
    }

    func polygon(_ polygon: RingPolygon) throws(RegionError) -> GEOSShape {
        guard let outer = polygon.rings.first else { throw RegionError(.empty, localized("a polygon has no ring")) }
        let shell = try linearRing(outer)
        var holes = GEOSShapes(context: self)
        for ring in polygon.rings.dropFirst() { holes.append(try linearRing(ring)) }
        var pointers = holes.releaseAll()
        // Takes over the shell and the holes, even on failure (NULL). The array itself stays ours.
        return try owned(
            GEOSGeom_createPolygon_r(handle, shell.release(), &pointers, UInt32(pointers.count)), "make a polygon")
    }

    func multiPolygon(_ shapes: consuming GEOSShapes) throws(RegionError) -> GEOSShape {
        var pointers = shapes.releaseAll()
        // Takes over the members, even on failure (NULL). The array itself stays ours.
        return try owned(
            GEOSGeom_createCollection_r(
                handle, Int32(GEOS_MULTIPOLYGON.rawValue), &pointers, UInt32(pointers.count)), "collect polygons")
    }

    /// Returns copies of the polygons of a geometry of any type. Lines and points are dropped.
    func polygons(of shape: borrowing GEOSShape) throws(RegionError) -> GEOSShapes {
        var found = GEOSShapes(context: self)
        try collectPolygons(of: shape.pointer, into: &found)
        return found
    }

    private func collectPolygons(of geometry: OpaquePointer, into found: inout GEOSShapes) throws(RegionError) {
        for polygon in try lentPolygons(of: geometry) {
            found.append(try owned(GEOSGeom_clone_r(handle, polygon), "copy a polygon"))
        }
    }

    /// Returns the polygons of a geometry of any type, which still owns them. Lines and points are dropped.
    private func lentPolygons(of geometry: OpaquePointer) throws(RegionError) -> [OpaquePointer] {
        // -1: exception.
        let type = GEOSGeomTypeId_r(handle, geometry)
        if type == Int32(GEOS_POLYGON.rawValue) {
            // 0: not empty. 2: exception.
            return GEOSisEmpty_r(handle, geometry) == 0 ? [geometry] : []
        }
        guard type == Int32(GEOS_MULTIPOLYGON.rawValue) || type == Int32(GEOS_GEOMETRYCOLLECTION.rawValue) else {
            return []
        }
        var polygons: [OpaquePointer] = []
        for index in 0..<max(0, GEOSGetNumGeometries_r(handle, geometry)) {
            // The collection still owns the member. NULL: exception.
            guard let member = GEOSGetGeometryN_r(handle, geometry, index) else {
                throw failure("read a collection")
            }
            polygons += try lentPolygons(of: member)
        }
        return polygons
    }

    func union(_ shapes: consuming GEOSShapes) throws(RegionError) -> GEOSShape {
        if shapes.pointers.count == 1, let only = shapes.releaseAll().first {
            return try owned(only, "take a polygon")
        }
        let collection = try multiPolygon(shapes)
        return try owned(GEOSUnaryUnion_r(handle, collection.pointer), "unite polygons")
    }

    func intersection(_ one: borrowing GEOSShape, _ other: borrowing GEOSShape) throws(RegionError) -> GEOSShape {
        try owned(GEOSIntersection_r(handle, one.pointer, other.pointer), "cut a polygon")
    }

    func madeValid(_ shape: borrowing GEOSShape) throws(RegionError) -> GEOSShape {
        try owned(GEOSMakeValid_r(handle, shape.pointer), "repair a polygon")
    }

    /// Returns the shape moved east by a number of degrees. Longitudes within a rounding error of ±180° become ±180°.
    func moved(_ shape: borrowing GEOSShape, by degrees: Double) throws(RegionError) -> GEOSShape {
        var degrees = degrees
        let moved = GEOSGeom_transformXY_r(
            handle, shape.pointer,
            { longitude, _, degrees in
                guard let longitude, let degrees else { return 0 }
                let value = longitude.pointee + degrees.load(as: Double.self)
                longitude.pointee = abs(abs(value) - 180) < 1e-9 ? (value < 0 ? -180 : 180) : value
                return 1
            }, &degrees)
        return try owned(moved, "move a polygon")
    }

    /// Returns why and where a geometry is invalid, or `nil` if it is valid.
    func invalidity(
        of shape: borrowing GEOSShape
    ) throws(RegionError) -> (reason: String, position: RegionError.Position?)? {
        var reason: UnsafeMutablePointer<CChar>?
        var location: OpaquePointer?
        // 1: valid. 0: invalid, and we must free both results. 2: exception.
        switch GEOSisValidDetail_r(handle, shape.pointer, 0, &reason, &location) {
        case 1: return nil
        case 0:
            defer { if let reason { GEOSFree_r(handle, reason) } }
            let text = reason.map { String(cString: $0) } ?? "invalid"
            guard let location else { return (text, nil) }
            let place = GEOSShape(handle: handle, owning: location)
            return (text, position(of: place))
        default: throw failure("validate a polygon")
        }
    }

    private func position(of point: borrowing GEOSShape) -> RegionError.Position? {
        var longitude = 0.0
        var latitude = 0.0
        // 1: success. -1: not a point, because the position is unknown.
        guard GEOSGeomGetX_r(handle, point.pointer, &longitude) == 1,
            GEOSGeomGetY_r(handle, point.pointer, &latitude) == 1
        else { return nil }
        return RegionError.Position(longitude: longitude, latitude: latitude)
    }

    /// Returns the distance in degrees, or infinity if GEOS fails.
    func distance(_ one: borrowing GEOSShape, _ other: borrowing GEOSShape) -> Double {
        var distance = Double.infinity
        // 0: exception, and the result is not set.
        return GEOSDistance_r(handle, one.pointer, other.pointer, &distance) == 1 ? distance : .infinity
    }

    /// Returns the area of a polygonal geometry on the sphere, in km².
    func area(of shape: borrowing GEOSShape) throws(RegionError) -> Double { try area(ofLent: shape.pointer) }

    /// Returns the area of a borrowed polygonal geometry on the sphere, in km².
    func area(ofLent geometry: OpaquePointer) throws(RegionError) -> Double {
        try polygons(ofLent: geometry).reduce(0) { $0 + SphericalArea.ofPolygon($1) }
    }

    /// Returns the polygons of a borrowed geometry with all their rings.
    func polygons(ofLent geometry: OpaquePointer) throws(RegionError) -> [RingPolygon] {
        var polygons: [RingPolygon] = []
        for polygon in try lentPolygons(of: geometry) {
            // The polygon owns its rings. NULL: exception.
            guard let outer = GEOSGetExteriorRing_r(handle, polygon) else { throw failure("read a polygon") }
            var rings = [Ring(values: try values(of: outer))]
            for index in 0..<max(0, GEOSGetNumInteriorRings_r(handle, polygon)) {
                guard let hole = GEOSGetInteriorRingN_r(handle, polygon, index) else {
                    throw failure("read a polygon")
                }
                rings.append(Ring(values: try values(of: hole)))
            }
            polygons.append(RingPolygon(rings: rings))
        }
        return polygons
    }

    /// Returns the western, southern and northern bounds of a borrowed geometry, in degrees.
    func bounds(ofLent geometry: OpaquePointer) throws(RegionError) -> (west: Double, south: Double, north: Double) {
        var (west, south, north) = (0.0, 0.0, 0.0)
        // 0: exception, as for an empty geometry.
        guard GEOSGeom_getXMin_r(handle, geometry, &west) == 1, GEOSGeom_getYMin_r(handle, geometry, &south) == 1,
            GEOSGeom_getYMax_r(handle, geometry, &north) == 1
        else { throw failure("measure a region") }
        return (west, south, north)
    }

    private func values(of ring: OpaquePointer) throws(RegionError) -> [Double] {
        var count: UInt32 = 0
        // The ring owns the sequence. NULL and 0: exception.
        guard let sequence = GEOSGeom_getCoordSeq_r(handle, ring),
            GEOSCoordSeq_getSize_r(handle, sequence, &count) == 1
        else { throw failure("read a ring") }
        var copied: Int32 = 0
        let values = [Double](unsafeUninitializedCapacity: 2 * Int(count)) { buffer, filled in
            // 0: exception.
            copied = GEOSCoordSeq_copyToBuffer_r(handle, sequence, buffer.baseAddress, 0, 0)
            filled = copied == 1 ? buffer.count : 0
        }
        guard copied == 1 else { throw failure("read a ring") }
        return values
    }
}
