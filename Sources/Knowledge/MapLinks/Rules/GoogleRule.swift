package import Coordinates
import HunchModel
import JourneyWords
import Localization

/// Links of Google Maps: Maps URLs, links of the address bar, embedded maps, and app links.
///
/// Sources: Google's "Maps URLs", "Google Maps Intents for Android", "Google Maps URL Scheme for iOS" and "Maps Embed
/// API" guides. The address bar's links and the older parameters (`q`, `ll`, `saddr`, `daddr`, …) are undocumented
/// and are read as Google Maps reads them. The maps under google.cn use GCJ-02.
package struct GoogleRule: LinkRule {
    package let name = "google"

    package func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        switch link.scheme {
        case "http", "https":
            guard Self.isMaps(link) else { return try place(ofSearch: link) }
            let isChinese = link.isWithin("google.cn", "ditu.google.com")
            return try (isChinese ? ChinaDatum.gcj02 : .wgs84).wgs84(place(ofWeb: link))
        case "google.navigation", "google.streetview", "comgooglemaps", "comgooglemaps-x-callback":
            return try place(ofFields: link)
        case "comgooglemapsurl":
            return try place(ofWeb: link)
        default: return nil
        }
    }

    private static func isMaps(_ link: Link) -> Bool {
        if link.host == "maps.googleapis.com" || link.host == "earth.google.com" { return true }
        if link.isWithin("ditu.google.cn", "ditu.google.com") { return true }
        guard let isMapsHost = isGoogle(link.host) else { return false }
        return isMapsHost || link.pathBegins("maps") || link.pathBegins("local")
    }

    /// Returns whether a host of Google begins with `maps.`; `nil` for other hosts. Google's hosts are `google.TLD`,
    /// `google.co.TLD` and `google.com.TLD`, with or without `maps.`.
    package static func isGoogle(_ host: String) -> Bool? {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)[...]
        let isMapsHost = labels.first == "maps"
        if isMapsHost { labels = labels.dropFirst() }
        guard labels.popFirst() == "google" else { return nil }
        let isTopLevel = labels.count == 1 || labels.count == 2 && ["co", "com"].contains(labels.first)
        guard isTopLevel, labels.allSatisfy({ (2...3).contains($0.utf8.count) }) else { return nil }
        return isMapsHost
    }

    /// Returns the coordinate in a search of Google's web search. A search for words is not a place.
    private func place(ofSearch link: Link) throws(PlaceError) -> ParsedPlace? {
        guard Self.isGoogle(link.host) != nil, link.segments.isEmpty || link.pathBegins("search"),
            let text = try link.query.text("q")
        else { return nil }
        guard let position = try CoordinateText.coordinate(in: text) else {
            throw PlaceError(
                .unsupportedLink,
                localized(
                    "the link searches the web for “%1”; give these words alone if they name a place", text.cut(to: 80))
            )
        }
        return try answer(MapItem(coordinate: position))
    }

    private func place(ofWeb link: Link) throws(PlaceError) -> ParsedPlace {
        var path = link.segments.map(Self.plain)[...]
        for word in ["maps", "web", "preview"] where path.first?.lowercased() == word { path = path.dropFirst() }
        // After the texts of the places come the view and fields such as "data=…" and "am=t".
        let words = path.dropFirst().prefix { !$0.hasPrefix("@") && !$0.hasPrefix("data=") && !$0.hasPrefix("am=") }
        let view = GoogleView(path)
        switch path.first?.lowercased() {
        case "place": return try place(words, view, path, link)
        case "search": return try search(words, view, link)
        case "dir": return try route(words, view, path, link)
        case "embed": return try embedded(path.dropFirst(), link)
        default:
            guard let position = try view?.coordinate else { return try place(ofFields: link) }
            // In street view, the coordinate is that of the camera.
            if view?.isStreet == true { return try answer(MapItem(coordinate: position)) }
            return try self.view(position, zoom: view?.zoom, radius: view?.radius)
        }
    }

    /// Reads `/place/NAME/@VIEW/data=…`. Only the data has the place's own coordinate.
    private func place(
        _ words: ArraySlice<Substring>, _ view: GoogleView?, _ path: ArraySlice<Substring>, _ link: Link
    ) throws(PlaceError) -> ParsedPlace {
        let text = try words.first.flatMap { word throws(PlaceError) in try Self.text(word) }
        var item = try text.flatMap { text throws(PlaceError) in try Self.target(text) }
        let data = try Self.data(path)
        if let position = data?.placePosition {
            // The name of a dropped pin is its rounded coordinate, so the item has no query and the pin no name.
            item = MapItem(
                name: item?.query,
                coordinate: try PlaceText.coordinate(latitude: position.latitude, longitude: position.longitude))
        } else if let view, item?.coordinate == nil {
            let position = try view.coordinate
            // A region says little about the place. A closer view is centred on it.
            if item != nil, MapFragment.showsRegion(view.zoom) {
                return try answer(item, zoom: view.zoom, near: position)
            }
            var place = try answer(MapItem(name: item?.query, coordinate: position), zoom: view.zoom)
            place.uncertainty = view.radius ?? view.zoom.map { MapFragment.radius(ofViewAt: position, zoom: $0) }
            return place
        }
        guard item != nil else {
            if data != nil { throw needsNetwork(link) }
            return try place(ofFields: link)
        }
        return try answer(item, zoom: view?.zoom)
    }

    /// Reads `/search/TEXT/@VIEW`. The view is the area of the search.
    private func search(
        _ words: ArraySlice<Substring>, _ view: GoogleView?, _ link: Link
    ) throws(PlaceError) -> ParsedPlace {
        let text = try words.first.flatMap { word throws(PlaceError) in try Self.text(word) }
        guard let text else {
            guard let position = try view?.coordinate else { return try place(ofFields: link) }
            return try answer(MapItem(coordinate: position), zoom: view?.zoom)
        }
        return try answer(Self.target(text), zoom: view?.zoom, near: try? view?.coordinate)
    }

    /// Reads `/dir/FROM/VIA/TO/@VIEW/data=…`. The data has the coordinates of the names in the path.
    private func route(
        _ words: ArraySlice<Substring>, _ view: GoogleView?, _ path: ArraySlice<Substring>, _ link: Link
    ) throws(PlaceError) -> ParsedPlace {
        guard !words.isEmpty else { return try place(ofFields: link) }
        let directions = try Self.data(path)?.root.message("4", "4")
        let points = directions?.messages("1") ?? []
        func item(_ index: Int) throws(PlaceError) -> MapItem? {
            let text = try Self.text(words[words.startIndex + index])
            let named = try text.flatMap { text throws(PlaceError) in try Self.target(text) }
            guard named?.coordinate == nil, points.count == words.count,
                let position = try points[index].message("2")?.coordinate(latitude: "2", longitude: "1")
            else { return named }
            return MapItem(name: named?.query, coordinate: position)
        }
        var stops: [String] = []
        for word in words.dropFirst().dropLast() { if let text = try Self.text(word) { stops.append(text) } }
        var place = try answer(
            item(words.count - 1), zoom: view?.zoom, from: words.count > 1 ? item(0) : nil, via: stops,
            by: GoogleData.modes(directions?.value("3", "e")), near: try? view?.coordinate)
        let options = directions?.message("2")
        place.time = JourneyTime.time(ofClock: options?.value("8", "j"), isArrival: options?.value("6", "e") == "1")
        return place
    }

    // MARK: Texts

    /// Returns a part of the path with the `=` of `data=…` decoded, since redirection pages encode it.
    private static func plain(_ segment: Substring) -> Substring {
        guard segment.cut(toBytes: 7).lowercased() == "data%3d" else { return segment }
        return "data=" + segment.dropFirst(7)
    }

    static func data(_ path: ArraySlice<Substring>) throws(PlaceError) -> GoogleData? {
        guard let data = path.first(where: { $0.hasPrefix("data=") }) else { return nil }
        return GoogleData(try PercentEncoding.decode(data.dropFirst(5)))
    }

    /// Returns a part of the path. The address bar writes coordinates without a place as `'…'`, and nothing as `''`.
    private static func text(_ segment: Substring) throws(PlaceError) -> String? {
        let text = try PercentEncoding.decode(segment, plusIsSpace: true).singleSpaced
        let isQuoted = text.utf8.count >= 2 && text.hasPrefix("'") && text.hasSuffix("'")
        let inside = isQuoted ? String(text.dropFirst().dropLast()).trimmed : text
        return inside.isEmpty ? nil : inside
    }

    /// Reads a target: `loc:LAT,LON`, `LABEL@LAT,LON`, or a form of ``PlaceText``.
    static func target(_ text: String) throws(PlaceError) -> MapItem? {
        if text.lowercased().hasPrefix("loc:") { return try PlaceText.item(String(text.dropFirst(4)).trimmed) }
        if let mark = text.lastIndex(of: "@"),
            let coordinate = try CoordinateText.coordinate(in: text[text.index(after: mark)...])
        {
            return MapItem(name: try PlaceText.name(String(text[..<mark]).singleSpaced), coordinate: coordinate)
        }
        return try PlaceText.item(text)
    }
}

