internal import JSON

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
