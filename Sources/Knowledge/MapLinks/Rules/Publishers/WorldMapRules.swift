import Coordinates
import HunchModel

/// Links of Magic Earth: a word for the action, then fields. Source: https://www.magicearth.com/developers/
struct MagicEarthRule: PublisherRule {
    let name = "magicEarth"
    let hosts = ["magicearth.com"]
    let schemes = ["magicearth"]

    private static let actions: [(String, Set<TransportMode>)] = [
        ("drive_to", [.car]), ("walk_to", [.pedestrian]), ("bike_to", [.bike]),
        ("public_transport_to", TransportMode.transit),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        let position = try query.coordinate(latitude: ["lat"], longitude: ["lon"])
        let zoom = query.zoom("zoom")
        if let text = try query.text("q") { return try answer(PlaceText.item(text), zoom: zoom, near: position) }
        var label = try query.name("name")
        // A pin without a name has its coordinate as label, which is not a name.
        if let text = label, (try? CoordinateText.coordinate(in: text)) ?? nil != nil { label = nil }
        return try answer(
            item(label, at: position), zoom: zoom, by: Self.actions.first { query.has($0.0) }?.1 ?? [])
    }
}

/// Links of Kagi Maps; observed, undocumented. The fragment is the view.
struct KagiRule: PublisherRule {
    let name = "kagi"
    let hosts = ["kagi.com"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.pathBegins("maps") else { return nil }
        let query = link.query
        let view = MapFragment(link.fragment)
        let zoom = view?.zoom ?? query.zoom("z")
        let label = try query.name("q")
        if link.segments.last == "directions", let label {
            // NAME~LAT,LON|NAME~LAT,LON
            var ends: [MapItem?] = []
            for end in label.split(separator: "|") {
                let name = end.prefix { $0 != "~" }
                let pair = end.dropFirst(name.count + 1)
                ends.append(try item(String(name).trimmed, at: pair.isEmpty ? nil : PlaceText.coordinate(pair)))
            }
            return try answer(ends.last ?? nil, from: ends.count > 1 ? ends[0] : nil)
        }
        var position = try query.coordinate("ll")
        if let pin = try query.text("id"), pin.hasPrefix("point_") {
            position = try PlaceText.coordinate(pin.dropFirst(6), separator: "_")
        }
        if position == nil, label == nil { position = view?.coordinate }
        return try answer(item(label, at: position), zoom: zoom, near: view?.coordinate)
    }
}

/// Links of MapQuest. Source: https://developer.mapquest.com/documentation/tools/link-to-mapquest/
struct MapQuestRule: PublisherRule {
    let name = "mapQuest"
    let hosts = ["mapquest.com"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        var words: [String] = []
        for index in link.segments.indices { words.append(try link.segment(index, plusIsSpace: true) ?? "") }
        let query = link.query
        let zoom = query.zoom("zoom")
        switch words.first {
        case "latlng" where words.count > 1:
            return try answer(MapItem(coordinate: PlaceText.coordinate(words[1])), zoom: zoom)
        case "directions":
            let to = words.firstIndex(of: "to") ?? words.endIndex
            let from = words.firstIndex(of: "from") ?? to
            return try answer(
                Self.end(words[to...].dropFirst()), zoom: zoom, from: Self.end(words[min(from, to)..<to].dropFirst()))
        case "search":
            let text = try query.text("query") ?? words.dropFirst().first
            return try answer(text.flatMap { text throws(PlaceError) in try PlaceText.item(text) }, zoom: zoom)
        default: break
        }
        if let position = try query.coordinate("center") {
            return try answer(MapItem(coordinate: position), zoom: zoom)
        }
        guard let last = words.last else { throw Self.noPlace }
        guard let position = Self.position(behind: last) else { throw needsNetwork(link) }
        return try answer(MapItem(coordinate: position), zoom: zoom)
    }

    /// Returns the place of an end's words: a coordinate, an address that ends with one, or words to search for.
    private static func end(_ words: ArraySlice<String>) throws(PlaceError) -> MapItem? {
        guard let last = words.last else { return nil }
        if let position = position(behind: last) { return MapItem(coordinate: position) }
        return try PlaceText.item(words.joined(separator: ", "))
    }

    /// Returns the coordinate at the end of `2403-deerfield-dr-40.58689,-74.36194`. The hyphen before it is not a
    /// sign.
    private static func position(behind text: String) -> Coordinate? {
        guard let comma = text.lastIndex(of: ",") else { return nil }
        var start = comma
        while start > text.startIndex {
            let before = text.index(before: start)
            guard text[before].isASCII, text[before].isNumber || text[before] == "." else { break }
            start = before
        }
        // A second hyphen is the sign.
        if start > text.startIndex, text[..<start].hasSuffix("--") { start = text.index(before: start) }
        return try? PlaceText.coordinate(text[start...])
    }
}
