import Coordinates
import HunchModel
import JourneyWords

/// Links of Naver Maps: app links, and web links, whose coordinates are metres of EPSG:3857 with the easting first.
///
/// Source: https://guide.ncloud-docs.com/docs/maps-url-scheme; the web's links were observed.
struct NaverRule: PublisherRule {
    let name = "naver"
    let hosts = ["map.naver.com"]
    let schemes = ["nmap"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        if !link.isWeb { return try place(ofApp: link, query) }
        let view = try NaverView(query.text("c"))
        var words: [String] = []
        for index in link.segments.indices { words.append(try link.segment(index) ?? "") }
        if let directions = words.firstIndex(of: "directions") {
            var points = link.segments[(directions + 1)...].map { $0 == "-" ? nil : $0 as Substring? }
            let mode = words.last
            if !points.isEmpty { points.removeLast() }
            let start = points.isEmpty ? nil : points.removeFirst()
            return try answer(
                Self.point(points.compactMap(\.self).first), zoom: view.zoom, from: Self.point(start),
                by: TravelWords.modes(mode), near: view.middle)
        }
        // Older links, of index.nhn, have a field for each part of a route.
        if query.has("elng", "elat", "etext") {
            let start = try query.coordinate(latitude: ["slat"], longitude: ["slng"])
            let end = try query.coordinate(latitude: ["elat"], longitude: ["elng"])
            return try answer(item(query.name("etext"), at: end), from: item(query.name("stext"), at: start))
        }
        let named = try query.coordinate(latitude: ["lat"], longitude: ["lng"])
        if let search = words.firstIndex(of: "search"), search + 1 < words.count {
            return try answer(PlaceText.item(words[search + 1]), zoom: view.zoom, near: named ?? view.middle)
        }
        if named != nil {
            return try answer(item(query.name("title", "pintitle"), at: named), zoom: view.zoom)
        }
        if let middle = view.middle { return try self.view(middle, zoom: view.zoom) }
        if let text = try query.text("query") { return try answer(PlaceText.item(text), zoom: view.zoom) }
        throw words.contains("place") || words.contains("entry") ? needsNetwork(link) : Self.noPlace
    }

    private func place(ofApp link: Link, _ query: LinkQuery) throws(PlaceError) -> ParsedPlace {
        let zoom = query.zoom("zoom")
        let end = try item(query.name("dname"), at: query.coordinate(latitude: ["dlat"], longitude: ["dlng"]))
        let source = try item(query.name("sname"), at: query.coordinate(latitude: ["slat"], longitude: ["slng"]))
        if end != nil || source != nil {
            let modes: Set<TransportMode> =
                link.authority == "navigation" ? [.car] : TravelWords.modes(try link.segment(0))
            return try answer(end, from: source, by: modes)
        }
        if let text = try query.text("query") { return try answer(PlaceText.item(text), zoom: zoom) }
        return try answer(
            item(query.name("name"), at: query.coordinate(latitude: ["lat"], longitude: ["lng"])), zoom: zoom)
    }

    /// Reads `X,Y,NAME,ID,TYPE`, or words. The numbers of newer links have an unpublished encoding.
    private static func point(_ segment: Substring?) throws(PlaceError) -> MapItem? {
        guard let segment else { return nil }
        // Commas in the name are encoded.
        var parts: [String] = []
        for part in segment.split(separator: ",", omittingEmptySubsequences: false) {
            parts.append(try PercentEncoding.decode(part).singleSpaced)
        }
        guard parts.count >= 3 else { return try PlaceText.item(parts.joined(separator: ", ")) }
        let label = try PlaceText.name(parts[2])
        guard let x = DecimalNumber.value(of: parts[0]), let y = DecimalNumber.value(of: parts[1]) else {
            return label.map { MapItem(query: $0) }
        }
        return MapItem(name: label, coordinate: try NaverView.position(x, y))
    }
}

/// The view in the field `c` of Naver's web links: `X,Y,ZOOM,…`, or `ZOOM,0,0,0,dh` without a centre.
private struct NaverView {
    var middle: Coordinate?
    var zoom: Double?

    init(_ text: String?) throws(PlaceError) {
        let parts = text?.split(separator: ",") ?? []
        guard parts.count >= 3, let x = DecimalNumber.value(of: parts[0]), let y = DecimalNumber.value(of: parts[1])
        else { return }
        if y == 0 {
            zoom = PlaceText.zoom(parts[0])
        } else {
            middle = try Self.position(x, y)
            zoom = PlaceText.zoom(parts[2])
        }
    }

    /// Returns the coordinate of metres, or of degrees as some sites write them.
    static func position(_ x: Double, _ y: Double) throws(PlaceError) -> Coordinate {
        if abs(x) <= 180 { return try PlaceText.coordinate(y, x) }
        let place = WebMercator.degrees(x: x, y: y)
        return try PlaceText.coordinate(place.latitude, place.longitude)
    }
}
