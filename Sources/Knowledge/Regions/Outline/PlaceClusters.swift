import Glibc
import HunchModel

/// Splits places into clusters that are far apart.
enum PlaceClusters {
    private struct Cell: Hashable {
        var row: Int
        var column: Int
    }

    /// Returns the places in clusters. Two places at most `gap` apart are always in the same cluster, directly or
    /// through others. Neighbours up to about three times `gap` apart may be, since places are compared by cells of a
    /// grid.
    ///
    /// - Parameter gap: the distance in metres, more than 0.
    static func groups(of places: [Coordinate], gap: Double) -> [[Coordinate]] {
        let height = min(90, gap / Coordinate.metresPerDegree)
        func columns(_ row: Int) -> Int {
            // Degrees of longitude are shortest at the edge nearer to a pole. Even there, a column is at least as wide
            // as the gap.
            let latitude = min(90, max(abs(Double(row) * height - 90), abs(Double(row + 1) * height - 90)))
            return max(1, Int(clamping: 360 * cos(latitude * .pi / 180) / height, .towardZero))
        }
        func cell(_ longitude: Double, row: Int) -> Cell {
            let count = columns(row)
            return Cell(
                row: row, column: min(count - 1, Int(clamping: (longitude + 180) / 360 * Double(count), .towardZero)))
        }
        var members: [Cell: [Coordinate]] = [:]
        for place in places {
            members[cell(place.longitude, row: Int(clamping: (place.latitude + 90) / height, .towardZero)), default: []]
                .append(place)
        }
        func neighbours(_ own: Cell) -> Set<Cell> {
            let count = columns(own.row)
            var cells: Set<Cell> = []
            for row in (own.row - 1)...(own.row + 1) where row >= 0 {
                let others = columns(row)
                let first = Int(clamping: Double(own.column - 1) / Double(count) * Double(others), .down)
                let last = Int(clamping: Double(own.column + 2) / Double(count) * Double(others), .up)
                for column in first...min(last, first + others) {
                    cells.insert(Cell(row: row, column: (column % others + others) % others))
                }
            }
            return cells
        }
        var groups: [[Coordinate]] = []
        var left = Set(members.keys)
        for start in members.keys.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) })
        where left.remove(start) != nil {
            var group: [Coordinate] = []
            var next = [start]
            while let cell = next.popLast() {
                group += members[cell] ?? []
                for neighbour in neighbours(cell) where left.remove(neighbour) != nil { next.append(neighbour) }
            }
            groups.append(group)
        }
        return groups
    }
}
