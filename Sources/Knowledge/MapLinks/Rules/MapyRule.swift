import Coordinates
import HunchModel
import JourneyWords

/// Links of Mapy.com, formerly Mapy.cz. Their coordinates have the longitude first.
///
/// Source: Mapy.com's "URL Mapy.com" page (`/fnc/v1/…`). The address bar's links are undocumented.
struct MapyRule: LinkRule {
    let name = "mapy"

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
        if let pin = try query.text("uc").flatMap(Self.pin) {
            return try answer(MapItem(coordinate: PlaceText.coordinate(pin.latitude, pin.longitude)), zoom: zoom)
        }
        if let middle = try query.coordinate(latitude: ["y"], longitude: ["x"]) { return try view(middle, zoom: zoom) }
        if query.has("id", "rc", "uc") { throw needsNetwork(link) }
        throw Self.noPlace
    }

    private static let alphabet = Array("0ABCD2EFGH4IJKLMN6OPQRST8UVWXYZ-1abcd3efgh5ijklmn7opqrst9uvwxyz.".utf8)
    private static let digitsOfPin = 10

    /// Reads the only pin of `uc`: five digits each for the longitude and the latitude. The first two bits of each say
    /// that it has five digits, and the other 28 are a fraction of 360° and of 180°. Returns `nil` for several pins.
    ///
    /// Source: `SMap.Coords.stringToCoords` of Mapy.cz's JavaScript library.
    private static func pin(_ code: String) -> (latitude: Double, longitude: Double)? {
        let digits = code.utf8.compactMap { alphabet.firstIndex(of: $0) }
        guard digits.count == digitsOfPin, code.utf8.count == digitsOfPin else { return nil }
        let (east, north) = (digits.prefix(5).reduce(0) { $0 << 6 | $1 }, digits.suffix(5).reduce(0) { $0 << 6 | $1 })
        let mark = 3 << 28
        guard east >= mark, north >= mark else { return nil }
        let turn = Double(1 << 28)
        return (Double(north - mark) / turn * 180 - 90, Double(east - mark) / turn * 360 - 180)
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
