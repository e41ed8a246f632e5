public import HunchModel

/// `geo:` links: RFC 5870, and the query that Android added to it.
///
/// Android: `?q=TEXT` searches near the position, or anywhere when the position is 0,0 or absent;
/// `?q=LAT,LON(LABEL)` marks that position; `?z=LEVEL` zooms.
public struct GeoRule: PlaceRule {
    /// `geo`.
    public let name = "geo"

    private static let longestCardProperty = 256
    private static let zoomLevels = 0.0...23.0

    /// Makes the rule.
    public init() {}

    /// The place of a `geo:` link.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.scheme == "geo", !Self.isCardProperty(input.body) else { return nil }
        try input.checkLinkLength()

        // "geo://" is not in the RFC, but programs that treat all URIs alike write it.
        let hierarchical = input.body.hasPrefix("//") ? input.body.dropFirst(2) : input.body
        var withoutFragment = hierarchical.prefix { $0 != "#" }
        var path = withoutFragment.prefix { $0 != "?" }
        // "geo:52.5, 13.4" is typed like a pair without "geo:".
        let withoutGap = path.replacing(", ", with: ",")[...]
        if path.contains(", "), let link = try? GeoURI(path: withoutGap.prefix { $0 != " " }) {
            return place(link, (try? AndroidQuery(withoutFragment.dropFirst(path.count + 1))) ?? AndroidQuery())
        }
        if !path.hasSuffix(")"), let space = path.firstIndex(of: " ") {
            // The sentence goes on behind the link.
            path = path[..<space]
            withoutFragment = path
        }
        let query = try AndroidQuery(withoutFragment.dropFirst(path.count + 1))

        guard !path.isEmpty else {
            guard query.marker != nil || query.text != nil else {
                throw PlaceError(.badCoordinate, "the geo: link has neither coordinates nor a query")
            }
            return place(nil, query)
        }
        // "geo:37.79,-122.39(Label)": what Android has in its query stands in the path of some programs' links.
        if path.hasSuffix(")"), let open = path.firstIndex(of: "("), query.marker == nil, query.text == nil {
            let label = try PercentEncoding.decode(path[open...].dropFirst().dropLast(), plusIsSpace: true).singleSpaced
            var labelled = place(try GeoURI(path: path[..<open]), query)
            labelled.item.name = try PlaceText.name(label)
            return labelled
        }
        return place(try GeoURI(path: path), query)
    }

    /// `GEO:37.79;-122.39` is a line of a contact or an event.
    private static func isCardProperty(_ body: Substring) -> Bool {
        guard body.utf8.count <= longestCardProperty else { return false }
        if body.cut(toBytes: 4).lowercased() == "geo:" { return true }
        let parts = body.split(separator: ";", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { DecimalNumber.value(of: $0) != nil }
    }

    private func place(_ uri: GeoURI?, _ query: AndroidQuery) -> ParsedPlace {
        if let marker = query.marker {
            // What the link says of another position says nothing of the marker.
            let marked = uri?.coordinate == marker ? uri : nil
            return ParsedPlace(
                item: MapItem(name: query.label, coordinate: marker), rule: name,
                zoom: query.zoom(in: Self.zoomLevels), altitude: marked?.altitude, uncertainty: marked?.uncertainty)
        }
        // With a query, 0,0 is how Android says "anywhere"; without one it is a point in the Gulf of Guinea.
        let anywhere = query.text != nil && uri?.coordinate.latitude == 0 && uri?.coordinate.longitude == 0
        let known = anywhere ? nil : uri
        return ParsedPlace(
            item: MapItem(coordinate: known?.coordinate, query: query.text), rule: name,
            zoom: query.zoom(in: Self.zoomLevels), altitude: known?.altitude, uncertainty: known?.uncertainty)
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
            case "z": zoom = DecimalNumber.value(of: value)
            default: break
            }
        }
    }

    /// A level outside the scale is left out: it is no reason to refuse the place.
    func zoom(in levels: ClosedRange<Double>) -> Double? { zoom.flatMap { levels.contains($0) ? $0 : nil } }

    private mutating func readTarget(_ target: String) throws(PlaceError) {
        guard !target.isEmpty else { return }
        let numbers = target.prefix { $0 != "(" }
        if let coordinate = try CoordinateText.coordinate(in: String(numbers).trimmed) {
            marker = coordinate
            let label = target.dropFirst(numbers.count)
            self.label = label.hasSuffix(")") ? String(label.dropFirst().dropLast()).singleSpaced : nil
            if label.isEmpty || label.hasSuffix(")") { return }
            throw PlaceError(.malformedLink, "the label of the geo: link has no closing parenthesis")
        }
        if let center = (PlusCodeText(target) ?? PlusCodeText(spaced: target))?.code.center {
            marker = center
            return
        }
        guard target.utf8.count <= PlaceParser.maximumTextLength else {
            throw PlaceError(
                .tooLong, "the query is longer than \(PlaceParser.maximumTextLength) bytes; give only the place")
        }
        text = target
    }
}
