import Coordinates
import HunchModel
import Localization
import MapLinks

/// A coordinate in a link to an unknown host, in forms that many sites share.
///
/// The name of this rule, `link`, shows that the host is unknown. The order of two numbers is never guessed: either the
/// names of their fields decide, or the latitude comes first and both have at least three decimals. Some fields have
/// the longitude first on many sites. They are used only if just one order is valid. Otherwise the error offers both. A
/// pair in a path needs a zoom level, an `@` or a word such as “map” in the link, since it may also be two rates. Hosts
/// below `.cn` are skipped, because Chinese maps may use another datum.
///
/// A pin or the end of a route counts before everything else, wherever it appears. Many sites have the fields `lat`,
/// `lon` and `zoom` for a pin as well as for the view. They are a view if they show more than a town and have no name.
struct GenericLinkRule: LinkRule {
    let name = ParsedPlace.ruleOfUnknownSites

    private static let latitudes = ["lat", "latitude"]
    private static let longitudes = ["lon", "lng", "long", "longitude"]
    /// The beginnings of the fields of a pin: `mlat`, `markerLat`, `marker_lat`.
    private static let pinFields = ["m", "p", "pin", "marker", "poi", "place"].flatMap { [$0, $0 + "_"] }
    private static let pinLatitudes = pinFields.flatMap { pin in latitudes.map { pin + $0 } }
    private static let pinLongitudes = pinFields.flatMap { pin in longitudes.map { pin + $0 } }
    /// The beginnings of the fields of the centre of the map.
    private static let viewFields = ["center", "centre", "view", "map"].flatMap { [$0, $0 + "_"] }
    private static let viewLatitudes = viewFields.flatMap { view in latitudes.map { view + $0 } }
    private static let viewLongitudes = viewFields.flatMap { view in longitudes.map { view + $0 } }
    /// Fields of a pin or of the end of a route.
    private static let pins = ["pin", "marker", "markers", "poi", "place", "destination", "daddr", "to"]
    /// Parts of the path before a pin, with or without a name between them.
    private static let wordsBeforePin: Set<String> = ["pin", "marker", "poi", "place", "places", "destination", "to"]
    private static let pairs = ["q", "query", "latlng", "latlon", "loc", "location", "position"]
    /// Fields with the longitude first.
    private static let reversedPairs = ["lonlat", "lnglat"]
    /// Fields with the latitude first in Leaflet's maps, and with the longitude first in those of Yandex, Mapbox and
    /// OpenLayers. Only `c` has the latitude first where both orders are valid, as on most sites.
    private static let pairsInEitherOrder = ["pt", "point", "pos", "coords", "coordinates", "ll", "c", "center"]
    /// The fields of ``pairsInEitherOrder`` with the centre of the map.
    private static let centers = ["c", "center"]
    /// The fields of ``pairs`` with a search, which may also be a list of whole numbers.
    private static let searches = ["q", "query"]
    /// Words of links to maps and positions, besides those that begin or end with “map” or end with “karte”.
    private static let mapWords: Set<String> = [
        "karten", "carte", "cartes", "geo", "location", "locations", "geolocation", "standort", "spot", "place",
        "places", "lat", "latitude", "coords", "coordinates",
    ]
    private static let longitudeRange = -180.0...180.0
    private static let names = ["name", "title", "label"]
    private static let leastDecimals = 3
    /// The same of a view, whose zoom level stands before it.
    private static let leastDecimalsOfView = 2

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.isWeb, !link.host.isEmpty, !link.host.hasSuffix(".cn") else { return nil }
        if let place = try? HafasRule.unlisted.place(ofLocationsOnlyIn: link) { return place }
        let queries = [link.query, LinkQuery(link.fragmentFields)]
        guard !queries.contains(where: { $0.names.contains(where: Self.isOfAnEnd) }) else { return nil }
        let label = queries.lazy.compactMap { try? $0.name(among: Self.names) }.first
        let zoom = queries.lazy.compactMap { $0.zoom("z", "zoom") }.first
        for fields in queries {
            guard let pin = Self.position(Self.pinLatitudes, Self.pinLongitudes, in: fields) else { continue }
            return ParsedPlace(item: MapItem(name: label, coordinate: pin), rule: name, zoom: zoom)
        }
        for text in Self.textsOfPins(in: link) {
            let tag = text.firstRange(of: Self.tag)?.upperBound
            let lists = text[(tag ?? text.startIndex)...].split(separator: "|").map(Self.numbers).filter(Self.isPair)
            guard let numbers = lists.first else { continue }
            guard lists.count == 1,
                let pin = Self.pin(numbers, tag == nil ? Self.leastDecimals : Self.leastDecimalsOfView)
            else { return nil }
            return ParsedPlace(
                item: MapItem(name: label, coordinate: pin.position), rule: name, zoom: pin.zoom ?? zoom)
        }
        for fields in queries {
            guard let (position, meaning) = try Self.position(in: fields, of: link) else { continue }
            let isView = meaning == .view || meaning == .pointOrView && label == nil && MapFragment.showsRegion(zoom)
            var place = ParsedPlace(item: MapItem(name: label, coordinate: position), rule: name, zoom: zoom)
            if isView { place.uncertainty = MapFragment.radius(ofViewAt: position, zoom: zoom) }
            return place
        }
        for field in link.fragment.split(separator: "&") where Self.isExact(field) {
            if let view = MapFragment(field, wraps: false) { return try? self.view(view.coordinate, zoom: view.zoom) }
        }
        return place(in: link.segments, of: link)
            ?? place(in: link.fragment.split(separator: "/"), of: link, zoomFirst: true)
    }

    // MARK: Pins

    private static let tag = "latlon:"

    /// Returns the texts that may have a pin: fields, the path behind certain words, and what has a `latlon:` in it.
    private static func textsOfPins(in link: Link) -> [String] {
        let fields = pins.compactMap { try? link.value($0) }
        let paths = [link.segments, link.fragment.split(separator: "/")].flatMap { segments in
            segments.indices.filter { wordsBeforePin.contains(segments[$0].lowercased()) }.flatMap { index in
                (1...2).map { segments.dropFirst(index + $0).prefix(3).joined(separator: "/") }
            }
        }
        let others = link.segments + [link.fragment] + link.query.names.compactMap { link.query.raw($0) }
        return fields + paths.compactMap { try? PercentEncoding.decode($0) }
            + others.compactMap { try? PercentEncoding.decode($0) }.filter { $0.contains(tag) }
    }

    /// Returns the numbers at the beginning of a text: `59.3293,18.0686`, `59,3293;18,0686`, `12/59.3293/18.0686`.
    private static func numbers(in text: some StringProtocol) -> [Substring] {
        let list = String(text).prefix { $0.isNumber || " .,;:/+-".contains($0) }
        for separator: Character in [";", ":", "/"] {
            let numbers = list.split(separator: separator)
            if isPair(numbers) { return numbers }
        }
        return withPoints(list.prefix { $0 != "/" && $0 != ";" })
    }

    /// Returns whether a list has two numbers with decimals, unlike identifiers and dates.
    private static func isPair(_ numbers: [Substring]) -> Bool { numbers.count { decimals(of: $0) > 0 } >= 2 }

    /// Reads `LAT,LON` or `ZOOM,LAT,LON`.
    private static func pin(_ numbers: [Substring], _ least: Int) -> (position: Coordinate, zoom: Double?)? {
        if let position = exactPair(Array(numbers.prefix(2)), least) { return (position, nil) }
        guard numbers.count == 3, let zoom = zoom(numbers[0]) else { return nil }
        return exactPair(Array(numbers.suffix(2)), least).map { ($0, zoom) }
    }

    // MARK: Words

    /// Returns whether a field is the latitude of an end of a route, such as `drop_lat`.
    private static func isOfAnEnd(_ field: String) -> Bool {
        !(latitudes + pinLatitudes + viewLatitudes + reversedPairs).contains(field)
            && (field.hasSuffix("lat") || field.hasSuffix("latitude") || field.hasSuffix("lat]"))
    }

    /// Returns whether a text has a word of ``mapWords``.
    private static func isOfMap(_ text: some StringProtocol) -> Bool {
        text.lowercased().split { !$0.isLetter }.contains { word in
            word.hasPrefix("map") || word.hasSuffix("map") || word.hasSuffix("karte") || mapWords.contains(String(word))
        }
    }

    /// Returns whether the host, the path or the name of a field has a word of ``mapWords``.
    private static func isOfMap(_ link: Link) -> Bool {
        let names = link.query.names + LinkQuery(link.fragmentFields).names
        return isOfMap(link.host) || link.segments.contains { isOfMap($0) } || names.contains { isOfMap($0) }
    }

    // MARK: Fields

    /// The meaning of a position in the fields of a link.
    private enum Meaning { case point, pointOrView, view }

    private static func position(
        in fields: LinkQuery, of link: Link
    ) throws(PlaceError) -> (Coordinate, Meaning)? {
        let field = pairs.first { (try? fields.text($0)) != nil }
        if let field, let text = try? fields.text(field) {
            let mayHaveCommas = !searches.contains(field) || text.contains("-")
            if let position = exactPair(withPoints(text, mayHaveCommas: mayHaveCommas)) { return (position, .point) }
        }
        if let position = position(latitudes, longitudes, in: fields) { return (position, .pointOrView) }
        // Metres of a projection are far outside the range of degrees. Two numbers may also be a point of a plot.
        if let east = try? fields.text("x"), let north = try? fields.text("y") {
            let isView = fields.has("z", "zoom") && isOfMap(link)
            let position = exactPair([north[...], east[...]], isView ? leastDecimalsOfView : leastDecimals)
            if let position, isView || exactPair([east[...], north[...]]) == nil {
                return (position, isView ? .view : .pointOrView)
            }
        }
        guard field == nil else { return nil }
        if let text = try? fields.text(among: reversedPairs) {
            return exactPair(withPoints(text).reversed()).map { ($0, .pointOrView) }
        }
        guard let name = pairsInEitherOrder.first(where: { fields.has($0) }), let text = try? fields.text(name) else {
            return position(viewLatitudes, viewLongitudes, in: fields).map { ($0, .view) }
        }
        let meaning = centers.contains(name) ? Meaning.view : .pointOrView
        let pair = withPoints(text)
        let otherPosition = exactPair(pair.reversed())
        guard let position = exactPair(pair) else { return otherPosition.map { ($0, meaning) } }
        guard otherPosition == nil || otherPosition == position || name == "c" else {
            throw PlaceError(
                .badCoordinate,
                localized(
                    "the link does not say which number is the latitude; give %1 or %2",
                    pair.joined(separator: ",").cut(to: 40), pair.reversed().joined(separator: ",").cut(to: 40)))
        }
        return (position, meaning)
    }

    /// Returns the coordinate in two fields; `nil` unless both have degrees, and for 0,0.
    private static func position(_ latitudes: [String], _ longitudes: [String], in fields: LinkQuery) -> Coordinate? {
        guard let north = try? fields.text(among: latitudes), let east = try? fields.text(among: longitudes) else {
            return nil
        }
        // "N51.0504", "51.0504S"
        if north.contains(where: \.isLetter), east.contains(where: \.isLetter) {
            return try? CoordinateText.degrees(in: "\(north) \(east)")
        }
        guard NumberList.value(of: east).map(longitudeRange.contains) == true,
            let position = try? PlaceText.coordinate(latitude: north, longitude: east)
        else { return nil }
        return position.isNull ? nil : position
    }

    /// Returns the numbers of a field without a zoom level behind them, and with points in place of decimal commas.
    private static func withPoints(_ text: some StringProtocol, mayHaveCommas: Bool = true) -> [Substring] {
        var parts = String(text).split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed[...] }
        if mayHaveCommas, let joined = try? NumberList.joined(parts, mayHaveMore: true) { parts = joined }
        if parts.count == 3, zoom(parts[2]) != nil { parts.removeLast() }
        return parts
    }

    /// Returns the zoom level in a text such as `15` or `15.5z`. Versions and sizes have more decimals.
    private static func zoom(_ text: Substring) -> Double? {
        let level = String(text.hasSuffix("z") ? text.dropLast() : text).trimmed
        return decimals(of: level[...]) <= leastDecimalsOfView ? PlaceText.zoom(level) : nil
    }

    /// Returns the coordinate of a latitude and a longitude, both with at least three decimals; `nil` for 0,0. Four whole
    /// numbers may be anything.
    private static func exactPair(_ parts: [Substring], _ least: Int = leastDecimals) -> Coordinate? {
        let parts = parts.map { String($0).trimmed }
        guard parts.count == 2, parts.allSatisfy({ decimals(of: $0[...]) >= least }),
            NumberList.value(of: parts[1]).map(longitudeRange.contains) == true
        else { return nil }
        let position = try? PlaceText.coordinate(latitude: parts[0], longitude: parts[1])
        return position?.isNull == true ? nil : position
    }

    private static func decimals(of number: Substring) -> Int {
        guard NumberList.value(of: number) != nil, let point = number.firstIndex(where: { $0 == "." || $0 == "," })
        else { return 0 }
        return number[point...].utf8.count - 1
    }

    // MARK: Views

    /// Returns whether the latitude and longitude of a view have at least two decimals.
    private static func isExact(_ field: Substring) -> Bool {
        let view = (try? PercentEncoding.decode(field.split(separator: "=").last ?? "")) ?? ""
        let parts = view.split(separator: "/")
        return parts.count >= 3 && parts[1...2].allSatisfy { decimals(of: $0) >= leastDecimalsOfView }
    }

    /// Reads `/@LAT,LON,ZOOMz`, `/LAT,LON`, `/NAME::LAT,LON` and `/map/ZOOM/LAT/LON`.
    ///
    /// - Parameter zoomFirst: whether the zoom level may precede the pair: `15/LAT,LON`.
    private func place(in segments: [Substring], of link: Link, zoomFirst: Bool = false) -> ParsedPlace? {
        for (index, segment) in segments.enumerated() {
            if Self.isOfMap(segment) {
                let rest = segments[(index + 1)...].prefix(3).joined(separator: "/")[...]
                if Self.isExact(rest), let view = MapFragment(rest, wraps: false), view.zoom != nil {
                    return try? self.view(view.coordinate, zoom: view.zoom)
                }
            }
            guard let text = try? PercentEncoding.decode(segment), text.utf8.contains(UInt8(ascii: ",")) else {
                continue
            }
            if let item = try? PlaceText.namedPosition(text),
                Self.exactPair((text.split(separator: ":").last ?? "").split(separator: ",")) != nil
            {
                return ParsedPlace(item: item, rule: name)
            }
            let isView = text.hasPrefix("@")
            var parts = (isView ? text.dropFirst() : text[...]).split(separator: ",", omittingEmptySubsequences: false)
            var zoom: Double?
            if parts.count == 3 {
                zoom = Self.zoom(parts.removeLast())
                guard zoom != nil else { continue }
            } else if zoomFirst, index > 0 {
                zoom = Self.zoom(segments[index - 1])
            }
            guard let position = Self.exactPair(parts) else { continue }
            if isView || zoom != nil { return try? view(position, zoom: zoom) }
            return Self.isOfMap(link) ? ParsedPlace(item: MapItem(coordinate: position), rule: name) : nil
        }
        return nil
    }
}
