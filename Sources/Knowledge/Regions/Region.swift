public import JSON

/// A feature of a coverage file: an area and its properties.
public struct Region: Hashable, Sendable, Identifiable {
    /// The feature's identifier. The default is the file name without extension, followed by the feature's number if
    /// the file has several (`name#2`).
    public let id: String
    /// Whether the identifier is from the file.
    public let hasOwnIdentifier: Bool
    /// Path of the coverage file.
    public let file: String
    /// The feature's properties.
    public let properties: [String: JSONValue]
    /// Whether the region is the whole earth, written as `"geometry": null`.
    public let isEverywhere: Bool
    /// Number of polygons in the file.
    public let polygonCount: Int
    /// Number of positions in the file.
    public let positionCount: Int
    /// The size of the area in km², or 0 if it is the whole earth.
    public let squareKilometres: Double
    /// The result of the repair, or `nil` if the geometry was used unchanged.
    public let repair: RegionRepair?

    /// The property `name`, for display, or the identifier if there is none.
    public var name: String { properties["name"]?.string ?? id }
}
