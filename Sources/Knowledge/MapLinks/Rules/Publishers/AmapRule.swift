import Coordinates
import HunchModel
import JourneyWords

/// Links of Amap (Gaode). Coordinates are in GCJ-02 unless the link says WGS 84.
///
/// Sources: https://lbs.amap.com/api/uri-api/ and https://lbs.amap.com/api/amap-mobile/summary/
struct AmapRule: PublisherRule {
    let name = "amap"
    let hosts = ["amap.com", "gaode.com", "autonavi.com"]
    let schemes = ["amap", "amapuri", "androidamap", "iosamap"]

    private static let modes: [String: Set<TransportMode>] = [
        "bus": TransportMode.transit, "ride": [.bike], "0": [.car], "1": TransportMode.transit, "2": [.pedestrian],
        "3": [.bike],
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        let system = try query.text("coordinate", "dev")?.lowercased() ?? ""
        return try (["wgs84", "1"].contains(system) ? ChinaDatum.wgs84 : .gcj02).wgs84(place(link, query))
    }

    private func place(_ link: Link, _ query: LinkQuery) throws(PlaceError) -> ParsedPlace {
        let modes = TravelWords.modes(try query.text("mode", "type", "t"), special: Self.modes)
        if let end = try Self.end(query, pair: ["to", "to[lnglat]"], ("dlat", "dlon"), ["to[name]", "dname"]) {
            let start = try Self.end(query, pair: ["from", "from[lnglat]"], ("slat", "slon"), ["from[name]", "sname"])
            return try answer(end, from: start, by: modes)
        }
        if let pin = try query.text("position") {
            return try answer(
                item(query.name("name"), at: PlaceText.coordinate(pin, order: .longitudeFirst)))
        }
        if let pins = try query.text("markers")?.prefix(while: { $0 != "|" }) {
            return try answer(Self.pair(String(pins)))
        }
        // "ID,LAT,LON,NAME,ADDRESS", and "LAT,LON,NAME": shared links have the latitude first.
        for (field, skipped) in [("p", 1), ("q", 0)] {
            guard let text = try query.text(among: [field]) else { continue }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).dropFirst(skipped).map {
                String($0)
            }
            guard parts.count >= 2 else { break }
            let label = parts.count > 2 ? try PlaceText.name(parts[2].trimmed) : nil
            return try answer(
                MapItem(
                    name: label, coordinate: try PlaceText.coordinate(latitude: parts[0], longitude: parts[1])))
        }
        let isNavigation = ["navi", "keywordnavi"].contains(link.authority.lowercased())
        if let position = try query.coordinate(latitude: ["lat"], longitude: ["lon"]) {
            return try answer(item(query.name("poiname"), at: position), by: isNavigation ? [.car] : [])
        }
        if let text = try query.text("keyword", "keywords", "query") {
            let middle = try query.text("center").map { text throws(PlaceError) in
                try PlaceText.coordinate(text, order: .longitudeFirst)
            }
            return try answer(PlaceText.item(text), by: isNavigation ? [.car] : [], near: middle)
        }
        let isShort = link.host.hasPrefix("surl.")
        throw isShort || link.pathBegins("place") || query.has("poiid") ? needsNetwork(link) : Self.noPlace
    }

    private static func end(
        _ query: LinkQuery, pair fields: [String], _ numbers: (latitude: String, longitude: String), _ names: [String]
    ) throws(PlaceError) -> MapItem? {
        let label = try query.name(among: names).flatMap { PlaceText.isHere($0) ? nil : $0 }
        if let text = try query.text(among: fields) {
            var item = try pair(text)
            item.name = label ?? item.name
            return item
        }
        if let position = try query.coordinate(latitude: [numbers.latitude], longitude: [numbers.longitude]) {
            return MapItem(name: label, coordinate: position)
        }
        return label.map { MapItem(query: $0) }
    }

    /// `LON,LAT[,NAME]`.
    private static func pair(_ text: String) throws(PlaceError) -> MapItem {
        let parts = text.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
        let label = parts.count > 2 ? try PlaceText.name(String(parts[2]).trimmed) : nil
        return MapItem(name: label, coordinate: try PlaceText.coordinate(text, order: .longitudeFirst))
    }
}
