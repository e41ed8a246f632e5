internal import CGEOS

/// Geometries that are owned here, each prepared for questions about points.
///
/// A prepared geometry indexes its edges at the first question about a point within its bounds, so questions need one thread
/// at a time. Most regions are never asked about; their edges take no memory.
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
            // NULL: exception. The prepared geometry refers to the shape, which stays ours.
            guard let prepared = GEOSPrepare_r(context.handle, shape) else { throw context.failure("prepare a region") }
            result.prepared.append(prepared)
        }
        return result
    }

    /// Runs before the stored shapes go, to which the prepared geometries refer.
    deinit { for prepared in prepared { GEOSPreparedGeom_destroy_r(context.handle, prepared) } }

    /// The geometry with a number, lent.
    subscript(number: Int) -> OpaquePointer { shapes.pointers[number] }

    /// Whether the geometry with a number holds a point or has it on its boundary.
    func intersects(_ number: Int, longitude: Double, latitude: Double) -> Bool {
        // 2: exception, for which lack of memory is the only reason: the point counts as outside.
        CGEOSPreparedIntersectsXY_r(context.handle, prepared[number], longitude, latitude) == 1
    }
}
