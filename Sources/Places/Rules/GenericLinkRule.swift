import HunchModel
import Localization

/// A coordinate in a link to an unknown host, in forms that many sites share.
///
/// The name of this rule, `link`, shows that the host is unknown. The order of two numbers is never guessed: either the
/// names of their fields tell, or the latitude comes first and both have at least three decimals. Some fields have the
/// longitude first on many sites. They are used only if just one order is valid. Otherwise the error offers both. A
/// pair in a path needs a zoom level, an `@` or a word such as “map” in the link, since it may also be two rates. Hosts
/// below `.cn` are skipped, because Chinese maps may use another datum.
struct GenericLinkRule: LinkRule {
    let name = ParsedPlace.ruleOfUnknownSites

    private static let latitudes = ["mlat", "lat", "latitude"]
    private static let longitudes = ["mlon", "lon", "lng", "long", "longitude"]
    private static let pairs = [
        "pin", "marker", "q", "query", "latlng", "latlon", "loc", "location", "destination", "daddr", "position",
    ]
    /// Fields with the longitude first.
    private static let reversedPairs = ["lonlat", "lnglat"]
    /// Fields with the latitude first in Leaflet's maps, and with the longitude first in those of Yandex, Mapbox and
    /// OpenLayers. Only `c` has the latitude first where both orders are valid, as on most sites.
    private static let pairsInEitherOrder = ["ll", "c", "pt", "point", "pos", "center", "coords", "coordinates"]
    /// The fields of ``pairs`` with a search, which may also be a list of whole numbers.
    private static let searches = ["q", "query"]
    /// Words of links to maps and positions, besides those that begin or end with “map” or end with “karte”.
    private static let mapWords: Set<String> = [
        "karten", "carte", "cartes", "geo", "location", "locations", "geolocation", "standort", "spot", "place",
        "lat", "latitude", "coords", "coordinates",
    ]
    private static let longitudeRange = -180.0...180.0
    private static let names = ["name", "title", "label"]
    private static let leastDecimals = 3
    /// The same of a view, whose zoom level stands before it.
    private static let leastDecimalsOfView = 2

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard link.isWeb, !link.host.isEmpty, !link.host.hasSuffix(".cn") else { return nil }
        if let place = try? HafasRule(name: "hafas", hosts: []).place(ofLocationsOnlyIn: link) { return place }
        for fields in [link.query, LinkQuery(link.fragmentFields)] where !fields.isEmpty {
            if fields.names.contains(where: { Self.isOfAnEnd($0) }) { return nil }
            guard let position = try Self.position(in: fields, of: link) else { continue }
            let label = try? fields.name(among: Self.names)
            return ParsedPlace(
                item: MapItem(name: label ?? nil, coordinate: position), rule: name, zoom: fields.zoom("z", "zoom"))
        }
        let fragment = Self.decoded(link.fragment)
        for field in fragment.split(separator: "&") where Self.isExact(field) {
            if let view = MapFragment(field) { return try? self.view(view.coordinate, zoom: view.zoom) }
        }
        return place(in: link.segments, of: link)
            ?? place(in: fragment.split(separator: "/"), of: link, zoomFirst: true) ?? tagged(link)
    }

    /// Reads `latlon:LAT:LON` anywhere in a link.
    private func tagged(_ link: Link) -> ParsedPlace? {
        let texts = link.segments + [link.fragment] + link.query.names.compactMap { link.query.raw($0) }
        for text in texts {
            guard let text = try? PercentEncoding.decode(text), let tag = text.firstRange(of: "latlon:") else {
                continue
            }
            let numbers = text[tag.upperBound...].prefix { $0.isNumber || ".:-+".contains($0) }.split(separator: ":")
            guard numbers.count == 2, let position = Self.exactPair(numbers.joined(separator: ","), 2) else { continue }
            return ParsedPlace(item: MapItem(coordinate: position), rule: name)
        }
        return nil
    }

    /// Returns a fragment that is encoded as a whole, decoded.
    private static func decoded(_ fragment: Substring) -> Substring {
        fragment.contains("/") ? fragment : ((try? PercentEncoding.decode(fragment)) ?? "")[...]
    }

    /// Returns whether a field is the latitude of an end of a route, such as `drop_lat`.
    private static func isOfAnEnd(_ field: String) -> Bool {
        !(latitudes + reversedPairs).contains(field)
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

    private static func position(in fields: LinkQuery, of link: Link) throws(PlaceError) -> Coordinate? {
        if let position = try? fields.coordinate(latitude: latitudes, longitude: longitudes) {
            let east = (try? fields.text(among: longitudes)).flatMap { NumberList.value(of: $0) }
            guard let east, longitudeRange.contains(east) else { return nil }
            return position.isNull ? nil : position
        }
        // "N51.0504", "51.0504S"
        if let north = try? fields.text(among: latitudes), let east = try? fields.text(among: longitudes),
            north.contains(where: \.isLetter), east.contains(where: \.isLetter),
            let position = try? CoordinateText.degrees(in: "\(north) \(east)")
        {
            return position
        }
        // Metres of a projection are far outside the range of degrees. Two numbers may also be a point of a plot.
        if let east = try? fields.text("x"), let north = try? fields.text("y") {
            let isView = fields.has("z", "zoom") && isOfMap(link)
            let position = exactPair("\(north),\(east)", isView ? leastDecimalsOfView : leastDecimals)
            if let position, isView || exactPair("\(east),\(north)") == nil { return position }
        }
        for name in pairs {
            guard let text = try? fields.text(name) else { continue }
            return exactPair(withPoints(text, mayHaveCommas: !searches.contains(name) || text.contains("-")))
        }
        if let text = try? fields.text(among: reversedPairs) { return exactPair(reversed(withPoints(text))) }
        guard let name = pairsInEitherOrder.first(where: { fields.has($0) }), let text = try? fields.text(name) else {
            return nil
        }
        let pair = withPoints(text)
        let other = reversed(pair)
        let otherPosition = exactPair(other)
        guard let position = exactPair(pair) else { return otherPosition }
        guard otherPosition == nil || otherPosition == position || name == "c" else {
            throw PlaceError(
                .badCoordinate,
                localized(
                    "the link does not say which number is the latitude; give %1 or %2", pair.cut(to: 40),
                    other.cut(to: 40)))
        }
        return position
    }

    /// Returns the numbers of a pair in the other order.
    private static func reversed(_ pair: String) -> String {
        pair.split(separator: ",", omittingEmptySubsequences: false).reversed().map { String($0).trimmed }
            .joined(separator: ",")
    }

    /// Returns the numbers of a field without a zoom level behind them, and with points in place of decimal commas.
    private static func withPoints(_ text: String, mayHaveCommas: Bool = true) -> String {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if mayHaveCommas, let joined = try? NumberList.joined(parts, mayHaveMore: true) { parts = joined }
        if parts.count == 3, zoom(parts[2]) != nil { parts.removeLast() }
        return parts.joined(separator: ",")
    }

    /// Returns the zoom level in a text such as `15` or `15.5z`. Versions and sizes have more decimals.
    private static func zoom(_ text: Substring) -> Double? {
        let level = String(text.hasSuffix("z") ? text.dropLast() : text).trimmed
        return decimals(of: level) <= leastDecimalsOfView ? PlaceText.zoom(level) : nil
    }

    /// Reads `LAT,LON`, both with at least three decimals after a point. Four whole numbers may be anything.
    private static func exactPair(_ text: some StringProtocol, _ least: Int = leastDecimals) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard parts.count == 2, parts.allSatisfy({ decimals(of: $0) >= least }),
            DecimalNumber.value(of: parts[1], plusSign: true).map(longitudeRange.contains) == true
        else { return nil }
        return try? PlaceText.coordinate(latitude: parts[0], longitude: parts[1])
    }

    private static func decimals(of number: some StringProtocol) -> Int {
        guard NumberList.value(of: number) != nil, let point = number.firstIndex(where: { $0 == "." || $0 == "," })
        else { return 0 }
        return number[point...].utf8.count - 1
    }

    /// Returns whether the latitude and longitude of a view have at least three decimals.
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
                if Self.isExact(rest), let view = MapFragment(rest), view.zoom != nil {
                    return try? self.view(view.coordinate, zoom: view.zoom)
                }
            }
            guard let text = try? PercentEncoding.decode(segment), text.utf8.contains(UInt8(ascii: ",")) else {
                continue
            }
            if let item = try? PlaceText.namedPosition(text),
                Self.exactPair(text.split(separator: ":").last ?? "") != nil
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
            guard let position = Self.exactPair(parts.joined(separator: ",")) else { continue }
            if isView || zoom != nil { return try? view(position, zoom: zoom) }
            return Self.isOfMap(link) ? ParsedPlace(item: MapItem(coordinate: position), rule: name) : nil
        }
        return nil
    }
}
