internal import CGEOS
internal import HunchModel

/// Operations for outlines around places, on a plane in metres.
extension GEOSContext {
    /// Creates a multipoint from alternating x and y, of at least one point.
    func points(_ values: [Double]) throws(RegionError) -> GEOSShape {
        var shapes = GEOSShapes(context: self)
        for index in stride(from: 0, to: values.count, by: 2) {
            shapes.append(
                try owned(GEOSGeom_createPointFromXY_r(handle, values[index], values[index + 1]), "make a point"))
        }
        var pointers = shapes.releaseAll()
        // Takes over the members, even on failure (NULL). The array itself stays ours.
        return try owned(
            GEOSGeom_createCollection_r(
                handle, Int32(GEOS_MULTIPOINT.rawValue), &pointers, UInt32(pointers.count)), "collect points")
    }

    /// Returns a concave hull without holes. For one or two points, or points on a line, it is not a polygon.
    ///
    /// - Parameter ratio: from 0, as concave as possible, to 1, the convex hull.
    func concaveHull(_ shape: borrowing GEOSShape, ratio: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSConcaveHull_r(handle, shape.pointer, ratio, 0), "draw a hull")
    }

    /// Returns the shape widened by a margin.
    func buffer(_ shape: borrowing GEOSShape, by width: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception. Eight segments for a quarter of a circle.
        try owned(GEOSBuffer_r(handle, shape.pointer, width, 8), "widen a hull")
    }

    /// Returns the shape with fewer positions. Its border moves by at most `tolerance`.
    func simplified(_ shape: borrowing GEOSShape, by tolerance: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSTopologyPreserveSimplify_r(handle, shape.pointer, tolerance), "simplify an outline")
    }

    /// Returns the shape with positions added, so that no edge is longer than `length`.
    func densified(_ shape: borrowing GEOSShape, to length: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSDensify_r(handle, shape.pointer, length), "divide an outline")
    }

    /// Returns the shape with all positions on a grid. It stays valid.
    func rounded(_ shape: borrowing GEOSShape, to step: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception. 0: the result is valid, and parts that vanish are dropped.
        try owned(GEOSGeom_setPrecision_r(handle, shape.pointer, step, 0), "round an outline")
    }
}
