import Coordinates
import HunchModel
import JourneyWords
import Localization

/// Links of openstreetmap.org and of maps that use its `#map=` fragment.
///
/// Sources: the OpenStreetMap wiki's pages "Browsing", "Shortlink" and "Permalink". A link to a node, way or relation
/// without a view has only its number, which needs the network.
struct OpenStreetMapRule: LinkRule {
    let name = "openStreetMap"

    private static let shortAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~".utf8)

    private static let leastDigits = 3

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isOwn = link.isWithin("openstreetmap.org", "osm.org")
        // Route planners on the same domain have their own link forms.
        guard link.isWeb, !["routing.openstreetmap.de", "valhalla.openstreetmap.de"].contains(link.host),
            isOwn || link.isWithin("opentopomap.org", "openstreetmap.de", "openstreetmap.fr", "cyclosm.org")
        else { return nil }
        if isOwn, link.pathBegins("go"), let code = link.segments.dropFirst().first {
            return try place(ofShortCode: code, isPin: link.query.has("m"))
        }
        let query = link.query
        let view = MapFragment(link.fragment)
        let zoom = view?.zoom ?? query.zoom("zoom", "z")
        if link.pathBegins("directions") || query.has("route") { return try route(query, view, zoom) }

        var marked = try query.coordinate(["marker"], latitude: ["mlat"], longitude: ["mlon"])
        if let view, view.isMarker { marked = marked ?? view.coordinate }
        if let marked { return try answer(MapItem(coordinate: marked), zoom: zoom) }
        let named = try link.fields.coordinate(latitude: ["lat"], longitude: ["lon", "lng"])
        if let text = try query.text("query", "q") {
            return try answer(PlaceText.item(text), zoom: zoom, near: view?.coordinate ?? named)
        }
        if let position = named ?? view?.coordinate { return try self.view(position, zoom: zoom) }
        if let middle = try middleOfBox(query) { return try self.view(middle) }
        let isObject = ["node", "way", "relation", "note", "changeset"].contains { link.pathBegins($0) }
        if isObject || query.has("node", "way", "relation") { throw needsNetwork(link) }
        throw Self.noPlace
    }

    private func route(_ query: LinkQuery, _ view: MapFragment?, _ zoom: Double?) throws(PlaceError) -> ParsedPlace {
        let points = try query.text("route")?.split(separator: ";", omittingEmptySubsequences: false).map { String($0) }
        func end(_ point: String?, _ text: String?) throws(PlaceError) -> MapItem? {
            try (point?.trimmed ?? text).flatMap { text throws(PlaceError) in try PlaceText.item(text) }
        }
        // "fossgis_osrm_bike", "graphhopper_foot": the engine, then the travel mode.
        let travel = try query.text("engine")?.split(separator: "_").last
        return try answer(
            end(points?.last, query.text("to")), zoom: zoom,
            from: end(points.flatMap { $0.count > 1 ? $0.first : nil }, query.text("from")),
            by: TravelWords.modes(travel.map { String($0) }), near: view?.coordinate)
    }

    private func middleOfBox(_ query: LinkQuery) throws(PlaceError) -> Coordinate? {
        var edges: [String] = try query.text("bbox")?.split(separator: ",").map { String($0).trimmed } ?? []
        if edges.isEmpty, query.has("minlon") {
            for name in ["minlon", "minlat", "maxlon", "maxlat"] { edges.append(try query.text(name) ?? "") }
        }
        guard edges.count == 4 else { return nil }
        let southWest = try PlaceText.coordinate(latitude: edges[1], longitude: edges[0])
        let northEast = try PlaceText.coordinate(latitude: edges[3], longitude: edges[2])
        // Across the antimeridian, the east edge has the smaller number.
        let width = northEast.longitude - southWest.longitude + (northEast.longitude < southWest.longitude ? 360 : 0)
        return try PlaceText.coordinate(
            (southWest.latitude + northEast.latitude) / 2, southWest.longitude + width / 2)
    }

    /// Reads a short code: digits with the interleaved bits of longitude and latitude, then "-" or "--" for zoom levels
    /// between those of two lengths.
    ///
    /// The coordinate is the south-west corner of the cell, where the site itself shows the map, with a pin if the link has
    /// the field `m`.
    private func place(ofShortCode segment: Substring, isPin: Bool) throws(PlaceError) -> ParsedPlace {
        // Older links have "@" for "~" and "=" for "-".
        let text = try PercentEncoding.decode(segment).replacing("@", with: "~")
        let digits = text.prefix { $0 != "-" && $0 != "=" }
        let dashes = text.dropFirst(digits.count)
        // "/go/about" is not a code. Codes for the whole world have three characters.
        guard digits.utf8.count >= Self.leastDigits, !dashes.isEmpty || !InterleavedCode.isLikeWord(digits) else {
            throw Self.noPlace
        }
        guard dashes.count <= 2, dashes.allSatisfy({ $0 == "-" || $0 == "=" }),
            let code = InterleavedCode(digits, alphabet: Self.shortAlphabet, bitsPerDigit: 6, longitudeFirst: true)
        else {
            throw PlaceError(.malformedLink, localized("the short code of the link is invalid; copy the link again"))
        }
        let (latitude, longitude) = code.degrees(at: 0)
        let zoom = PlaceText.zoom("\(digits.count * 3 - 8 - (dashes.isEmpty ? 0 : 3 - dashes.count))")
        let position = try PlaceText.coordinate(latitude, longitude)
        return try isPin ? answer(MapItem(coordinate: position), zoom: zoom) : view(position, zoom: zoom)
    }
}
