internal import CGEOS
internal import HunchModel

/// The areas of regions with an index of their edges, all of one GEOS context: one isolation domain.
struct RegionGeometry: ~Copyable {
    private let context: GEOSContext
    private let shapes: GEOSShapes
    /// For each region its geometry, which `shapes` owns; `nil` where it is everywhere.
    private let areas: [OpaquePointer?]
    private let edges: EdgeIndex
    private let grid: PlaceGrid
    /// Regions that reach a pole, each pole with its own.
    private let polar: (south: [Int], north: [Int])

    /// - Parameters:
    ///   - context: the context that made the shapes.
    ///   - shapes: the geometries.
    ///   - order: for each region the position of its geometry in `shapes`, or `nil`.
    init(context: GEOSContext, shapes: consuming GEOSShapes, order: [Int?]) throws(RegionError) {
        var edges = EdgeIndex()
        var grid = PlaceGrid()
        var polar: (south: [Int], north: [Int]) = ([], [])
        let areas = order.map { $0.map { shapes.pointers[$0] } }
        edges.reserve(positions: areas.reduce(0) { $0 + ($1.map(context.positionCount(ofLent:)) ?? 0) })
        for (position, area) in areas.enumerated() {
            let rings = try area.map { (area) throws(RegionError) in
                try context.polygons(ofLent: area).flatMap(\.rings).map(\.values)
            }
            edges.add(rings: rings ?? [])
            guard let span = edges.span(of: position) else { continue }
            grid.add(position, span.longitudes, span.latitudes)
            if span.latitudes.lowerBound == -90 { polar.south.append(position) }
            if span.latitudes.upperBound == 90 { polar.north.append(position) }
        }
        self.context = context
        self.shapes = shapes
        self.areas = areas
        self.edges = edges
        self.grid = grid
        self.polar = polar
    }

    /// Positions of the areas that hold a place or have it on their boundary, in ascending order.
    func areas(containing place: Coordinate) -> [Int] {
        // Every longitude of a pole is the same place.
        if abs(place.latitude) == 90 { return place.latitude > 0 ? polar.north : polar.south }
        let found = areas(at: place.longitude, place.latitude)
        guard abs(place.longitude) == 180 else { return found }
        return Set(found).union(areas(at: -place.longitude, place.latitude)).sorted()
    }

    private func areas(at longitude: Double, _ latitude: Double) -> [Int] {
        grid.areas(at: longitude, latitude).filter { position in
            edges.holds(position, longitude, latitude) { ax, ay, bx, by, x, y in
                // 2: exception, as for numbers that are not finite, of which there are none.
                GEOSOrientationIndex_r(context.handle, ax, ay, bx, by, x, y)
            }
        }
    }

    /// The area at a position in km²; `nil` where it is everywhere.
    func area(at position: Int) -> Double? {
        areas[position].flatMap { try? context.area(ofLent: $0) }
    }

    /// The rings of the area at a position; none where it is everywhere.
    func rings(at position: Int) -> [[Coordinate]] {
        let polygons = areas[position].flatMap { try? context.polygons(ofLent: $0) } ?? []
        return polygons.flatMap(\.rings).map { ring in
            stride(from: 0, to: ring.values.count, by: 2).compactMap {
                try? Coordinate(latitude: ring.values[$0 + 1], longitude: ring.values[$0])
            }
        }
    }

    /// The area at a position in Well-Known Binary; `nil` where it is everywhere, or GEOS cannot write it.
    func binary(at position: Int) -> [UInt8]? { areas[position].flatMap(context.binary(ofLent:)) }
}
