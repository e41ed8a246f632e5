import HunchModel

/// A circle in which places are searched.
final class SearchCircle {
    private let centre: Coordinate
    private let radius: Double
    private var ranks: [Int64: [UInt32]] = [:]

    /// - Parameter radius: the radius in metres.
    init(centre: Coordinate, radius: Double) {
        self.centre = centre
        self.radius = radius
    }

    func contains(_ coordinate: Coordinate) -> Bool { centre.distance(to: coordinate) <= radius }

    /// Returns the ranks of the places and streets in the boxes around the circle, ascending.
    func ranks(in reader: SegmentReader) throws -> [UInt32] {
        if let known = ranks[reader.segment] { return known }
        var found: [UInt32] = []
        for box in centre.boxes(within: radius) {
            let ranges = PlaceCell.ranges(latitude: box.latitude, longitude: box.longitude)
            for layer in [CellBlock.Layer.places, .streets] {
                try reader.forEach(layer, in: ranges) { found.append($0.rank) }
            }
        }
        found.sort()
        ranks[reader.segment] = found
        return found
    }
}
