public import HunchModel

/// The result of parsing an input: a map item and further values.
public struct ParsedPlace: Hashable, Sendable {
    /// The place. It has a coordinate, or a query or an address that still has to be geocoded.
    public var item: MapItem
    /// The zoom level of web maps: 0 is the whole world, 23 the closest.
    public var zoom: Double?
    /// Height above the WGS 84 geoid in metres; `nil` means on the ground.
    public var altitude: Double?
    /// Radius in metres around the coordinate within which the place lies; `nil` when not told.
    public var uncertainty: Double?
    /// The source of the route, if the input is one.
    public var source: MapItem?
    /// The ways to travel that the input asks for; empty means any.
    public var modes: Set<TransportMode>
    /// The middle of the map on which a text was searched: tells likely places from unlikely ones, and is never the
    /// place itself. `nil` when the place has a coordinate.
    public var near: Coordinate?
    /// Name of the rule that matched.
    public var rule: String

    /// Makes a parsed place.
    public init(
        item: MapItem, rule: String, zoom: Double? = nil, altitude: Double? = nil, uncertainty: Double? = nil,
        source: MapItem? = nil, modes: Set<TransportMode> = [], near: Coordinate? = nil
    ) {
        self.item = item
        self.rule = rule
        self.zoom = zoom
        self.altitude = altitude
        self.uncertainty = uncertainty
        self.source = source
        self.modes = modes
        self.near = near
    }

    /// Whether the place has to be looked up before a route can be drawn to it.
    public var needsGeocoding: Bool { item.coordinate == nil }
}
