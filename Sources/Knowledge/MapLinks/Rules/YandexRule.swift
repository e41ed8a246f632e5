import Coordinates
import HunchModel
import JourneyWords

/// Links of Yandex Maps, Yandex Navigator, and Yandex's embedded maps and images. Their coordinates have the
/// longitude first, except in routes.
///
/// Sources: Yandex' "Deep links of Yandex Maps", "Yandex Navigator: URL format" and "Static API: Request format" pages.
struct YandexRule: LinkRule {
    let name = "yandex"

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isApp = ["yandexmaps", "yandexnavi"].contains(link.scheme)
        guard isApp || link.isWeb && Self.isMaps(link) else { return nil }
        if link.segments.contains("-") { throw needsNetwork(link) }

        let query = link.query
        let zoom = query.zoom("z", "zoom", "whatshere[zoom]")
        let middle = query.hint("ll", "sll", order: .longitudeFirst)
        if let route = try query.text("rtext") {
            let points = route.split(separator: "~", omittingEmptySubsequences: false).map { String($0).trimmed }
            return try answer(
                PlaceText.item(points[points.count - 1]), zoom: zoom,
                from: points.count > 1 ? PlaceText.item(points[0]) : nil, via: Array(points.dropFirst().dropLast()),
                by: TravelWords.modes(query.text("rtt"), special: ["sc": [.other]]), near: middle)
        }
        if let destination = try query.coordinate(latitude: ["lat_to"], longitude: ["lon_to"]) {
            let source = try query.coordinate(latitude: ["lat_from"], longitude: ["lon_from"])
            return try answer(
                MapItem(coordinate: destination), zoom: zoom, from: source.map { MapItem(coordinate: $0) },
                by: link.scheme == "yandexnavi" ? [.car] : [])
        }
        if let position = try query.coordinate(latitude: ["lat"], longitude: ["lon"]) {
            return try answer(item(query.name("desc"), at: position), zoom: zoom)
        }
        if let pins = try query.text("pt", "whatshere[point]", "poi[point]", "panorama[point]") {
            let first = pins.prefix { $0 != "~" }
            let position = try PlaceText.coordinate(first, order: .longitudeFirst)
            return try answer(item(query.name("text"), at: position), zoom: zoom)
        }
        // "/maps/213/moscow/search/WORDS"
        let search = link.segments.firstIndex(of: "search")
        let words = try search.flatMap { index throws(PlaceError) in try link.segment(index + 1, plusIsSpace: true) }
        if let text = try query.text("text") ?? words {
            return try answer(PlaceText.item(text), zoom: zoom, near: middle)
        }
        guard let position = try query.coordinate("ll", order: .longitudeFirst) else {
            let isObject = ["org", "geo", "house", "stops", "profile"].contains { word in
                link.segments.contains { $0 == word }
            }
            if isObject || query.has("oid", "ouri", "poi[uri]", "orgpage[id]", "um") { throw needsNetwork(link) }
            throw Self.noPlace
        }
        return try view(position, zoom: zoom)
    }

    private static let pages = ["maps", "harita", "web-maps", "navi", "profile", "map-widget", "map-constructor"]

    /// Returns whether a link leads to a map of Yandex: `yandex.TLD/maps` and similar paths, a host such as
    /// `maps.yandex.TLD`, or any other page with the field `ll` or `pt` of its maps.
    private static func isMaps(_ link: Link) -> Bool {
        let labels = link.host.split(separator: ".")
        // Yango is Yandex's international brand.
        guard let name = labels.lastIndex(where: { $0 == "yandex" || $0 == "yango" }) else { return false }
        let topLevel = labels[labels.index(after: name)...]
        guard (1...2).contains(topLevel.count), topLevel.allSatisfy({ (2...3).contains($0.utf8.count) }) else {
            return false
        }
        let isMapsHost = labels[..<name].contains { ["maps", "static-maps", "constructor"].contains($0) }
        return isMapsHost || pages.contains { link.pathBegins($0) } || link.query.has("ll", "pt")
    }
}
