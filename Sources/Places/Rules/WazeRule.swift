import HunchModel

/// Links of Waze: its deep links, its live map, and its codes for a position, which are geohashes.
///
/// Source: Waze's "Deep links" guide.
public struct WazeRule: LinkRule {
    /// `waze`.
    public let name = "waze"

    private static let geohashAlphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

    /// Makes the rule.
    public init() {}

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.scheme == "waze" || link.isWeb && link.isWithin("waze.com", "waze.to") else { return nil }
        let query = link.query
        let zoom = query.zoom("z", "zoom")
        // The app only ever drives.
        let modes: Set<TransportMode> = try query.text("navigate") == "yes" || query.has("to") ? [.car] : []
        if let code = link.segments.last, link.pathBegins("ul") || link.pathBegins("lr"), code.hasPrefix("h"),
            let position = try Self.position(ofGeohash: code.dropFirst())
        {
            return try answer(MapItem(coordinate: position), zoom: zoom, by: modes)
        }
        if let hash = try query.text("h"), let position = try Self.position(ofGeohash: hash[...]) {
            return try answer(MapItem(coordinate: position), zoom: zoom, by: modes)
        }
        let position = try query.coordinate(["ll", "latlng"], latitude: ["lat"], longitude: ["lon", "lng"])
        if let target = try query.text("to") {
            guard let destination = try end(target) ?? position.map({ MapItem(coordinate: $0) }) else {
                throw needsNetwork(link)
            }
            let source = try query.text("from").flatMap { text throws(PlaceError) in try end(text) }
            return try answer(destination, zoom: zoom, from: source, by: modes)
        }
        let text = try query.name("q")
        if position != nil || text != nil { return try answer(item(text, at: position), zoom: zoom, by: modes) }
        if query.has("venue_id", "place", "favorite") || link.segments.count > 3 { throw needsNetwork(link) }
        throw Self.noPlace
    }

    /// `ll.LAT,LON`, a position or a text; `nil` for `place.…`, which only Waze knows.
    private func end(_ text: String) throws(PlaceError) -> MapItem? {
        if text.hasPrefix("ll.") { return MapItem(coordinate: try PlaceText.coordinate(text.dropFirst(3))) }
        return text.hasPrefix("place.") ? nil : try PlaceText.item(text)
    }

    /// Returns the middle of a geohash's field; `nil` for another text.
    static func position(ofGeohash hash: Substring) throws(PlaceError) -> Coordinate? {
        let code = InterleavedCode(
            hash.lowercased(), alphabet: geohashAlphabet, bitsPerDigit: 5, longitudeFirst: true)
        guard let (latitude, longitude) = code?.degrees(at: 0.5) else { return nil }
        return try PlaceText.coordinate(latitude, longitude)
    }
}
