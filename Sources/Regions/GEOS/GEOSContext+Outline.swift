internal import CGEOS
internal import HunchModel

/// Operations that draw an outline around places, on a plane in metres.
extension GEOSContext {
    /// The points of alternating x and y, at least one.
    func points(_ values: [Double]) throws(RegionError) -> GEOSShape {
        var shapes = GEOSShapes(context: self)
        for index in stride(from: 0, to: values.count, by: 2) {
            shapes.append(
                try owned(GEOSGeom_createPointFromXY_r(handle, values[index], values[index + 1]), "make a point"))
        }
        var pointers = shapes.releaseAll()
        // Takes the members over, also when it fails (NULL); the array itself stays ours.
        return try owned(
            GEOSGeom_createCollection_r(
                handle, Int32(GEOS_MULTIPOINT.rawValue), &pointers, UInt32(pointers.count)), "collect points")
    }

    /// A hull without holes that follows its points inwards: of one or two points, or of points on a line, no polygon.
    ///
    /// - Parameter ratio: 0 for as far inwards as can be, 1 for the convex hull.
    func concaveHull(_ shape: borrowing GEOSShape, ratio: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSConcaveHull_r(handle, shape.pointer, ratio, 0), "draw a hull")
    }

    /// The shape and what is at most so far from it.
    func buffer(_ shape: borrowing GEOSShape, by width: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception. Eight lines for a quarter of a circle.
        try owned(GEOSBuffer_r(handle, shape.pointer, width, 8), "widen a hull")
    }

    /// The shape with fewer positions, its border at most so far from where it was.
    func simplified(_ shape: borrowing GEOSShape, by tolerance: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSTopologyPreserveSimplify_r(handle, shape.pointer, tolerance), "simplify an outline")
    }

    /// The shape with positions added, so that no edge is longer.
    func densified(_ shape: borrowing GEOSShape, to length: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        try owned(GEOSDensify_r(handle, shape.pointer, length), "divide an outline")
    }

    /// The shape with all positions on a grid, valid still.
    func rounded(_ shape: borrowing GEOSShape, to step: Double) throws(RegionError) -> GEOSShape {
        // NULL: exception. 0: the result is valid, parts that vanish are dropped.
        try owned(GEOSGeom_setPrecision_r(handle, shape.pointer, step, 0), "round an outline")
    }
}
