import Coordinates
import HunchModel
import JourneyWords
import Localization

/// Links of Baidu Maps. Coordinates are in BD-09 unless the link says otherwise. The address bar has metres of
/// Baidu's own projection.
///
/// Source: https://lbsyun.baidu.com/faq/api?title=webapi/uri; the address bar's links were observed.
struct BaiduRule: PublisherRule {
    let name = "baidu"
    let hosts = ["map.baidu.com", "baidu.com"]
    let schemes = ["baidumap", "bdapp", "bdmap"]

    private static let modes: [String: Set<TransportMode>] = ["riding": [.bike]]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard !link.isWeb || link.isWithin("map.baidu.com") || link.pathBegins("map") else { return nil }
        let query = link.query
        let datum: ChinaDatum =
            switch try query.text("coord_type")?.lowercased() {
            case "gcj02": .gcj02
            case "wgs84": .wgs84
            default: .bd09
            }
        return try datum.wgs84(place(link, query, isMetres: query.text("coord_type") == "bd09mc"))
    }

    private func place(_ link: Link, _ query: LinkQuery, isMetres: Bool) throws(PlaceError) -> ParsedPlace {
        if let view = link.segments.first(where: { $0.hasPrefix("@") }) { return try place(ofView: view, link) }
        let zoom = query.zoom("zoom")
        func position(_ text: String) throws(PlaceError) -> Coordinate {
            guard isMetres else { return try PlaceText.coordinate(text) }
            let numbers = text.split(separator: ",").compactMap { DecimalNumber.value(of: String($0).trimmed) }
            guard numbers.count == 2 else { return try PlaceText.coordinate(text) }
            // In China, the easting always exceeds the northing.
            return try BaiduMercator.position(x: max(numbers[0], numbers[1]), y: min(numbers[0], numbers[1]))
        }
        func position(in fields: String...) throws(PlaceError) -> Coordinate? {
            guard let text = try query.text(among: fields) else { return nil }
            return try position(text)
        }
        if let destination = try query.text("destination") {
            func end(_ text: String) throws(PlaceError) -> MapItem? {
                let parts = BaiduEnd(text)
                if let pair = parts.position { return MapItem(name: parts.name, coordinate: try position(pair)) }
                return try parts.name.flatMap { name throws(PlaceError) in try PlaceText.item(name) }
            }
            let start = try query.text("origin").flatMap { text throws(PlaceError) in try end(text) }
            return try answer(
                end(destination), from: start, by: TravelWords.modes(query.text("mode"), special: Self.modes))
        }
        let isNavigation = link.segments.last == "navi"
        if let text = try query.text("query"), !isNavigation {
            return try answer(PlaceText.item(text), zoom: zoom, near: position(in: "location"))
        }
        let label = try query.name("title", "name", "query")
        if let place = try position(in: "location", "latlng", "center") {
            return try answer(item(label, at: place), zoom: zoom, by: isNavigation ? [.car] : [])
        }
        if let text = try query.text("address", "wd") { return try answer(PlaceText.item(text), zoom: zoom) }
        throw link.host.hasPrefix("j.") || query.has("poishareuid", "uid") ? needsNetwork(link) : Self.noPlace
    }

    /// Reads `/poi/NAME/@X,Y,ZOOMz`, `/search/TEXT/@…` and `/dir/FROM/TO/@…`.
    private func place(ofView view: Substring, _ link: Link) throws(PlaceError) -> ParsedPlace {
        let parts = try PercentEncoding.decode(view.dropFirst()).split(separator: ",")
        guard parts.count >= 2, let x = DecimalNumber.value(of: parts[0]), let y = DecimalNumber.value(of: parts[1])
        else {
            throw PlaceError(
                .badCoordinate,
                localized("“%1” in the link is not a position on Baidu's map", view.cut(to: 40).singleSpaced))
        }
        let middle = try BaiduMercator.position(x: x, y: y)
        let zoom = parts.count > 2 ? PlaceText.zoom(parts[2].hasSuffix("z") ? parts[2].dropLast() : parts[2]) : nil
        switch link.segments[0].lowercased() {
        case "poi": return try answer(item(link.segment(1, plusIsSpace: true), at: middle), zoom: zoom)
        case "search":
            let text = try link.segment(1, plusIsSpace: true) ?? ""
            return try answer(PlaceText.item(text), zoom: zoom, near: middle)
        case "dir" where link.segments.count > 3:
            return try answer(
                PlaceText.item(link.segment(2, plusIsSpace: true) ?? ""), zoom: zoom,
                from: PlaceText.item(link.segment(1, plusIsSpace: true) ?? ""), near: middle)
        default: return try self.view(middle, zoom: zoom)
        }
    }
}

/// An end of a Baidu route: `LAT,LNG`, words, or `latlng:LAT,LNG|name:WORDS` in either order.
private struct BaiduEnd {
    var position: String?
    var name: String?

    init(_ text: String) {
        for part in text.split(separator: "|") {
            if part.hasPrefix("latlng:") {
                position = String(part.dropFirst(7)).trimmed
            } else if part.hasPrefix("name:") || part.hasPrefix("name=") {
                name = String(part.dropFirst(5)).trimmed
            } else if DecimalNumber.value(of: part.prefix { $0 != "," }) != nil, part.contains(",") {
                position = String(part).trimmed
            } else {
                let words = String(part).trimmed
                // "{{我的位置}}" is the user's own position.
                if !words.hasPrefix("{{") { name = words }
            }
        }
    }
}
