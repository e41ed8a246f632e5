internal import CGEOS
internal import HunchModel

/// Prepared geometry and an STR tree over it, all of one GEOS context: one isolation domain.
struct RegionGeometry: ~Copyable {
    private let context: GEOSContext
    private let shapes: GEOSShapes
    /// For each region its geometry and the prepared form of it; `nil` where it is everywhere.
    private let areas: [(shape: OpaquePointer, prepared: OpaquePointer)?]
    private let tree: OpaquePointer
    /// What a query found; kept so that a query allocates nothing.
    private let hits: UnsafeMutablePointer<Hits>

    private struct Hits {
        var positions: [Int] = []
    }

    /// - Parameters:
    ///   - context: the context that made the shapes.
    ///   - shapes: the geometries.
    ///   - order: for each region the position of its geometry in `shapes`, or `nil`.
    init(context: GEOSContext, shapes: consuming GEOSShapes, order: [Int?]) throws(RegionError) {
        // NULL: exception. The tree owns neither the geometries nor the items put into it.
        guard let tree = GEOSSTRtree_create_r(context.handle, 10) else { throw context.failure("make a tree") }
        var areas: [(shape: OpaquePointer, prepared: OpaquePointer)?] = []
        for (position, index) in order.enumerated() {
            guard let index else {
                areas.append(nil)
                continue
            }
            let shape = shapes.pointers[index]
            // NULL: exception. The prepared form refers to the geometry, which stays ours.
            guard let prepared = GEOSPrepare_r(context.handle, shape) else {
                for case .some(let area) in areas { GEOSPreparedGeom_destroy_r(context.handle, area.prepared) }
                GEOSSTRtree_destroy_r(context.handle, tree)
                throw context.failure("prepare a region")
            }
            areas.append((shape, prepared))
            // An item is the region's position and one, since NULL is no item.
            GEOSSTRtree_insert_r(context.handle, tree, shape, UnsafeMutableRawPointer(bitPattern: position + 1))
        }
        self.context = context
        self.shapes = shapes
        self.areas = areas
        self.tree = tree
        hits = .allocate(capacity: 1)
        hits.initialize(to: Hits())
        warm()
    }

    deinit {
        GEOSSTRtree_destroy_r(context.handle, tree)
        for case .some(let area) in areas { GEOSPreparedGeom_destroy_r(context.handle, area.prepared) }
        hits.deinitialize(count: 1)
        hits.deallocate()
    }

    /// GEOS builds the tree and the index of a prepared geometry at their first use.
    private func warm() {
        for case .some(let area) in areas {
            var west = 0.0
            var south = 0.0
            // 0: exception, as for an empty geometry, which has nothing to warm.
            guard GEOSGeom_getXMin_r(context.handle, area.shape, &west) == 1,
                GEOSGeom_getYMin_r(context.handle, area.shape, &south) == 1,
                let corner = GEOSGeom_createPointFromXY_r(context.handle, west, south)
            else { continue }
            defer { GEOSGeom_destroy_r(context.handle, corner) }
            _ = GEOSPreparedIntersects_r(context.handle, area.prepared, corner)
        }
        if let nowhere = GEOSGeom_createPointFromXY_r(context.handle, 0, 0) {
            defer { GEOSGeom_destroy_r(context.handle, nowhere) }
            GEOSSTRtree_query_r(context.handle, tree, nowhere, { _, _ in }, nil)
        }
    }

    /// Positions of the areas that hold a place or have it on their boundary, in ascending order.
    func areas(containing place: Coordinate) -> [Int] {
        if abs(place.latitude) == 90 {
            // Every longitude of a pole is the same place.
            var ends = [-180, place.latitude, 180, place.latitude]
            guard let sequence = GEOSCoordSeq_copyFromBuffer_r(context.handle, &ends, 2, 0, 0) else { return [] }
            return areas(meeting: GEOSGeom_createLineString_r(context.handle, sequence))
        }
        let found = areas(meeting: GEOSGeom_createPointFromXY_r(context.handle, place.longitude, place.latitude))
        guard abs(place.longitude) == 180 else { return found }
        let twin = areas(meeting: GEOSGeom_createPointFromXY_r(context.handle, -place.longitude, place.latitude))
        return Set(found).union(twin).sorted()
    }

    /// - Parameter probe: a point or line, taken over; `nil` (GEOS could not make it) meets nothing.
    private func areas(meeting probe: OpaquePointer?) -> [Int] {
        guard let probe else { return [] }
        defer { GEOSGeom_destroy_r(context.handle, probe) }
        hits.pointee.positions.removeAll(keepingCapacity: true)
        GEOSSTRtree_query_r(
            context.handle, tree, probe,
            { item, hits in
                guard let item, let hits else { return }
                hits.assumingMemoryBound(to: Hits.self).pointee.positions.append(Int(bitPattern: item) - 1)
            }, hits)
        var found: [Int] = []
        for position in hits.pointee.positions {
            guard let area = areas[position] else { continue }
            // 1: they meet. 0: they do not. 2: exception, which says nothing in favour of the region.
            if GEOSPreparedIntersects_r(context.handle, area.prepared, probe) == 1 { found.append(position) }
        }
        if found.count > 1 { found.sort() }
        return found
    }

    /// The area at a position in km²; `nil` where it is everywhere.
    func area(at position: Int) -> Double? {
        areas[position].flatMap { try? context.area(ofLent: $0.shape) }
    }

    /// The area at a position in Well-Known Binary; `nil` where it is everywhere, or GEOS cannot write it.
    func binary(at position: Int) -> [UInt8]? { areas[position].flatMap { context.binary(ofLent: $0.shape) } }
}
