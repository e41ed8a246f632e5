public import HunchModel
import Localization

/// An outline around places: the coverage of an app that serves each of them.
public struct CoverageOutline: Sendable {
    /// The parameters of an outline.
    public struct Style: Hashable, Sendable {
        /// The margin around the places, in metres: 1…100,000.
        public var buffer = 1_000.0
        /// The concaveness of the hull: from 0, as concave as possible, to 1, convex.
        public var concaveness = 0.3
        /// The distance by which simplification may move the border, in metres: 0 to nine tenths of `buffer`, so that
        /// every place stays inside.
        public var simplification = 250.0
        /// The distance between places, in metres, beyond which they get separate areas: 1,000…2,000,000.
        public var gap = 50_000.0

        /// Creates the default style.
        public init() {}
    }

    /// The maximum length of an edge, in metres. A straight edge on the plane then differs from one in degrees by less
    /// than the simplification.
    private static let longestEdge = 20_000.0
    /// The maximum difference in longitude of the ends of an edge, in degrees. Near a pole, a straight edge on the
    /// plane is far from straight in degrees.
    private static let longestTurn = 5.0
    /// The maximum number of times that an edge is halved. It is then shorter than a metre.
    private static let mostHalvings = 16
    /// The step of positions in degrees, about 3 cm. It is a power of two, so that a ring around a pole ends exactly
    /// 360° from its start.
    private static let unit = 0x1p-22
    /// The lines per degree of the grid for the final positions, about one a metre.
    private static let grid = 100_000.0

    /// Polygons within ±180° of longitude. Rings are closed: first the counterclockwise outer ring, then clockwise
    /// holes (RFC 7946, section 3.1.6).
    public let polygons: [[[Coordinate]]]
    /// The area in km², on the sphere.
    public let area: Double

    /// Draws an outline.
    ///
    /// Each cluster of places is projected onto a plane of its own, in metres. There its concave hull is drawn, widened
    /// and simplified. Areas that touch are united, and areas across the antimeridian are cut there.
    ///
    /// - Parameters:
    ///   - places: at least one.
    ///   - style: the style. Values out of range are clamped.
    /// - Throws: ``RegionError``: `empty` without a place, `operationFailed` if GEOS fails.
    public init(around places: [Coordinate], style: Style = Style()) throws(RegionError) {
        guard !places.isEmpty else {
            throw RegionError(.empty, localized("there is no place to draw an area around"))
        }
        let context = try GEOSContext()
        var parts: [RingPolygon] = []
        for group in PlaceClusters.groups(of: places, gap: min(max(style.gap, 1_000), 2_000_000)) {
            parts += try Self.outline(around: group, style, context)
        }
        var errors: [RegionError] = []
        let builder = RegionBuilder(context: context, makesValid: true)
        let united = builder.area(of: parts, mayOverlap: true, errors: &errors)
        guard let united else {
            throw errors.first
                ?? RegionError(.operationFailed, localized("GEOS failed to unite the parts of an area"))
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
                    // The orientation must be right, since it identifies rings around a pole.
                    let order =
                        ring.isCounterclockwise == (index == 0) ? Array(0..<ring.count) : (0..<ring.count).reversed()
                    return inDegrees(order.map { (x: ring.values[2 * $0], y: ring.values[2 * $0 + 1]) }, plane)
                })
        }
    }

    /// Converts a closed ring on the plane to degrees. The longitudes are continuous and may exceed ±180°. A ring
    /// around a pole ends 360° from its start.
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

    /// Appends the end of an edge. Before that, halves the edge until no part spans more than ``longestTurn``.
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
            // GEOS leaves a rounding error, so round to the grid again.
            func rounded(_ value: Double) -> Double { (value * Self.grid).rounded() / Self.grid }
            do throws(CoordinateError) {
                positions.append(
                    try Coordinate(latitude: rounded(position.latitude), longitude: rounded(position.longitude)))
            } catch {
                throw RegionError(
                    .badPosition, localized("an outline has an invalid position: %1", error), position: position)
            }
        }
        return ring.isCounterclockwise == counterclockwise ? positions : positions.reversed()
    }
}
