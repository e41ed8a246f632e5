public import HunchModel

/// Two decimal degrees: `37.79,-122.39`, `37.79 -122.39`, `37.79N 122.39W`. Longitudes wrap.
public struct CoordinateRule: PlaceRule {
    /// `coordinates`.
    public let name = "coordinates"

    /// Makes the rule.
    public init() {}

    /// The place at plain coordinates.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let coordinate = try CoordinateText.coordinate(in: input.text) else { return nil }
        return ParsedPlace(item: MapItem(coordinate: coordinate), rule: name)
    }
}
