import Coordinates
import HunchModel
import JourneyWords

/// Links of KakaoMap: `map.kakao.com/link/…`, app links, and the address bar, whose numbers are 2.5 times the metres
/// of EPSG:5181.
///
/// Sources: https://apis.map.kakao.com/web/guide and https://apis.map.kakao.com/ios_v2/docs/getting-started/urlscheme;
/// the address bar's links were observed.
struct KakaoRule: PublisherRule {
    let name = "kakao"
    let hosts = ["map.kakao.com", "map.daum.net"]
    let schemes = ["kakaomap", "daummaps"]

    private static let modes: [String: Set<TransportMode>] = [
        "traffic": TransportMode.transit, "publictransit": TransportMode.transit, "subway": [.subway],
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        if link.host == "place.map.kakao.com" { throw needsNetwork(link) }
        if link.pathBegins("link") { return try place(ofShared: link) }
        let action =
            link.isWeb ? (link.pathBegins("scheme") ? try link.segment(1) : nil) : String(link.authority)
        guard let action else { return try place(ofAddressBar: link) }
        let query = link.query
        switch action.lowercased() {
        case "look", "roadview": return try answer(query.coordinate("p").map { MapItem(coordinate: $0) })
        case "search": return try answer(query.text("q").map { MapItem(query: $0) }, near: query.coordinate("p"))
        case "route":
            return try answer(
                query.item("ep"), from: query.item("sp"), by: TravelWords.modes(query.text("by"), special: Self.modes))
        case "place": throw needsNetwork(link)
        default: throw Self.noPlace
        }
    }

    /// Reads `/link/map/NAME,LAT,LNG`, `/link/to/END/from/START` and `/link/by/MODE/START/…/END`.
    private func place(ofShared link: Link) throws(PlaceError) -> ParsedPlace {
        var words: [String] = []
        for index in link.segments.indices.dropFirst() { words.append(try link.segment(index) ?? "") }
        func end(_ text: String?) throws(PlaceError) -> MapItem? {
            guard let text, !text.isEmpty else { return nil }
            guard !text.allSatisfy(\.isNumber) else { throw needsNetwork(link) }
            return try Self.point(text)
        }
        switch words.first {
        case "map", "roadview": return try answer(end(words.dropFirst().first))
        case "search": return try answer(words.dropFirst().first.map { MapItem(query: $0) })
        case "to", "from":
            func point(after word: String) throws(PlaceError) -> MapItem? {
                guard let index = words.firstIndex(of: word), index + 1 < words.count else { return nil }
                return try end(words[index + 1])
            }
            return try answer(point(after: "to"), from: point(after: "from"))
        case "by" where words.count >= 3:
            let modes = TravelWords.modes(words[1], special: Self.modes)
            // In links to stations, the region precedes them.
            let points = words.dropFirst(words[1] == "subway" ? 3 : 2)
            return try answer(end(points.last), from: points.count > 1 ? end(points.first) : nil, by: modes)
        default: throw Self.noPlace
        }
    }

    /// Reads `NAME,LAT,LNG`. The last two fields are the numbers; the name may contain commas.
    private static func point(_ text: String) throws(PlaceError) -> MapItem {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count >= 2, DecimalNumber.value(of: String(parts[parts.count - 1]).trimmed) != nil else {
            return MapItem(query: try PlaceText.name(text))
        }
        let label = parts.dropLast(2).joined(separator: ",")
        return MapItem(
            name: try PlaceText.name(label),
            coordinate: try PlaceText.coordinate(parts.suffix(2).joined(separator: ",")))
    }

    private func place(ofAddressBar link: Link) throws(PlaceError) -> ParsedPlace {
        let query = link.query
        let middle = try Self.position(query.text("urlx"), query.text("urly"))
        var ends: [Coordinate?] = [
            try Self.position(query.text("sx"), query.text("sy")),
            try Self.position(query.text("ex"), query.text("ey")),
        ]
        if let route = try query.text("rt")?.split(separator: ",", omittingEmptySubsequences: false).map({ String($0) })
        {
            let points = stride(from: 0, to: route.count - 1, by: 2).map { Array(route[$0...($0 + 1)]) }
            if let first = points.first { ends[0] = try Self.position(first[0], first[1]) }
            if points.count > 1, let last = points.last { ends[1] = try Self.position(last[0], last[1]) }
        }
        if let end = try item(query.name("ename", "rt2"), at: ends[1]) {
            return try answer(end, from: item(query.name("sname", "rt1"), at: ends[0]), near: middle)
        }
        if let text = try query.name("q") {
            // With a place identifier, the words are its name.
            let isPlace = query.has("itemid", "srcid")
            return try answer(
                isPlace && middle != nil ? MapItem(name: text, coordinate: middle) : MapItem(query: text), near: middle)
        }
        if middle != nil { return try view(middle) }
        throw query.has("itemid", "srcid") ? needsNetwork(link) : Self.noPlace
    }

    private static func position(_ x: String?, _ y: String?) throws(PlaceError) -> Coordinate? {
        guard let x = x.flatMap({ DecimalNumber.value(of: $0) }), let y = y.flatMap({ DecimalNumber.value(of: $0) })
        else {
            return nil
        }
        // Some sites write degrees.
        if abs(x) <= 180 { return try PlaceText.coordinate(y, x) }
        let place = projection.degrees(easting: x / 2.5, northing: y / 2.5)
        return try PlaceText.coordinate(place.latitude, place.longitude)
    }

    /// EPSG:5181.
    private static let projection = TransverseMercator(
        .grs80, scale: 1, latitude: 38, longitude: 127, falseEasting: 200_000, falseNorthing: 500_000)
}
