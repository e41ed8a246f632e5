/// A closed line of positions as a file gives it: longitude and latitude by turns, in degrees.
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

/// A feature as it was read, before its geometry is judged.
struct CoverageFeature {
    /// The identifier that the feature gives itself.
    var id: String?
    var properties: [String: JSONValue] = [:]
    /// Its polygons; `nil` where the file says `"geometry": null`, which means everywhere.
    var polygons: [RingPolygon]?
    /// Polygons that came as members of a collection may overlap, those of a MultiPolygon may not.
    var mayOverlap = false
}
