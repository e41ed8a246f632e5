import HunchModel

/// Links of Mapy.com, formerly Mapy.cz. Their coordinates have the longitude first.
///
/// Source: Mapy.com's "URL Mapy.com" page (`/fnc/v1/…`). The address bar's links are undocumented.
public struct MapyRule: LinkRule {
    /// `mapy`.
    public let name = "mapy"

    /// Creates the rule.
    public init() {}

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.isWeb, link.isWithin("mapy.com", "mapy.cz") else { return nil }
        if link.segments.contains("s") { throw needsNetwork(link) }
        let query = link.query
        let zoom = query.zoom("zoom", "z")
        let center = try query.coordinate("center", order: .longitudeFirst)
        if query.has("end") || link.segments.last == "route" {
            return try answer(
                point(query.text("end")), zoom: zoom, from: point(query.text("start")),
                by: TravelWords.modes(query.text("routetype").map { String($0.prefix { $0 != "_" }) }), near: center)
        }
        if let text = try query.text("query", "q") {
            let middle = try? query.coordinate(latitude: ["y"], longitude: ["x"])
            return try answer(PlaceText.item(text), zoom: zoom, near: center ?? middle)
        }
        if let center { return try answer(MapItem(coordinate: center), zoom: zoom) }
        if let route = try route(query) { return route }
        if try query.text("source") == "coor", let id = try query.coordinate("id", order: .longitudeFirst) {
            return try answer(MapItem(coordinate: id), zoom: zoom)
        }
        if let middle = try query.coordinate(latitude: ["y"], longitude: ["x"]) {
            return try answer(MapItem(coordinate: middle), zoom: zoom)
        }
        if query.has("id", "rc") { throw needsNetwork(link) }
        throw Self.noPlace
    }

    private func point(_ text: String?) throws(PlaceError) -> MapItem? {
        guard let text, !PlaceText.isHere(text) else { return nil }
        return MapItem(coordinate: try PlaceText.coordinate(text, order: .longitudeFirst))
    }

    /// Reads a planned route of the address bar, in which `rs` has the kind of each point and `ri` the point itself.
    /// Returns `nil` without a route, or if only Mapy.com knows the last point.
    private func route(_ query: LinkQuery) throws(PlaceError) -> ParsedPlace? {
        let points = zip(try query.texts("rs"), try query.texts("ri")).map { $0 == "coor" ? $1 : nil }
        guard points.count > 1, let last = points.last, let last else { return nil }
        return try answer(point(last), from: point(points[0]))
    }
}
