import Coordinates
import HunchModel

/// Links of Waze: its deep links, its live map, and its coordinate codes, which are geohashes.
///
/// Source: Waze's "Deep links" guide.
struct WazeRule: LinkRule {
    let name = "waze"

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.scheme == "waze" || link.isWeb && link.isWithin("waze.com", "waze.to") else { return nil }
        let query = link.query
        let zoom = query.zoom("z", "zoom")
        // The app supports only driving.
        let modes: Set<TransportMode> = try query.text("navigate") == "yes" || query.has("to") ? [.car] : []
        let isShort = link.pathBegins("ul") || link.pathBegins("lr")
        let code = isShort ? link.segments.last.flatMap { $0.hasPrefix("h") ? String($0.dropFirst()) : nil } : nil
        let hash = if let code { code as String? } else { try query.text("h") }
        if let hash, let position = Geohash.degrees(of: hash) {
            let coordinate = try PlaceText.coordinate(position.latitude, position.longitude)
            return try answer(MapItem(coordinate: coordinate), zoom: zoom, by: modes)
        }
        let position = try query.coordinate(["ll", "latlng"], latitude: ["lat"], longitude: ["lon", "lng"])
        let source = try query.text("from").flatMap { text throws(PlaceError) in try end(text) }
        if let target = try query.text("to") {
            guard let destination = try end(target) ?? position.map({ MapItem(coordinate: $0) }) else {
                throw needsNetwork(link)
            }
            return try answer(destination, zoom: zoom, from: source, by: modes)
        }
        let text = try query.name("q")
        // The live map has its centre in `lat` and `lon`, and a pin there only with `pin`.
        let isLiveMap = link.segments.contains { ["live-map", "livemap"].contains($0.lowercased()) }
        if isLiveMap, modes.isEmpty, query.has("lat"), !query.has("pin") {
            guard let text else { return try view(position, zoom: zoom) }
            return try answer(PlaceText.item(text), zoom: zoom, near: position)
        }
        if position != nil || text != nil { return try answer(item(text, at: position), zoom: zoom, by: modes) }
        if let source { return try answer(source, zoom: zoom) }
        if query.has("venue_id", "place", "favorite") || link.segments.count > 3 { throw needsNetwork(link) }
        throw Self.noPlace
    }

    /// Reads `ll.LAT,LON`, a coordinate or a text; `nil` for `place.…`, which only Waze knows.
    private func end(_ text: String) throws(PlaceError) -> MapItem? {
        if text.hasPrefix("ll.") { return MapItem(coordinate: try PlaceText.coordinate(text.dropFirst(3))) }
        return text.hasPrefix("place.") ? nil : try PlaceText.item(text)
    }
}
