import HunchModel

/// Links of Yandex Maps and Yandex Navigator. Their positions have the longitude first, but for those of routes.
///
/// Sources: Yandex' "Deep links of Yandex Maps" and "Yandex Navigator: URL format" pages.
public struct YandexRule: LinkRule {
    /// `yandex`.
    public let name = "yandex"

    /// Makes the rule.
    public init() {}

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
                from: points.count > 1 ? PlaceText.item(points[0]) : nil,
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
        if let text = try query.text("text") { return try answer(PlaceText.item(text), zoom: zoom, near: middle) }
        guard let position = try query.coordinate("ll", order: .longitudeFirst) else {
            let isObject = ["org", "geo", "house", "stops", "profile"].contains { word in
                link.segments.contains { $0 == word }
            }
            if isObject || query.has("oid", "ouri", "poi[uri]", "orgpage[id]") { throw needsNetwork(link) }
            throw Self.noPlace
        }
        return try view(position, zoom: zoom)
    }

    /// Whether a link leads to `yandex.TLD/maps`, `maps.yandex.TLD`, or to the shorter names of the same.
    private static func isMaps(_ link: Link) -> Bool {
        var labels = link.host.split(separator: ".")[...]
        let isMapsHost = labels.first == "maps" || labels.first == "n" && labels.dropFirst().first == "maps"
        while labels.first == "n" || labels.first == "m" || labels.first == "maps" { labels = labels.dropFirst() }
        let name = labels.popFirst()
        // Yango is Yandex abroad.
        guard name == "yandex" || name == "yango", (1...2).contains(labels.count),
            labels.allSatisfy({ (2...3).contains($0.utf8.count) })
        else { return false }
        return isMapsHost || ["maps", "harita", "web-maps", "navi", "profile"].contains { link.pathBegins($0) }
    }
}
