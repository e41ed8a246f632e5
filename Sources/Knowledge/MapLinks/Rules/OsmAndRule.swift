import Coordinates
import HunchModel
import JourneyWords

/// Links of OsmAnd: its web map, its `go` links, and app links.
///
/// Sources: OsmAnd's "Deep links", "Web map" and "API" pages; `osmand.api:` is its AIDL-free interface for programs.
struct OsmAndRule: LinkRule {
    let name = "osmAnd"

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isApp = ["osmand.navigation", "osmand.api", "osmandmaps", "osmand"].contains(link.scheme)
        guard isApp || link.isWeb && link.isWithin("osmand.net") else { return nil }
        let query = link.query
        let view = MapFragment(link.fragment)
        let zoom = view?.zoom ?? query.zoom("z", "zoom")
        let modes = TravelWords.modes(try query.text("profile", "mode"))

        if query.has("end", "finish", "to", "dest_lat", "dest_search_query") {
            return try answer(
                end(query, ["end", "finish", "to", "dest_search_query"], prefix: "dest"), zoom: zoom,
                from: end(query, ["start", "from"], prefix: "start"), by: modes, near: view?.coordinate)
        }
        // A link with a start alone is a place.
        if let start = try end(query, ["start", "from"], prefix: "start") {
            return try answer(start, zoom: zoom, by: modes, near: view?.coordinate)
        }
        let label = try query.name("title", "name")
        let position = try query.coordinate(["pin", "ll"], latitude: ["lat"], longitude: ["lon", "lng"])
        if let position { return try answer(item(label, at: position), zoom: zoom) }
        if let text = try query.text("q", "query", "search") {
            return try answer(PlaceText.item(text), zoom: zoom, by: modes, near: view?.coordinate)
        }
        guard let view else { throw Self.noPlace }
        guard view.isMarker || label != nil else { return try self.view(view.coordinate, zoom: zoom) }
        return try answer(item(label, at: view.coordinate), zoom: zoom)
    }

    private func end(_ query: LinkQuery, _ names: [String], prefix: String) throws(PlaceError) -> MapItem? {
        let position = try query.coordinate(latitude: ["\(prefix)_lat"], longitude: ["\(prefix)_lon"])
        let name = try query.name("\(prefix)_name")
        if position != nil || name != nil { return try item(name, at: position) }
        guard let text = try query.text(among: names) else { return nil }
        return try PlaceText.item(text)
    }
}
