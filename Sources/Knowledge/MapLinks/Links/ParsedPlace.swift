import Coordinates
public import HunchModel
public import JourneyWords

/// The result of parsing an input: a map item and further values.
public struct ParsedPlace: Hashable, Sendable {
    /// The place. It has a coordinate, or a query or an address to geocode.
    public var item: MapItem
    /// The zoom level of web maps: 0 is the whole world, 23 the closest.
    public var zoom: Double?
    /// The height above the WGS 84 geoid in metres; `nil` means on the ground.
    public var altitude: Double?
    /// The radius around the coordinate that contains the place, in metres; `nil` if unknown.
    public var uncertainty: Double?
    /// The source of the route, if the input is one.
    public var source: MapItem?
    /// The requested travel modes; empty for any.
    public var modes: Set<TransportMode>
    /// The mode that comes first in the words if they have several; `nil` for one or any.
    public var firstMode: TransportMode?
    /// The requested time of the journey; `nil` for now.
    public var time: JourneyTime?
    /// The centre of the map on which the text was searched. It ranks candidates, and is a rough position where nothing
    /// knows the text (``roughPosition``). `nil` if the place has a coordinate.
    public var near: Coordinate?
    /// The words next to the place that were not understood; `nil` for none.
    public var ignored: String?
    /// The name of the matching rule.
    public var rule: String

    /// Creates a parsed place.
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

    /// The centre of the map on which the text was searched, with the radius in metres of that view; `nil` without one.
    public var roughPosition: (middle: Coordinate, radius: Double)? {
        near.map { ($0, MapFragment.radius(ofViewAt: $0, zoom: zoom)) }
    }

    /// Whether the place has to be geocoded before a route to it is possible.
    public var needsGeocoding: Bool { item.coordinate == nil }
}

extension ChinaDatum {
    /// Returns the place with all its coordinates in WGS 84.
    func wgs84(_ place: ParsedPlace) throws(PlaceError) -> ParsedPlace {
        var place = place
        place.item.coordinate = try wgs84(place.item.coordinate)
        let start = place.source?.coordinate
        place.source?.coordinate = try wgs84(start)
        place.near = try wgs84(place.near)
        return place
    }
}
