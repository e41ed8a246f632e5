internal import HunchModel

/// Which areas may hold a place, by cells of a few degrees.
struct PlaceGrid {
    /// How many degrees a cell is wide and high.
    private static let cell = 5.0
    private static let columns = 72
    private static let rows = 36

    /// For each cell, from the south-west, which of the lists is its own: most cells have the same areas as their neighbours.
    private var cells = [Int32](repeating: 0, count: columns * rows)
    /// Lists of areas in ascending order, with how many cells have each.
    private var lists: [(areas: [Int], cells: Int)] = [([], columns * rows)]
    /// The places of lists that no cell has any more.
    private var free: [Int32] = []

    private static func column(_ longitude: Double) -> Int {
        min(max(Int(clamping: (longitude + 180) / cell, .towardZero), 0), columns - 1)
    }

    private static func row(_ latitude: Double) -> Int {
        min(max(Int(clamping: (latitude + 90) / cell, .towardZero), 0), rows - 1)
    }

    /// Adds an area that spans these degrees. Areas come in ascending order.
    mutating func add(_ area: Int, _ longitudes: ClosedRange<Double>, _ latitudes: ClosedRange<Double>) {
        /// For each list, the one with the area too.
        var longer: [Int32: Int32] = [:]
        for row in Self.row(latitudes.lowerBound)...Self.row(latitudes.upperBound) {
            for column in Self.column(longitudes.lowerBound)...Self.column(longitudes.upperBound) {
                let cell = row * Self.columns + column
                let list = cells[cell]
                let new = longer[list] ?? append(lists[Int(list)].areas + [area])
                longer[list] = new
                cells[cell] = new
                lists[Int(list)].cells -= 1
                lists[Int(new)].cells += 1
            }
        }
        for list in longer.keys where lists[Int(list)].cells == 0 {
            lists[Int(list)].areas = []
            free.append(list)
        }
    }

    private mutating func append(_ areas: [Int]) -> Int32 {
        if let place = free.popLast() {
            lists[Int(place)].areas = areas
            return place
        }
        lists.append((areas, 0))
        return Int32(lists.count - 1)
    }

    /// The areas that may hold a place, in ascending order.
    func areas(at longitude: Double, _ latitude: Double) -> [Int] {
        lists[Int(cells[Self.row(latitude) * Self.columns + Self.column(longitude)])].areas
    }
}
