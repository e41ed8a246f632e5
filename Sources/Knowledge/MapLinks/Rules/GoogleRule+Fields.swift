import Coordinates
import HunchModel
import JourneyWords

extension GoogleRule {
    /// Returns the place of a link's fields: those of the Maps URLs, and the older ones that apps and embedded maps
    /// also use.
    func place(ofFields link: Link) throws(PlaceError) -> ParsedPlace {
        let query = link.query
        let zoom = query.zoom("z", "zoom")
        let middle = try query.coordinate("ll")
        // Beside a search for words, `ll` is the centre of the map. Beside a name alone, it is the pin.
        let isSearch = query.has("hq", "spn", "sll")
        // The point of Street View, `cbll`, is more exact than the centre of the map.
        let camera = try query.coordinate("cbll", "viewpoint", "location")
        let position = camera ?? (isSearch ? nil : middle)
        let near = (isSearch ? middle : nil) ?? query.hint("sll", "near", "center")
        if query.has("daddr", "destination") {
            return try route(query, zoom: zoom, near: near ?? position)
        }
        let modes = TravelWords.modes(try query.text("mode", "dirflg"))
        if let text = try query.text("q", "query") {
            if text.lowercased().hasPrefix("place_id:") { throw needsNetwork(link) }
            var item = try Self.target(text)
            if item?.coordinate == nil, let position {
                item = MapItem(name: try PlaceText.name(text), coordinate: position)
            } else if item?.query != nil, near == nil, let town = try query.text("near", "hnear") {
                item?.query = try PlaceText.name("\(text), \(town)")
            }
            return try answer(item, zoom: zoom, by: modes, near: near)
        }
        if let camera { return try answer(MapItem(coordinate: camera), zoom: zoom, by: modes) }
        if let middle { return try view(middle, zoom: zoom) }
        if let item = try query.item("center") {
            return try item.coordinate == nil ? answer(item, zoom: zoom) : view(item.coordinate, zoom: zoom)
        }
        if let item = try Self.marker(query) { return try answer(item, zoom: zoom) }
        if query.has("cid", "ftid", "place_id", "query_place_id", "mid", "pano", "kgmid") { throw needsNetwork(link) }
        return try view(near, zoom: zoom)
    }

    /// Returns the first place of the Maps Static API's `markers=color:blue|label:S|PLACE|…`.
    private static func marker(_ query: LinkQuery) throws(PlaceError) -> MapItem? {
        let parts = try query.text("markers")?.split(separator: "|") ?? []
        let place = parts.first { part in !markerStyles.contains(String(part.prefix { $0 != ":" })) }
        return try place.flatMap { place throws(PlaceError) in try PlaceText.item(String(place).trimmed) }
    }

    private static let markerStyles: Set<String> = ["size", "color", "label", "scale", "anchor", "icon"]

    private func route(_ query: LinkQuery, zoom: Double?, near: Coordinate?) throws(PlaceError) -> ParsedPlace {
        func end(_ text: String?) throws(PlaceError) -> MapItem? {
            guard let text, !text.lowercased().hasPrefix("place_id:") else { return nil }
            return try Self.target(text)
        }
        // "A to:B to:C" leads via A and B.
        let ends = try query.text("destination", "daddr")?.split(separator: " to:").map { String($0).trimmed } ?? []
        let stops = try query.text("waypoints")?.split(separator: "|").map { String($0) } ?? []
        return try answer(
            end(ends.last), zoom: zoom, from: end(query.text("origin", "saddr")), via: stops + ends.dropLast(),
            by: TravelWords.modes(query.text("travelmode", "directionsmode", "dirflg", "mode")), near: near)
    }

    /// Reads `/embed?pb=…`, and `/embed/v1/MODE?…` of the Maps Embed API.
    func embedded(_ path: ArraySlice<Substring>, _ link: Link) throws(PlaceError) -> ParsedPlace {
        guard let encoded = link.query.raw("pb") else { return try place(ofFields: link) }
        let text = try PercentEncoding.decode(encoded, plusIsSpace: true)
        let root = GoogleData(text).root.message("1")
        if let directions = root?.message("4") {
            let points = directions.messages("4")
            func end(_ point: GoogleData.Node?) throws(PlaceError) -> MapItem? {
                let position = try point?.message("3")?.coordinate(latitude: "1", longitude: "2")
                return try item(point?.text("2"), at: position)
            }
            return try answer(
                end(points.last), from: points.count > 1 ? end(points.first) : nil,
                by: GoogleData.modes(directions.value("3", "e")))
        }
        // The message of the place has only its name. The centre of the map is its coordinate.
        let place = root?.message("3", "1") ?? root?.message("2", "1")
        let middle = try root?.message("1", "1")?.coordinate(latitude: "3", longitude: "2")
        return try answer(item(place?.text("2"), at: middle))
    }
}
