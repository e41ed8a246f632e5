internal import CGEOS

/// Owned geometries, each prepared for point queries.
///
/// A prepared geometry indexes its edges at the first query within its bounds, so only one thread may query at a time.
/// Most regions are never queried, so their edges take no memory.
struct GEOSPreparedShapes: ~Copyable {
    private let context: GEOSContext
    private let shapes: GEOSShapes
    private var prepared: [OpaquePointer] = []

    private init(context: GEOSContext, shapes: consuming GEOSShapes) {
        self.context = context
        self.shapes = shapes
    }

    /// Prepares geometries of a context.
    static func preparing(
        _ shapes: consuming GEOSShapes, in context: GEOSContext
    ) throws(RegionError) -> GEOSPreparedShapes {
        var result = GEOSPreparedShapes(context: context, shapes: shapes)
        for shape in result.shapes.pointers {
            // NULL: exception. The prepared geometry refers to the shape, which we still own.
            guard let prepared = GEOSPrepare_r(context.handle, shape) else { throw context.failure("prepare a region") }
            result.prepared.append(prepared)
        }
        return result
    }

    /// Destroys the prepared geometries before the shapes to which they refer.
    deinit { for prepared in prepared { GEOSPreparedGeom_destroy_r(context.handle, prepared) } }

    /// The borrowed geometry at an index.
    subscript(number: Int) -> OpaquePointer { shapes.pointers[number] }

    /// Returns whether the geometry at an index contains a point or has it on its boundary.
    func intersects(_ number: Int, longitude: Double, latitude: Double) -> Bool {
        // 2: exception, possible only for lack of memory. The point then counts as outside.
        CGEOSPreparedIntersectsXY_r(context.handle, prepared[number], longitude, latitude) == 1
    }
}
