import Coordinates
import FoundationEssentials
import HunchModel
import JourneyWords

/// Links of HERE WeGo: shared places and routes, its web map, and app links.
///
/// Sources: HERE's "Deeplinking API" (`l`, `p` and `r` links) and its guides to `here-location:`, `here-route:` and
/// `here.directions:`. The share identifiers of `p` links are not documented; two kinds of them carry the position.
struct HereRule: LinkRule {
    let name = "here"

    private static let letters: [String: Set<TransportMode>] = [
        "t": [.taxi], "tr": [.car], "cs": [.car], "carshare": [.car], "publictransport": TransportMode.transit,
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        switch link.scheme {
        case "here-location": return try answer(waypoint(([link.authority] + link.segments).joined()[...], link))
        case "here-route": return try route(([link.authority] + link.segments)[...], link, by: link.query.text("m"))
        case "here.directions":
            // The authority is the version of the interface and not a waypoint.
            return try route(link.segments[...], link, by: link.query.text("m"))
        case "http", "https":
            let names = ["share.here.com", "wego.here.com", "maps.here.com", "m.here.com", "here.com"]
            guard names.contains(link.host) else { return nil }
            return try place(ofWeb: link)
        default: return nil
        }
    }

    private func place(ofWeb link: Link) throws(PlaceError) -> ParsedPlace {
        let query = link.query
        // Beside a place, the numbers of the view may be unclear.
        let shown = try? Self.view(query)
        let middle = shown?.middle
        let zoom = query.zoom("z") ?? shown?.zoom
        let words = link.segments.dropFirst()
        switch link.segments.first?.lowercased() {
        case "l":
            guard let place = words.first else { throw Self.noPlace }
            return try answer(waypoint(place, link), zoom: zoom)
        case "p":
            if let item = try words.first.flatMap({ id throws(PlaceError) in try shared(id) }) {
                return try answer(item, zoom: zoom)
            }
            guard let middle else { throw needsNetwork(link) }
            return try view(middle, zoom: zoom)
        case "r": return try route(words, link, by: query.text("m"), zoom: zoom)
        case "directions":
            return try route(words.dropFirst(), link, by: words.first.map { String($0) }, zoom: zoom, near: middle)
        case "search":
            guard let text = try link.segment(1, plusIsSpace: true) else { throw Self.noPlace }
            return try answer(PlaceText.item(text), zoom: zoom, near: middle)
        default:
            if let title = try query.name("msg", "title"), middle != nil {
                return try answer(item(title, at: middle), zoom: zoom)
            }
            if let middle = try Self.view(query)?.middle { return try view(middle, zoom: zoom) }
            guard let text = try query.text("q", "search") else { throw Self.noPlace }
            return try answer(PlaceText.item(text), zoom: zoom)
        }
    }

    /// Reads `map=LAT,LON,ZOOM,LAYER`; `nil` if the link has no view.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if the numbers have several readings.
    private static func view(_ query: LinkQuery) throws(PlaceError) -> (middle: Coordinate, zoom: Double?)? {
        let map = try NumberList.joined(query.text("map")?.split(separator: ",") ?? [], mayHaveMore: true)
        guard map.count >= 2 else { return nil }
        let zoom = map.dropFirst(2).first.flatMap { PlaceText.zoom($0) }
        // Without a zoom level, the third number may be the decimals of the second one.
        if map.count > 2, zoom == nil { _ = try NumberList.position(map) }
        return (try PlaceText.coordinate(latitude: map[0], longitude: map[1], wraps: true), zoom)
    }

    private func route(
        _ waypoints: ArraySlice<Substring>, _ link: Link, by mode: String?, zoom: Double? = nil, near: Coordinate? = nil
    ) throws(PlaceError) -> ParsedPlace {
        guard let last = waypoints.last, let first = waypoints.first else { throw Self.noPlace }
        return try answer(
            waypoint(last, link), zoom: zoom, from: waypoints.count > 1 ? waypoint(first, link) : nil,
            via: waypoints.dropFirst().dropLast().map { String($0) },
            by: TravelWords.modes(mode, special: Self.letters), near: near)
    }

    /// Reads `LAT,LON,TITLE`, `LABEL:LAT,LON`, a share identifier or a text; `nil` for `mylocation`.
    ///
    /// - Throws: ``PlaceError`` with `needsNetwork` for an identifier that only HERE knows.
    private func waypoint(_ segment: Substring, _ link: Link) throws(PlaceError) -> MapItem? {
        let text = try PercentEncoding.decode(segment, plusIsSpace: true).singleSpaced
        if text.isEmpty || PlaceText.isHere(text) { return nil }
        let parts = try NumberList.position(text.split(separator: ",", omittingEmptySubsequences: false))
        if parts.count >= 2, DecimalNumber.value(of: parts[0]) != nil,
            DecimalNumber.value(of: String(parts[1]).trimmed) != nil
        {
            let title = parts.dropFirst(2).joined(separator: ",").trimmed
            return try item(
                title.isEmpty ? nil : title,
                at: PlaceText.coordinate(latitude: parts[0], longitude: String(parts[1]).trimmed[...]))
        }
        let label = text.prefix { $0 != ":" }
        let position = text.split(separator: ":").last { $0.contains(",") }
        if let position, let coordinate = try CoordinateText.coordinate(in: position) {
            return try item(String(label), at: coordinate)
        }
        if let item = try shared(text[...]) { return item }
        if ["s-", "e-", "p-"].contains(text.cut(toBytes: 2)) { throw needsNetwork(link) }
        return try PlaceText.item(text)
    }

    // MARK: Share identifiers

    /// The content of a JSON identifier.
    private struct Shared: Decodable {
        var name: String?
        var address: String?
        var latitude: Double?
        var longitude: Double?
    }

    /// Reads `s-` and Base64 of `…;lat=52.5;lon=13.4;n=NAME`, or `e-` and Base64 of JSON; `nil` for any other
    /// identifier.
    private func shared(_ identifier: Substring) throws(PlaceError) -> MapItem? {
        guard identifier.hasPrefix("s-") || identifier.hasPrefix("e-") else { return nil }
        var encoded = try PercentEncoding.decode(identifier.dropFirst(2)).replacing("-", with: "+").replacing(
            "_", with: "/")
        encoded += String(repeating: "=", count: (4 - encoded.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: encoded) else { return nil }
        if identifier.hasPrefix("e-") {
            guard let shared = try? JSONDecoder().decode(Shared.self, from: bytes) else { return nil }
            guard let latitude = shared.latitude, let longitude = shared.longitude else {
                return try (shared.address ?? shared.name).flatMap { text throws(PlaceError) in
                    try PlaceText.item(text.singleSpaced)
                }
            }
            return try item(shared.name?.singleSpaced, at: PlaceText.coordinate(latitude, longitude))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let fields = LinkQuery(text.replacing(";", with: "&")[...])
        guard let position = try fields.coordinate(latitude: ["lat", "nlat"], longitude: ["lon", "nlon"]) else {
            return nil
        }
        return try item(fields.name("n"), at: position)
    }
}
