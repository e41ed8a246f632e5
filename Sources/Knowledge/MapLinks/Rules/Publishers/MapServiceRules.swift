import Coordinates
import HunchModel
import Localization

/// Links of Esri's map viewers: `center=LON,LAT[,WKID]`, `marker=LON,LAT[,WKID,TITLE,ICON,LABEL]` and
/// `extent=WEST,SOUTH,EAST,NORTH`, with semicolons instead of commas if a title contains commas.
///
/// Source: https://doc.arcgis.com/en/arcgis-online/reference/use-url-parameters.htm
struct ArcGISRule: PublisherRule {
    let name = "arcGIS"
    let hosts = ["arcgis.com"]

    private static let degrees: Set<String> = ["", "4326"]
    private static let webMercator: Set<String> = ["3857", "102100"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        let zoom = query.zoom("level")
        if let marker = try query.text("marker").map(Self.parts) {
            return try answer(item(marker.count > 3 ? marker[3] : nil, at: Self.position(marker)), zoom: zoom)
        }
        if let center = try query.text("center").map(Self.parts) {
            return try view(Self.position(center), zoom: zoom)
        }
        if let view = try BoxLinkRule.view(.whole("extent"), in: query) {
            return try self.view(view.middle, radius: view.radius)
        }
        if query.has("webmap", "id", "appid") { throw needsNetwork(link) }
        return nil
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: text.contains(";") ? ";" : ",", omittingEmptySubsequences: false).map {
            String($0).trimmed
        }
    }

    private static func position(_ parts: [String]) throws(PlaceError) -> Coordinate {
        let reference = parts.count > 2 ? parts[2] : ""
        if webMercator.contains(reference), let x = DecimalNumber.value(of: parts[0]),
            let y = DecimalNumber.value(of: parts[1])
        {
            let place = WebMercator.degrees(x: x, y: y)
            return try PlaceText.coordinate(place.latitude, place.longitude)
        }
        guard degrees.contains(reference) else {
            throw PlaceError(
                .unsupportedDatum,
                localized(
                    "the link gives a position in the reference system “%1”; give latitude and longitude in degrees",
                    reference.cut(to: 20))
            )
        }
        return try PlaceText.coordinate(parts.prefix(2).joined(separator: ","), order: .longitudeFirst)
    }
}

/// Static images of Mapbox: `…/static/[OVERLAYS/]LON,LAT,ZOOM[,BEARING[,PITCH]]/WIDTHxHEIGHT`, with a box in brackets
/// or `auto` instead of the coordinate.
///
/// Source: https://docs.mapbox.com/api/maps/static-images
struct MapboxRule: PublisherRule {
    let name = "mapbox"
    let hosts = ["api.mapbox.com"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.pathBegins("styles"), let start = link.segments.firstIndex(of: "static"),
            link.segments.count >= start + 3
        else { return nil }
        let numbers = try PercentEncoding.decode(link.segments[link.segments.count - 2]).split(separator: ",")
        var middle: Coordinate?
        if numbers.count >= 3, numbers.first?.hasPrefix("[") == false {
            middle = try PlaceText.coordinate(latitude: numbers[1], longitude: numbers[0])
        }
        let zoom = middle == nil ? nil : PlaceText.zoom(numbers[2])
        let overlays = link.segments[(start + 1)...].dropLast(2).joined(separator: "/")
        if let pin = try Self.onlyPin(in: PercentEncoding.decode(overlays)) {
            return try answer(MapItem(coordinate: pin), zoom: zoom)
        }
        guard middle != nil else {
            throw PlaceError(
                .notAPlace, localized("the picture does not show a single place; give the coordinates of one"))
        }
        return try view(middle, zoom: zoom)
    }

    /// Returns the coordinate of `pin-s-LABEL+COLOUR(LON,LAT)`; `nil` unless there is exactly one pin and nothing
    /// else.
    private static func onlyPin(in overlays: String) throws(PlaceError) -> Coordinate? {
        guard overlays.hasPrefix("pin-"), overlays.hasSuffix(")"), let open = overlays.firstIndex(of: "(") else {
            return nil
        }
        let inside = overlays[open...].dropFirst().dropLast()
        guard !inside.contains("(") else { return nil }
        return try PlaceText.coordinate(inside, order: .longitudeFirst)
    }
}
