import Coordinates
import HunchModel
import JourneyWords

/// Links of Apple Maps: `maps.apple.com` with the parameters of 2012 and the paths of 2025, and `maps:`. GNOME Maps
/// also supports `maps:q=TEXT`.
///
/// Sources: Apple's "Map Links" and "Adopting unified Maps URLs"; GNOME Maps' desktop entry.
struct AppleRule: LinkRule {
    let name = "apple"

    private static let letters: [String: Set<TransportMode>] = ["c": [.bike]]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isApp = link.scheme == "maps" || link.scheme == "map" || link.scheme == "mapitem"
        guard isApp || link.isWeb && (link.isWithin("maps.apple.com") || link.host == "maps.apple") else { return nil }
        let path = isApp ? link.authority.lowercased() : link.segments.first?.lowercased()
        if link.host == "maps.apple" || path == "p" { throw needsNetwork(link) }

        let query = link.query
        let position = try query.coordinate("coordinate", "ll")
        let middle = query.hint("sll", "near", "center", "user-location")
        let zoom = query.zoom("z", "zoom")
        if query.has("daddr", "destination") {
            // Routes with stops repeat the old field, and have a field for each stop in the new form.
            let ends = try query.texts("daddr").filter { !$0.isEmpty }
            var end = try query.item("destination")
            if end == nil, let last = ends.last { end = try PlaceText.item(last) }
            if end?.name == nil { end?.name = try query.name("name", "q") }
            return try answer(
                end, zoom: zoom, from: query.item("source", "saddr"), via: query.texts("waypoint") + ends.dropLast(),
                by: TravelWords.modes(query.text("mode", "dirflg"), special: Self.letters),
                near: position ?? middle)
        }
        let label = try query.name("name", "q", "query")
        let address = try query.name("address")
        if let position {
            var item = try item(label ?? address, at: position)
            if label != nil, let address { item?.address = PostalAddress(street: address) }
            return try answer(item, zoom: zoom)
        }
        // The address locates the place; the name next to it is only a label.
        if let address, let item = try PlaceText.item(address) {
            return try answer(
                MapItem(name: label, coordinate: item.coordinate, query: item.query),
                zoom: zoom, near: middle)
        }
        if let label { return try answer(PlaceText.item(label), zoom: zoom, near: middle) }
        // "maps:" may also have the form of a "geo:" link.
        if isApp, query.isEmpty, let text = try link.segment(0) { return try answer(PlaceText.item(text)) }
        if query.has("place-id", "auid", "guide", "user", "_mvs", "ug", "destination-place-id") {
            throw needsNetwork(link)
        }
        return try view(middle, zoom: zoom)
    }
}
