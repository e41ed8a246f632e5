public import HunchModel

/// An outline around places: where an app serves that serves each of them.
public struct CoverageOutline: Sendable {
    /// The style of an outline.
    public struct Style: Hashable, Sendable {
        /// The distance by which the area extends beyond the places, in metres; 1…100,000.
        public var buffer = 1_000.0
        /// The concaveness of the hull: 0 follows the places as closely as possible, 1 is convex.
        public var concaveness = 0.3
        /// The tolerance for simplifying the border, in metres; 0 to nine tenths of `buffer`, so that every place
        /// stays inside.
        public var simplification = 250.0
        /// Places farther apart than this, in metres, are not in one area with what is between them; 1,000…2,000,000.
        public var gap = 50_000.0

        /// Makes the usual style.
        public init() {}
    }

    /// The longest edge, in metres: what is straight on the plane and what is straight in degrees then differ by less than
    /// simplifying does.
    private static let longestEdge = 20_000.0
    /// The most degrees of longitude between two positions: near a pole, what is straight on the plane is far from straight in
    /// degrees.
    private static let longestTurn = 5.0
    /// The maximum number of times an edge is halved; it is then shorter than a metre.
    private static let mostHalvings = 16
    /// Parts of a degree of which each position is a whole number, about 3 cm: a ring around a pole ends one turn of exactly
    /// 360° away from where it began.
    private static let unit = 0x1p-22
    /// Positions are on a grid of so many to a degree, about one a metre.
    private static let grid = 100_000.0

    /// Polygons within ±180° of longitude; of each the outer ring counterclockwise, then its holes clockwise, each ring closed
    /// (RFC 7946, section 3.1.6).
    public let polygons: [[[Coordinate]]]
    /// In km², on the sphere.
    public let area: Double

    /// Draws an outline.
    ///
    /// Places that belong together are projected onto a plane of their own, in metres; there their concave hull is drawn, widened
    /// and simplified. Areas that meet become one; what crosses the antimeridian is cut there.
    ///
    /// - Parameters:
    ///   - places: at least one.
    ///   - style: values outside their ranges are brought there.
    /// - Throws: ``RegionError``: `empty` without a place, `operationFailed` when GEOS fails.
    public init(around places: [Coordinate], style: Style = Style()) throws(RegionError) {
        guard !places.isEmpty else { throw RegionError(.empty, "there is no place to draw an area around") }
        let context = try GEOSContext()
        var parts: [RingPolygon] = []
        for group in PlaceClusters.groups(of: places, gap: min(max(style.gap, 1_000), 2_000_000)) {
            parts += try Self.outline(around: group, style, context)
        }
        var errors: [RegionError] = []
        let builder = RegionBuilder(context: context, makesValid: true)
        let united = builder.area(of: parts, mayOverlap: true, errors: &errors)
        guard let united else {
            throw errors.first ?? RegionError(.operationFailed, "GEOS failed to unite the parts of an area")
        }
        let shape = try context.rounded(united.takeShape(), to: 1 / Self.grid)
        area = try context.area(of: shape)
        polygons = try context.polygons(ofLent: shape.pointer).map { polygon throws(RegionError) in
            var rings: [[Coordinate]] = []
            for (index, ring) in polygon.rings.enumerated() {
                rings.append(try Self.coordinates(of: ring, counterclockwise: index == 0))
            }
            return rings
        }
    }

    private static func outline(
        around places: [Coordinate], _ style: Style, _ context: GEOSContext
    ) throws(RegionError) -> [RingPolygon] {
        let buffer = min(max(style.buffer, 1), 100_000)
        let plane = LocalPlane(around: places)
        let points = try context.points(places.flatMap { place in [plane.position(place).x, plane.position(place).y] })
        let hull = try context.concaveHull(points, ratio: min(max(style.concaveness, 0), 1))
        let wide = try context.buffer(hull, by: buffer)
        let simple = try context.simplified(wide, by: min(max(style.simplification, 0), 0.9 * buffer))
        let shape = try context.densified(simple, to: longestEdge)
        return try context.polygons(ofLent: shape.pointer).map { polygon in
            RingPolygon(
                rings: polygon.rings.enumerated().map { index, ring in
                    // The right way round, by which a ring around a pole is known.
                    let order =
                        ring.isCounterclockwise == (index == 0) ? Array(0..<ring.count) : (0..<ring.count).reversed()
                    return inDegrees(order.map { (x: ring.values[2 * $0], y: ring.values[2 * $0 + 1]) }, plane)
                })
        }
    }

    /// A closed ring on the plane as one in degrees. Its longitudes go on from position to position and may leave ±180°; around
    /// a pole it ends one turn from where it began.
    private static func inDegrees(_ positions: [(x: Double, y: Double)], _ plane: LocalPlane) -> Ring {
        var fine = Array(positions.prefix(1))
        for (from, to) in zip(positions, positions.dropFirst()) { appendEdge(from, to, plane, to: &fine) }
        var ring = Ring()
        var longitude = 0.0
        var (west, east) = (Double.infinity, -Double.infinity)
        for (index, position) in fine.enumerated() {
            let degrees = plane.degrees(x: position.x, y: position.y)
            let snapped = (degrees.longitude / unit).rounded() * unit
            longitude = index == 0 ? snapped : longitude + (snapped - longitude).remainder(dividingBy: 360)
            west = min(west, longitude)
            east = max(east, longitude)
            ring.values += [longitude, (degrees.latitude / unit).rounded() * unit]
        }
        return ring.shifted(by: -360 * ((west + east) / 720).rounded())
    }

    /// Appends the end of an edge, and before it as many positions between as the turn about the pole takes.
    private static func appendEdge(
        _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ plane: LocalPlane, halvings: Int = 0,
        to positions: inout [(x: Double, y: Double)]
    ) {
        let west = plane.degrees(x: from.x, y: from.y).longitude
        let turn = (plane.degrees(x: to.x, y: to.y).longitude - west).remainder(dividingBy: 360)
        guard abs(turn) > longestTurn, halvings < mostHalvings else { return positions.append(to) }
        let middle = (x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
        appendEdge(from, middle, plane, halvings: halvings + 1, to: &positions)
        appendEdge(middle, to, plane, halvings: halvings + 1, to: &positions)
    }

    private static func coordinates(of ring: Ring, counterclockwise: Bool) throws(RegionError) -> [Coordinate] {
        var positions: [Coordinate] = []
        for index in 0..<ring.count {
            let position = ring.position(index)
            // A grid's numbers, without what doubling and halving leaves of a rounding error.
            func rounded(_ value: Double) -> Double { (value * Self.grid).rounded() / Self.grid }
            do throws(CoordinateError) {
                positions.append(
                    try Coordinate(latitude: rounded(position.latitude), longitude: rounded(position.longitude)))
            } catch {
                throw RegionError(.badPosition, "an outline leaves the earth: \(error)", position: position)
            }
        }
        return ring.isCounterclockwise == counterclockwise ? positions : positions.reversed()
    }
}
