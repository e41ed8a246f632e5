/// Which areas may hold a place, by cells of a few degrees.
struct PlaceGrid {
    /// How many degrees a cell is wide and high.
    private static let cell = 5.0
    private static let columns = 72
    private static let rows = 36

    /// For each cell, from the south-west, the areas that reach it, in ascending order.
    private var cells = [[Int]](repeating: [], count: columns * rows)

    private static func column(_ longitude: Double) -> Int {
        min(max(Int((longitude + 180) / cell), 0), columns - 1)
    }

    private static func row(_ latitude: Double) -> Int { min(max(Int((latitude + 90) / cell), 0), rows - 1) }

    /// Adds an area that spans these degrees. Areas come in ascending order.
    mutating func add(_ area: Int, _ longitudes: ClosedRange<Double>, _ latitudes: ClosedRange<Double>) {
        for row in Self.row(latitudes.lowerBound)...Self.row(latitudes.upperBound) {
            for column in Self.column(longitudes.lowerBound)...Self.column(longitudes.upperBound) {
                cells[row * Self.columns + column].append(area)
            }
        }
    }

    /// The areas that may hold a place, in ascending order.
    func areas(at longitude: Double, _ latitude: Double) -> [Int] {
        cells[Self.row(latitude) * Self.columns + Self.column(longitude)]
    }
}
