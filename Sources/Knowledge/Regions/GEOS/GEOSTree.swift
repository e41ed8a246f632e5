internal import CGEOS

/// An STR tree over the bounds of numbered geometries. It copies the bounds and does not retain the geometries.
///
/// GEOS builds the tree at the first query, so only one thread may query at a time.
struct GEOSTree: ~Copyable {
    private let context: GEOSContext
    private let pointer: OpaquePointer

    init(context: GEOSContext) throws(RegionError) {
        // NULL: exception. GEOS recommends ten children per node.
        guard let pointer = GEOSSTRtree_create_r(context.handle, 10) else { throw context.failure("make a tree") }
        self.context = context
        self.pointer = pointer
    }

    deinit { GEOSSTRtree_destroy_r(context.handle, pointer) }

    /// Inserts a borrowed geometry. All insertions must precede the first query.
    func insert(_ geometry: OpaquePointer, as number: Int) {
        // No result: the only exception is lack of memory. The item is a number and never NULL.
        GEOSSTRtree_insert_r(context.handle, pointer, geometry, UnsafeMutableRawPointer(bitPattern: number + 1))
    }

    /// Appends the numbers of the geometries whose bounds contain a point, in no particular order.
    func appendNumbers(at point: borrowing GEOSShape, to numbers: inout [Int]) {
        withUnsafeMutablePointer(to: &numbers) { numbers in
            // No result: the only exception is lack of memory. The point stays ours.
            GEOSSTRtree_query_r(
                context.handle, pointer, point.pointer,
                { item, numbers in
                    numbers?.assumingMemoryBound(to: [Int].self).pointee.append(Int(bitPattern: item) - 1)
                }, numbers)
        }
    }
}
