import Coordinates
import HunchModel
import JourneyWords

/// Links of Qwant Maps, observed: `/maps/place/PLACE`, `/maps/routes/?origin=PLACE&destination=PLACE` and
/// `/maps/?q=WORDS`, each with the view `#map=ZOOM/LAT/LON`.
///
/// A place is `latlon:LAT:LON` or an identifier such as `osm:way:1`, both with or without `@NAME`.
struct QwantRule: PublisherRule {
    let name = "qwant"
    let hosts = ["qwant.com"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.pathBegins("maps") else { return nil }
        let view = MapFragment(link.fragment)
        let query = link.query
        if let text = try query.text("q") {
            return try answer(PlaceText.item(text), zoom: view?.zoom, near: view?.coordinate)
        }
        let (start, end) = (try query.text("origin"), try query.text("destination"))
        if let text = end ?? start {
            guard let item = try Self.item(text) else { throw needsNetwork(link) }
            let source = end == nil ? nil : try start.flatMap(Self.item)
            // The view shows both ends of the route, so its zoom level is not that of a known destination.
            return try answer(
                item, zoom: item.coordinate == nil ? view?.zoom : nil, from: source,
                by: TravelWords.modes(query.text("mode")), near: view?.coordinate)
        }
        let item = try link.pathBegins("maps", "place") ? link.segment(2).flatMap(Self.item) : nil
        guard let view, item?.coordinate == nil else {
            if item == nil, link.pathBegins("maps", "place") { throw needsNetwork(link) }
            return try answer(item)
        }
        // The map is centred on the place.
        var place = try self.view(view.coordinate, zoom: view.zoom)
        place.item.name = item?.query
        return place
    }

    /// Returns the place of an identifier, with the name behind `@`, where underscores are spaces; `nil` if only Qwant
    /// knows it.
    private static func item(_ text: String) throws(PlaceError) -> MapItem? {
        let parts = text.split(separator: "@", maxSplits: 1)
        let words = parts.dropFirst().first.map { String($0).replacing("_", with: " ").singleSpaced }
        let label = try PlaceText.name(words)
        guard text.hasPrefix("latlon:") else { return label.map { MapItem(query: $0) } }
        return MapItem(name: label, coordinate: try PlaceText.coordinate(parts[0].dropFirst(7), separator: ":"))
    }
}
