public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks

/// `geo:` links: RFC 5870, and Android's query extension.
///
/// Android: `?q=TEXT` searches near the position, or anywhere when the position is 0,0 or absent;
/// `?q=LAT,LON(LABEL)` marks that position; `?z=LEVEL` zooms.
public struct GeoRule: PlaceRule {
    /// `geo`.
    public let name = "geo"

    private static let longestCardProperty = 256
    private static let zoomLevels = 0.0...23.0
    /// The characters after a link in a sentence.
    private static let ends: Set<Character> = [",", ";", ":", ".", "!", "?"]

    /// Creates the rule.
    public init() {}

    /// Returns the place of a `geo:` link.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.scheme == "geo", !Self.isCardProperty(input.body) else { return nil }
        try input.checkLinkLength()

        // "geo://" is not in the RFC, but some programs write all URIs like that.
        let hierarchical = input.body.hasPrefix("//") ? input.body.dropFirst(2) : input.body
        var withoutFragment = hierarchical.prefix { $0 != "#" }
        // Some programs begin the query with "&".
        var path = withoutFragment.prefix { $0 != "?" && $0 != "&" }
        // People type "geo:52.5, 13.4" with a space.
        let withoutGap = path.replacing(", ", with: ",")[...]
        if path.contains(", "), let link = try? GeoURI(path: withoutGap.prefix { $0 != " " }) {
            return place(link, (try? AndroidQuery(withoutFragment.dropFirst(path.count + 1))) ?? AndroidQuery())
        }
        if !path.hasSuffix(")"), let space = path.firstIndex(of: " ") {
            // A sentence continues after the link.
            path = path[..<space]
            while let last = path.last, Self.ends.contains(last) { path.removeLast() }
            withoutFragment = path
        }
        let query = try AndroidQuery(withoutFragment.dropFirst(path.count + 1))

        guard !path.isEmpty else {
            guard query.marker != nil || query.text != nil else {
                throw PlaceError(
                    .badCoordinate, localized("the geo: link has neither coordinates nor a query; copy it again"))
            }
            return place(nil, query)
        }
        // "geo:37.79,-122.39(Label)": some programs write the label into the path instead of the query.
        if path.hasSuffix(")"), let open = path.firstIndex(of: "("), query.marker == nil, query.text == nil {
            let label = try PercentEncoding.decode(path[open...].dropFirst().dropLast(), plusIsSpace: true).singleSpaced
            var labelled = place(try GeoURI(path: String(path[..<open]).trimmed[...]), query)
            labelled.item.name = try PlaceText.name(label)
            return labelled
        }
        do throws(PlaceError) {
            return place(try GeoURI(path: path), query)
        } catch  where error.code == .badCoordinate && !path.contains(",") {
            // Some programs write a word or a grid reference: "geo://ul?q=Berlin", "geo:16SGC2776446660".
            if query.marker != nil || query.text != nil { return place(nil, query) }
            let numbers = try PercentEncoding.decode(path.prefix { $0 != ";" })
            guard let coordinate = try CoordinateText.coordinate(in: numbers) else { throw error }
            return ParsedPlace(
                item: MapItem(coordinate: coordinate), rule: name, zoom: query.zoom(in: Self.zoomLevels))
        }
    }

    /// Returns whether the body of a `geo:` text is instead a property of a contact or an event: `GEO:37.79;-122.39`.
    private static func isCardProperty(_ body: Substring) -> Bool {
        guard body.utf8.count <= longestCardProperty else { return false }
        if body.cut(toBytes: 4).lowercased() == "geo:" { return true }
        let parts = body.split(separator: ";", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { DecimalNumber.value(of: $0) != nil }
    }

    private func place(_ uri: GeoURI?, _ query: AndroidQuery) -> ParsedPlace {
        if let marker = query.marker {
            // The altitude and uncertainty of the link do not apply to a marker elsewhere.
            let marked = uri?.coordinate == marker ? uri : nil
            return ParsedPlace(
                item: MapItem(name: query.label, coordinate: marker), rule: name,
                zoom: query.zoom(in: Self.zoomLevels), altitude: marked?.altitude, uncertainty: marked?.uncertainty)
        }
        // With a query, 0,0 is Android's "anywhere". Without one, it is a point in the Gulf of Guinea.
        let anywhere = query.text != nil && uri?.coordinate.latitude == 0 && uri?.coordinate.longitude == 0
        let known = anywhere ? nil : uri
        if let text = query.text {
            return ParsedPlace(
                item: MapItem(query: text), rule: name, zoom: query.zoom(in: Self.zoomLevels), near: known?.coordinate)
        }
        return ParsedPlace(
            item: MapItem(coordinate: known?.coordinate), rule: name, zoom: query.zoom(in: Self.zoomLevels),
            altitude: known?.altitude, uncertainty: known?.uncertainty)
    }
}

/// The part of a `geo:` link after `?`.
private struct AndroidQuery {
    var text: String?
    var marker: Coordinate?
    var label: String?
    private var zoom: Double?

    init() {}

    init(_ query: Substring) throws(PlaceError) {
        var seen: Set<String> = []
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = try PercentEncoding.decode(parts[0], plusIsSpace: true).lowercased()
            let value = try parts.count == 2 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : ""
            guard seen.insert(key).inserted else { continue }
            switch key {
            case "q": try readTarget(value.singleSpaced)
            case "z": zoom = DecimalNumber.value(of: value.prefix { $0.isNumber || $0 == "." })
            default: break
            }
        }
    }

    /// Returns the zoom level; `nil` if it is out of range, which does not invalidate the place.
    func zoom(in levels: ClosedRange<Double>) -> Double? { zoom.flatMap { levels.contains($0) ? $0 : nil } }

    /// Returns the index of the parenthesis that closes a label; `nil` if there is none. A sentence may continue after the
    /// label, and a label may have a parenthesis too many: `(Café :))`.
    private static func end(ofLabel text: Substring) -> Substring.Index? {
        var depth = 0
        let balanced = text.indices.first { index in
            depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
            return depth == 0
        }
        if let balanced, text[balanced...].contains(where: { $0.isLetter || $0.isNumber }) { return balanced }
        return text.lastIndex(of: ")")
    }

    private mutating func readTarget(_ target: String) throws(PlaceError) {
        guard !target.isEmpty else { return }
        let numbers = target.prefix { $0 != "(" }
        if let coordinate = try CoordinateText.coordinate(in: String(numbers).trimmed) {
            marker = coordinate
            let rest = target.dropFirst(numbers.count)
            guard !rest.isEmpty else { return }
            guard let end = Self.end(ofLabel: rest) else {
                throw PlaceError(.malformedLink, localized("the label of the geo: link has no closing parenthesis"))
            }
            label = String(rest[..<end].dropFirst()).singleSpaced
            return
        }
        // A sentence continues after the link.
        let word = String(target.prefix { $0 != " " }.drop { $0 == "(" })
        if word.utf8.count < target.utf8.count, word.contains(","),
            let coordinate = try? CoordinateText.coordinate(in: word)
        {
            marker = coordinate
            return
        }
        if let center = (PlusCodeText(target) ?? PlusCodeText(spaced: target))?.code.center {
            marker = center
            return
        }
        guard target.utf8.count <= PlaceLimits.text else {
            throw PlaceError(
                .tooLong, localized("the query is longer than %1 bytes; give only the place", PlaceLimits.text))
        }
        text = target
    }
}
