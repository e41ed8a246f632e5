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

/// A feature as read from a file, before its geometry is validated.
struct CoverageFeature {
    /// The identifier in the file.
    var id: String?
    var properties: [String: JSONValue] = [:]
    /// The polygons, or `nil` for `"geometry": null`, which means the whole earth.
    var polygons: [RingPolygon]?
    /// Whether the polygons may overlap. Those of a collection may, those of a MultiPolygon may not.
    var mayOverlap = false
}
