import HunchModel
import JSON
import Localization

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

    /// - Throws: ``JSONScanner/Fault`` for anything but a feature.
    init(_ line: UnsafeRawBufferPointer) throws(JSONScanner.Fault) {
        // A record separator, RFC 8142.
        let line = line.first == 0x1E ? UnsafeRawBufferPointer(rebasing: line.dropFirst()) : line
        self = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: line.count + 1) { text in
            UnsafeMutableRawBufferPointer(text).copyMemory(from: line)
            text[line.count] = 0
            return Result { () throws(JSONScanner.Fault) in
                var scanner = JSONScanner(nulTerminated: UnsafeBufferPointer(text))
                return try GeoJSONFeature(&scanner)
            }
        }.get()
    }

    private init(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var isFeature = false
        try scanner.members { (key, scanner) throws(JSONScanner.Fault) in
            switch key {
            case "type": isFeature = try scanner.text() == "Feature"
            case "properties": properties = try Self.properties(&scanner)
            case "geometry": coordinate = try Self.position(&scanner)
            default: try scanner.skip()
            }
        }
        try scanner.finish()
        guard isFeature else { throw scanner.fault(localized("the text is not a feature")) }
    }

    private static func properties(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> [String: String] {
        var properties: [String: String] = [:]
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skip()
            return properties
        }
        try scanner.members { (key, scanner) throws(JSONScanner.Fault) in
            if let text = try scanner.text() { properties[key] = text }
        }
        return properties
    }

    private static func position(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Coordinate? {
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skip()
            return nil
        }
        var type: String?
        var paths: [[(x: Double, y: Double)]] = []
        try scanner.members { (key, scanner) throws(JSONScanner.Fault) in
            switch key {
            case "type": type = try scanner.text()
            case "coordinates":
                var left = maximumPositions
                if let position = try path(&scanner, depth: 0, &paths, &left) { paths.append([position]) }
            default: try scanner.skip()
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
        _ scanner: inout JSONScanner, depth: Int, _ paths: inout [[(x: Double, y: Double)]], _ left: inout Int
    ) throws(JSONScanner.Fault) -> (x: Double, y: Double)? {
        guard depth < 5 else { throw scanner.fault(localized("coordinates are nested too deeply")) }
        var numbers: [Double] = []
        var positions: [(x: Double, y: Double)] = []
        try scanner.elements { (scanner) throws(JSONScanner.Fault) in
            if scanner.peek() == UInt8(ascii: "[") {
                if let position = try path(&scanner, depth: depth + 1, &paths, &left) {
                    left -= 1
                    guard left > 0 else { throw scanner.fault(localized("a geometry has too many positions")) }
                    positions.append(position)
                }
            } else {
                let number = try scanner.number()
                guard number.isFinite else { throw scanner.fault(localized("a number is too large")) }
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
