/// One feature of a coverage file: an area, and what the file says about it.
public struct Region: Hashable, Sendable, Identifiable {
    /// The feature's identifier. A feature without one is known by its file's name, less the extension, and its number
    /// in the file (`name#2`) unless it is the only one.
    public let id: String
    /// Whether the file itself gives the identifier.
    public let hasOwnIdentifier: Bool
    /// Path of the file that it came from.
    public let file: String
    /// The feature's properties.
    public let properties: [String: JSONValue]
    /// Whether it is everywhere, which a coverage file says by `"geometry": null`.
    public let isEverywhere: Bool
    /// Number of polygons in the file.
    public let polygonCount: Int
    /// Number of positions in the file.
    public let positionCount: Int
    /// The size of the area in km²; 0 when it is everywhere.
    public let squareKilometres: Double
    /// The repair; `nil` if the geometry was used as it is.
    public let repair: RegionRepair?

    /// The property `name`, for people; the identifier when there is none.
    public var name: String { properties["name"]?.string ?? id }
}
