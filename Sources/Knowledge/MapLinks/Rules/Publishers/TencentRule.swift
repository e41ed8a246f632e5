import Coordinates
import HunchModel
import JourneyWords

/// Links of Tencent's maps. Coordinates are in GCJ-02 unless `coord_type=1` says WGS 84.
///
/// Source: https://lbs.qq.com/webApi/uriV1/uriGuide/uriOverview
struct TencentRule: PublisherRule {
    let name = "tencent"
    let hosts = ["map.qq.com"]
    let schemes = ["qqmap", "sosomap"]

    private static let modes: [String: Set<TransportMode>] = ["bus": TransportMode.transit]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let isWGS84 = try link.query.text("coord_type") == "1"
        return try (isWGS84 ? ChinaDatum.wgs84 : .gcj02).wgs84(place(link, link.query))
    }

    private func place(_ link: Link, _ query: LinkQuery) throws(PlaceError) -> ParsedPlace {
        if query.has("to", "tocoord") {
            func end(_ name: String, _ pair: String) throws(PlaceError) -> MapItem? {
                let label = try query.name(among: [name]).flatMap { PlaceText.isHere($0) ? nil : $0 }
                let text = try query.text(among: [pair]).flatMap { PlaceText.isHere($0) ? nil : $0 }
                return try item(label, at: text.map { text throws(PlaceError) in try PlaceText.coordinate(text) })
            }
            return try answer(
                end("to", "tocoord"), from: end("from", "fromcoord"),
                by: TravelWords.modes(query.text("type"), special: Self.modes))
        }
        if let marker = try query.text("marker") {
            var parts: [Substring: Substring] = [:]
            for part in marker.prefix(while: { $0 != "|" }).split(separator: ";") {
                let name = part.prefix { $0 != ":" }
                parts[name] = part.dropFirst(name.count + 1)
            }
            return try answer(
                item(
                    parts["title"].map { String($0).trimmed },
                    at: parts["coord"].map { text throws(PlaceError) in try PlaceText.coordinate(text) }))
        }
        if let position = try query.coordinate("coord") { return try answer(MapItem(coordinate: position)) }
        if let position = try query.coordinate(latitude: ["pointy"], longitude: ["pointx"]) {
            return try answer(item(query.name("name"), at: position))
        }
        if let text = try query.text("keyword") {
            return try answer(PlaceText.item(text), near: query.coordinate("center"))
        }
        throw query.has("l", "uid", "id") ? needsNetwork(link) : Self.noPlace
    }
}
