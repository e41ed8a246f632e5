import Coordinates
import HunchModel
import JourneyWords

/// Links of 2GIS. Coordinates have the longitude first.
///
/// Source: 2GIS help, "Launching 2GIS navigation using deeplink"; the forms of the address bar were observed.
struct TwoGISRule: PublisherRule {
    let name = "twoGIS"
    let hosts = [
        "2gis.ru", "2gis.com", "2gis.kz", "2gis.kg", "2gis.uz", "2gis.ae", "2gis.by", "2gis.am", "2gis.az", "2gis.ge",
        "2gis.tj", "2gis.cz", "2gis.it", "2gis.cl", "2gis.com.cy", "2gis.ua",
    ]
    let schemes = ["dgis"]

    private static let modes: [String: Set<TransportMode>] = [
        "bus": TransportMode.transit, "ctx": TransportMode.transit, "bicycle": [.bike],
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let view = try link.query.text("m")?.split(separator: "/").map { String($0) } ?? []
        let middle = try view.first.map { text throws(PlaceError) in
            try PlaceText.coordinate(text, order: .longitudeFirst)
        }
        let zoom = view.count > 1 ? PlaceText.zoom(view[1]) : nil
        var words: [String] = []
        for index in link.segments.indices { words.append(try link.segment(index) ?? "") }
        func word(after name: String) -> String? {
            words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        }
        if words.contains("routeSearch") {
            return try answer(
                word(after: "to").map(Self.point), zoom: zoom, from: word(after: "from").map(Self.point),
                by: TravelWords.modes(word(after: "rsType"), special: Self.modes))
        }
        if let points = word(after: "points") {
            let ends = points.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
            return try answer(
                ends.last.flatMap(Self.pointIfAny), zoom: zoom, from: ends.count > 1 ? Self.pointIfAny(ends[0]) : nil,
                by: TravelWords.modes(word(after: "tab"), special: Self.modes), near: middle)
        }
        // "geo" and "firm" are followed by an identifier, a coordinate, or both.
        let isObject = words.contains("geo") || words.contains("firm")
        if isObject, let position = words.reversed().first(where: Self.isPair) {
            return try answer(Self.point(position), zoom: zoom)
        }
        if let text = word(after: "search"), !isObject {
            return try answer(PlaceText.item(text), zoom: zoom, near: middle)
        }
        if middle != nil { return try self.view(middle, zoom: zoom) }
        throw isObject || words.contains("gallery") ? needsNetwork(link) : Self.noPlace
    }

    private static func isPair(_ text: String) -> Bool {
        let numbers = text.split(separator: ",")
        return numbers.count == 2 && numbers.allSatisfy { DecimalNumber.value(of: $0) != nil }
    }

    /// Reads `LON,LAT`, optionally followed by a semicolon and an object's identifier.
    private static func point(_ text: String) throws(PlaceError) -> MapItem {
        MapItem(coordinate: try PlaceText.coordinate(text.prefix { $0 != ";" }, order: .longitudeFirst))
    }

    private static func pointIfAny(_ text: String) throws(PlaceError) -> MapItem? {
        text.isEmpty ? nil : try point(text)
    }
}
