import HunchModel

/// A feature of a GeoJSON text sequence: its properties, and a coordinate that represents its geometry.
///
/// Sources: RFC 7946; RFC 8142, whose record separators may also be missing.
struct GeoJSONFeature {
    /// The properties that are strings, numbers or booleans, as text.
    private(set) var properties: [String: String] = [:]
    /// The point itself, the middle of a line, or the centre of an area's largest ring.
    private(set) var coordinate: Coordinate?

    /// The maximum number of positions of a geometry. A feature with more is malformed.
    private static let maximumPositions = 1_000_000

    /// - Throws: ``JSONCursor/Malformed`` for anything but a feature.
    init(_ line: UnsafeRawBufferPointer) throws {
        // A record separator, RFC 8142.
        var cursor = JSONCursor(line.first == 0x1E ? UnsafeRawBufferPointer(rebasing: line.dropFirst()) : line)
        var isFeature = false
        try cursor.object { cursor, key in
            switch key {
            case "type": isFeature = try cursor.text() == "Feature"
            case "properties": properties = try Self.properties(&cursor)
            case "geometry": coordinate = try Self.position(&cursor)
            default: try cursor.skipValue()
            }
        }
        guard isFeature, cursor.isAtEnd else { throw JSONCursor.Malformed() }
    }

    private static func properties(_ cursor: inout JSONCursor) throws -> [String: String] {
        guard try cursor.next() == 0x7B else {
            try cursor.skipValue()
            return [:]
        }
        var properties: [String: String] = [:]
        try cursor.object { cursor, key in
            if let text = try cursor.text() { properties[key] = text }
        }
        return properties
    }

    private static func position(_ cursor: inout JSONCursor) throws -> Coordinate? {
        guard try cursor.next() == 0x7B else {
            try cursor.skipValue()
            return nil
        }
        var type: String?
        var paths: [[(x: Double, y: Double)]] = []
        try cursor.object { cursor, key in
            switch key {
            case "type": type = try cursor.text()
            case "coordinates":
                var left = maximumPositions
                if let position = try path(&cursor, depth: 0, &paths, &left) { paths.append([position]) }
            default: try cursor.skipValue()
            }
        }
        let isArea = type?.hasSuffix("Polygon") ?? false
        let middle = isArea ? centre(ofLargest: paths) : paths.max { $0.count < $1.count }.map { $0[$0.count / 2] }
        return middle.flatMap { try? Coordinate(latitude: $0.y, longitude: $0.x) }
    }

    /// Reads an array of coordinates. If it is a position, returns it; if it contains positions, appends them to
    /// `paths` as one path.
    ///
    /// - Parameter left: the number of positions that may still follow.
    private static func path(
        _ cursor: inout JSONCursor, depth: Int, _ paths: inout [[(x: Double, y: Double)]], _ left: inout Int
    ) throws -> (x: Double, y: Double)? {
        guard depth < 5, try cursor.next() == 0x5B else { throw JSONCursor.Malformed() }
        var numbers: [Double] = []
        var positions: [(x: Double, y: Double)] = []
        try cursor.array { cursor in
            if try cursor.next() == 0x5B {
                if let position = try path(&cursor, depth: depth + 1, &paths, &left) {
                    left -= 1
                    guard left > 0 else { throw JSONCursor.Malformed() }
                    positions.append(position)
                }
            } else {
                let number = try cursor.number()
                if numbers.count < 2 { numbers.append(number) }
            }
        }
        if !positions.isEmpty { paths.append(positions) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    /// Returns the centroid of the ring with the largest area; without an area, its first position.
    private static func centre(ofLargest rings: [[(x: Double, y: Double)]]) -> (x: Double, y: Double)? {
        var best: (area: Double, x: Double, y: Double)?
        for ring in rings {
            guard let origin = ring.first else { continue }
            var (area, x, y) = (0.0, 0.0, 0.0)
            for (from, to) in zip(ring, ring.dropFirst()) {
                let cross = (from.x - origin.x) * (to.y - origin.y) - (to.x - origin.x) * (from.y - origin.y)
                area += cross
                x += (from.x + to.x - 2 * origin.x) * cross
                y += (from.y + to.y - 2 * origin.y) * cross
            }
            guard abs(area) > best?.area ?? -1 else { continue }
            best =
                area == 0 ? (0, origin.x, origin.y) : (abs(area), origin.x + x / (3 * area), origin.y + y / (3 * area))
        }
        return best.map { ($0.x, $0.y) }
    }
}
