internal import HunchModel

/// The edges of areas by bands of latitude: whether an area holds a point is told by the few edges at its latitude.
///
/// The areas are valid, so that a point is inside when a ray from it crosses an odd number of edges, whatever ring these
/// belong to. Positions are longitude and latitude in degrees.
struct EdgeIndex {
    /// Where the bands of an area are.
    private struct Area {
        var west = Double.infinity
        var east = -Double.infinity
        var south = Double.infinity
        var north = -Double.infinity
        /// Bands per degree.
        var scale = 0.0
        var firstBand = 0
        var bandCount = 0

        /// Never decreases with the latitude, so that an edge is in every band between those of its ends.
        @inline(__always)
        func band(of latitude: Double) -> Int {
            min(Int(clamping: (latitude - south) * scale, .towardZero), bandCount - 1)
        }
    }

    /// On which side of a line from a to b a point is, exactly: 1 to the left, −1 to the right, 0 on it.
    typealias Orientation = (_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double, _ x: Double, _ y: Double) -> Int32

    /// Longitudes and latitudes by turns, ring after ring.
    private var values: [Double] = []
    private var areas: [Area] = []
    /// Where in `edges` each band begins, and the end of the last.
    private var bandStarts: [UInt32] = [0]
    /// Each edge by the number of the position where it begins.
    private var edges: [UInt32] = []

    /// Takes room for so many positions of all areas.
    mutating func reserve(positions: Int) { values.reserveCapacity(2 * positions) }

    /// Adds an area. The first has the number 0; one without rings holds nothing.
    ///
    /// - Parameter rings: closed rings of a valid area.
    mutating func add(rings: [[Double]]) {
        var area = Area()
        var starts: [Int] = []
        var rise = 0.0
        for ring in rings where ring.count >= 8 {
            let first = values.count / 2
            starts.append(contentsOf: first..<(first + ring.count / 2 - 1))
            values += ring
        }
        for edge in starts {
            let (x, y, nextY) = (values[2 * edge], values[2 * edge + 1], values[2 * edge + 3])
            (area.west, area.east) = (min(area.west, x), max(area.east, x))
            (area.south, area.north) = (min(area.south, y), max(area.north, y))
            rise += abs(nextY - y)
        }
        let height = area.north - area.south
        // Edges are listed in each band that they reach; with these many bands, four times on average and no more.
        area.bandCount =
            rise > 0
            ? max(1, min(starts.count / 2, Int(clamping: 3 * Double(starts.count) * height / rise, .towardZero))) : 1
        area.scale = height > 0 ? Double(area.bandCount) / height : 0
        area.firstBand = bandStarts.count - 1
        list(starts, in: area)
        areas.append(area)
    }

    /// Puts edges into the bands of an area that comes last.
    private mutating func list(_ starts: [Int], in area: Area) {
        func bands(of edge: Int) -> ClosedRange<Int> {
            let (one, other) = (area.band(of: values[2 * edge + 1]), area.band(of: values[2 * edge + 3]))
            return min(one, other)...max(one, other)
        }
        var counts = [UInt32](repeating: 0, count: area.bandCount)
        for edge in starts { for band in bands(of: edge) { counts[band] += 1 } }
        var next: [Int] = []
        next.reserveCapacity(area.bandCount)
        var end = edges.count
        for count in counts {
            next.append(end)
            end += Int(count)
            bandStarts.append(UInt32(end))
        }
        edges.append(contentsOf: repeatElement(0, count: end - edges.count))
        for edge in starts {
            for band in bands(of: edge) {
                edges[next[band]] = UInt32(edge)
                next[band] += 1
            }
        }
    }

    /// Longitudes and latitudes that an area spans; empty ranges do not occur.
    func span(of area: Int) -> (longitudes: ClosedRange<Double>, latitudes: ClosedRange<Double>)? {
        let area = areas[area]
        guard area.west <= area.east, area.south <= area.north else { return nil }
        return (area.west...area.east, area.south...area.north)
    }

    /// Whether an area holds a point or has it on its border.
    ///
    /// - Parameter orientation: asked where floating-point numbers do not tell.
    @inline(__always)
    func holds(_ number: Int, _ x: Double, _ y: Double, _ orientation: Orientation) -> Bool {
        let area = areas[number]
        guard x >= area.west, x <= area.east, y >= area.south, y <= area.north else { return false }
        let band = area.firstBand + area.band(of: y)
        return values.withUnsafeBufferPointer { values in
            edges.withUnsafeBufferPointer { edges in
                var isInside = false
                for index in Int(bandStarts[band])..<Int(bandStarts[band + 1]) {
                    let edge = 2 * Int(edges[index])
                    let (ax, ay, bx, by) = (values[edge], values[edge + 1], values[edge + 2], values[edge + 3])
                    // Every corner begins an edge, and a corner at the very top or bottom is crossed by no ray.
                    if ay == y, ax == x || (by == y && (ax < x) != (bx < x)) { return true }
                    guard (ay > y) != (by > y) else { continue }
                    if x < ax, x < bx {
                        isInside.toggle()
                    } else if x <= ax || x <= bx {
                        let side = Self.side(ax, ay, bx, by, x, y, orientation)
                        if side == 0 { return true }
                        // The ray goes east: it crosses what rises to its right, and what falls to its left.
                        if (side > 0) == (by > ay) { isInside.toggle() }
                    }
                }
                return isInside
            }
        }
    }

    /// On which side of an edge a point is: by one product where that is certain.
    ///
    /// The bound is that of Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
    /// 1997, rounded up.
    @inline(__always)
    private static func side(
        _ ax: Double, _ ay: Double, _ bx: Double, _ by: Double, _ x: Double, _ y: Double, _ orientation: Orientation
    ) -> Int32 {
        let left = (bx - ax) * (y - ay)
        let right = (by - ay) * (x - ax)
        let difference = left - right
        if abs(difference) > 4e-16 * (abs(left) + abs(right)) { return difference > 0 ? 1 : -1 }
        return orientation(ax, ay, bx, by, x, y)
    }
}
