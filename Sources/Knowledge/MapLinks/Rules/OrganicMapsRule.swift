import Coordinates
import HunchModel
import JourneyWords
import Localization

/// Links of Organic Maps, CoMaps and MAPS.ME: their coordinate codes and app links.
///
/// Sources: Organic Maps' "API" page and its description of `ge0` codes.
struct OrganicMapsRule: LinkRule {
    let name = "organicMaps"

    private static let schemes: Set<String> = ["om", "cm", "ge0", "mapsme", "mapswithme", "comaps"]
    private static let hosts: Set<String> = [
        "omaps.app", "ge0.me", "comaps.at", "dlink.maps.me", "maps.me", "dlink.mapsme.com",
    ]
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The lengths of codes: apps write ten characters and accept fewer. Shorter than seven is a page such as `FAQ`.
    private static let codeLengths = 7...10
    /// The maximum number of bits of each angle in a code.
    private static let positionBits = 30

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isApp = Self.schemes.contains(link.scheme)
        guard isApp || link.isWeb && Self.hosts.contains(link.host) else { return nil }
        let path = isApp && !link.authority.isEmpty ? [link.authority] + link.segments : link.segments
        let words = path.first?.lowercased() == "v2" ? path.dropFirst() : path[...]
        let query = link.query
        switch words.first?.lowercased() {
        case "map", "crosshair":
            return try answer(item(query.name("n", "name"), at: query.coordinate("ll", "cll")), zoom: query.zoom("z"))
        case "route", "dir", "nav":
            return try answer(
                end(query, at: ["dll", "destination", "to"], name: ["daddr", "destination_name"]),
                from: end(query, at: ["sll", "origin", "from"], name: ["saddr", "origin_name"]),
                by: TravelWords.modes(query.text("type", "mode")))
        case "search":
            return try answer(query.item("query", "q"), near: query.hint("cll", "ll"))
        case nil:
            return try answer(item(query.name("n"), at: query.coordinate("ll")), zoom: query.zoom("z"))
        default: return try place(ofCode: words)
        }
    }

    private func end(_ query: LinkQuery, at: [String], name: [String]) throws(PlaceError) -> MapItem? {
        let name = try PlaceText.name(query.text(among: name))
        guard let position = try query.text(among: at) else {
            return try name.flatMap { name throws(PlaceError) in try PlaceText.item(name) }
        }
        guard var item = try PlaceText.item(position) else { return nil }
        item.name = item.coordinate == nil ? nil : name.flatMap { PlaceText.isHere($0) ? nil : $0 }
        return item
    }

    /// Reads `/CODE/NAME`: the first digit is the zoom level, the others are the coordinate. In the name, `_` is a
    /// space.
    private func place(ofCode path: ArraySlice<Substring>) throws(PlaceError) -> ParsedPlace {
        guard let code = path.first else { throw Self.noPlace }
        let name = try path.dropFirst().first.map { segment throws(PlaceError) in
            try PercentEncoding.decode(segment).replacing("_", with: " ").singleSpaced
        }
        if let position = try CoordinateText.degrees(in: PercentEncoding.decode(code)) {
            return try answer(item(name, at: position))
        }
        // "/download" and "/news/…" are pages of the same sites.
        guard Self.codeLengths.contains(code.utf8.count), !InterleavedCode.isLikeWord(code) else { throw Self.noPlace }
        guard let first = code.utf8.first, let zoomDigit = Self.alphabet.firstIndex(of: first),
            let bits = InterleavedCode(
                code.dropFirst(), alphabet: Self.alphabet, bitsPerDigit: 6, longitudeFirst: false),
            bits.latitudeBits <= Self.positionBits
        else { throw PlaceError(.malformedLink, localized("the code of the link is invalid; copy the link again")) }
        // The largest latitude number is 90° north itself, but the longitude of 180° east is one more than the largest
        // number.
        let missing = Self.positionBits - bits.latitudeBits
        let middle = missing > 0 ? UInt64(1) << (missing - 1) : 0
        let full = Double(UInt64(1) << Self.positionBits)
        let latitude = Double(bits.latitude << missing | middle) / (full - 1) * 180 - 90
        let longitude = Double(bits.longitude << missing | middle) / full * 360 - 180
        return try answer(
            item(name, at: PlaceText.coordinate(latitude, longitude)), zoom: Double(zoomDigit) / 4 + 4)
    }
}
