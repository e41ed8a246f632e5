import Coordinates
import HunchModel
import Localization

/// Links of GeoHack, the target of Wikipedia's coordinates: `params=52_31_12_N_13_24_18_E_type:city`.
///
/// Source: https://www.mediawiki.org/wiki/GeoHack
struct GeoHackRule: PublisherRule {
    let name = "geoHack"
    let hosts = ["geohack.toolforge.org", "tools.wmflabs.org", "toolserver.org"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isGeoHack = link.host == hosts[0] || link.segments.contains { $0.lowercased().contains("geohack") }
        guard isGeoHack else { return nil }
        guard let text = try link.query.text("params") else { throw Self.noPlace }
        let parts = text.replacing(" ", with: "_").split(separator: "_", omittingEmptySubsequences: true)
        if let globe = parts.first(where: { $0.lowercased().hasPrefix("globe:") }), globe.lowercased() != "globe:earth"
        {
            throw PlaceError(.notAPlace, localized("the position of the link is not on Earth"))
        }
        let title = try link.query.name("title", "pagename")
        return try answer(
            item(title?.replacing("_", with: " "), at: position(parts.map { String($0) })))
    }

    private func position(_ parts: [String]) throws(PlaceError) -> Coordinate {
        if let pair = parts.first, pair.contains(";") { return try PlaceText.coordinate(pair, separator: ";") }
        let numbers = parts.prefix { !$0.contains(":") }
        guard let north = numbers.firstIndex(where: { ["N", "S"].contains($0.uppercased()) }),
            let east = numbers[north...].firstIndex(where: { ["E", "W", "O"].contains($0.uppercased()) })
        else { throw Self.broken(parts) }
        let latitude = try degrees(Array(numbers[..<north]), parts)
        let longitude = try degrees(Array(numbers[(north + 1)..<east]), parts)
        return try PlaceText.coordinate(
            numbers[north].uppercased() == "S" ? -latitude : latitude,
            numbers[east].uppercased() == "W" ? -longitude : longitude)
    }

    private func degrees(_ texts: [String], _ parts: [String]) throws(PlaceError) -> Double {
        let values = texts.compactMap { DecimalNumber.value(of: $0) }
        guard (1...3).contains(values.count), values.count == texts.count,
            values.dropFirst().allSatisfy({ (0..<60).contains($0) })
        else { throw Self.broken(parts) }
        let size = values.reversed().reduce(0) { $0 / 60 + abs($1) }
        return values[0] < 0 ? -size : size
    }

    private static func broken(_ parts: [String]) -> PlaceError {
        let text = parts.joined(separator: "_").cut(to: 40)
        return PlaceError(
            .badCoordinate, localized("“%1” in the link is not a position such as 52_31_12_N_13_24_18_E", text))
    }
}

/// Links to maps of Wikipedia and its sister projects: `Special:Map/ZOOM/LAT/LON`. A link to an article has only its
/// title, so that only the site knows the place.
struct WikipediaRule: PublisherRule {
    let name = "wikipedia"
    let hosts = ["wikipedia.org", "wikivoyage.org", "wikidata.org", "wikimedia.org"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        if link.host == "maps.wikimedia.org", let view = MapFragment(link.fragment) {
            return try self.view(view.coordinate, zoom: view.zoom)
        }
        guard link.pathBegins("wiki"), let title = try link.segment(1) else { throw Self.noPlace }
        guard title.lowercased() == "special:map", link.segments.count >= 5 else { throw needsNetwork(link) }
        let position = try PlaceText.coordinate(latitude: link.segments[3], longitude: link.segments[4])
        return try answer(MapItem(coordinate: position), zoom: PlaceText.zoom(link.segments[2]))
    }
}

/// Links of geohash.org: `/HASH`, or `/HASH:NAME`.
struct GeohashRule: PublisherRule {
    let name = "geohash"
    let hosts = ["geohash.org"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        if let position = try link.query.coordinate("q") { return try answer(MapItem(coordinate: position)) }
        guard link.segments.count == 1, let text = try link.segment(0) else { throw Self.noPlace }
        let hash = text.prefix { $0 != ":" }
        guard let degrees = Geohash.degrees(of: hash) else { throw Self.noPlace }
        let position = try PlaceText.coordinate(degrees.latitude, degrees.longitude)
        let label = try PlaceText.name(String(text.dropFirst(hash.count + 1)).replacing("_", with: " "))
        return try answer(MapItem(name: label, coordinate: position))
    }
}
