/// A closed line of positions from a file: alternating longitude and latitude, in degrees.
struct Ring {
    var values: [Double] = []

    var count: Int { values.count / 2 }

    func position(_ index: Int) -> RegionError.Position {
        RegionError.Position(longitude: values[2 * index], latitude: values[2 * index + 1])
    }
}

/// An outer ring and the rings of its holes.
struct RingPolygon {
    var rings: [Ring] = []
}