/// The view in Google's path: `@LAT,LON,15z`, `@LAT,LON,500m` from the air, or `@LAT,LON,3a,75y,…` in street view.
struct GoogleView {
    private let parts: [Substring]

    init?(_ path: ArraySlice<Substring>) {
        guard let view = path.first(where: { $0.hasPrefix("@") && $0.count > 1 }) else { return nil }
        parts = view.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
    }

    /// The centre of the map.
    var coordinate: Coordinate {
        get throws(PlaceError) {
            let numbers = try NumberList.joined(parts, mayHaveMore: true)
            return try PlaceText.coordinate(numbers.prefix(2).joined(separator: ";"), separator: ";", wraps: true)
        }
    }

    /// Half the extent of an aerial view in metres: `m` is the height of the view, `d` the distance of the camera.
    var radius: Double? { (number("m") ?? number("d")).map { max(1, $0 / 2) } }

    /// Whether it is a street view, which has an angle and no extent.
    var isStreet: Bool { number("y") != nil && radius == nil && zoom == nil }

    /// Returns the number followed by a letter.
    private func number(_ letter: String) -> Double? {
        parts.dropFirst(2).first { $0.hasSuffix(letter) }.flatMap { DecimalNumber.value(of: $0.dropLast()) }
    }

    var zoom: Double? { parts.dropFirst(2).first { $0.hasSuffix("z") }.flatMap { PlaceText.zoom($0.dropLast()) } }
}
