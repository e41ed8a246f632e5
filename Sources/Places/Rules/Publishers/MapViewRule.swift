import HunchModel

/// A rule for maps whose links are a view in one text, such as `#15/35.681/139.767` and `?p=52.37,4.89,12z`, as ``all``
/// lists them. The address bars were observed.
struct MapViewRule: PublisherRule {
    /// One of the numbers of a view.
    enum Part: Sendable { case latitude, longitude, zoom }

    let name: String
    let hosts: [String]
    /// The field with the numbers; `nil` where they are the whole query or fragment.
    var field: String?
    let separators: Set<Character>
    let parts: [Part]

    static let all: [MapViewRule] = [
        MapViewRule(
            name: "gsi", hosts: ["maps.gsi.go.jp"], separators: ["/"], parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "waymarkedTrails", hosts: ["waymarkedtrails.org"], field: "map", separators: ["/", "!"],
            parts: [.zoom, .latitude, .longitude]),
        // Before the numbers may stand the name of a layer: "?rain,48.85,2.35,5".
        MapViewRule(
            name: "windy", hosts: ["windy.com"], separators: [","], parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "calTopo", hosts: ["caltopo.com", "sartopo.com"], field: "ll", separators: [","],
            parts: [.latitude, .longitude]),
        MapViewRule(
            name: "gaiaGPS", hosts: ["gaiagps.com"], field: "loc", separators: ["/"],
            parts: [.zoom, .longitude, .latitude]),
        MapViewRule(
            name: "tomTom", hosts: ["plan.tomtom.com"], field: "p", separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "overpassTurbo", hosts: ["overpass-turbo.eu"], field: "c", separators: [";"],
            parts: [.latitude, .longitude, .zoom]),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let fields = link.fields
        let text = if let field { try fields.text(among: [field]) } else { fields.names.first }
        var texts = (text ?? "").split(whereSeparator: separators.contains)
        if let first = texts.first, DecimalNumber.value(of: first) == nil { texts.removeFirst() }
        guard let latitude = Self.text(.latitude, of: parts, in: texts),
            let longitude = Self.text(.longitude, of: parts, in: texts)
        else { throw Self.noPlace }
        let level = Self.text(.zoom, of: parts, in: texts).map { $0.hasSuffix("z") ? $0.dropLast() : $0 }
        return try view(
            PlaceText.coordinate(latitude: latitude, longitude: longitude),
            zoom: level.flatMap { PlaceText.zoom($0) } ?? fields.zoom("z"))
    }

    private static func text(_ part: Part, of parts: [Part], in texts: [Substring]) -> Substring? {
        parts.firstIndex(of: part).flatMap { texts.indices.contains($0) ? texts[$0] : nil }
    }
}

/// The map of the Swiss confederation: `?E=2600000&N=1200000` and `#/map?center=2600000,1200000`, in LV95 or LV03.
///
/// Source: https://help.geo.admin.ch, "Link parameters".
struct SwissTopoRule: PublisherRule {
    let name = "swissTopo"
    let hosts = ["map.geo.admin.ch"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let fields = link.query.isEmpty || link.fragment.contains("?") ? LinkQuery(link.fragmentFields) : link.query
        let eastNorth = (try fields.text("e", "y"), try fields.text("n", "x"))
        let pair =
            if let east = eastNorth.0, let north = eastNorth.1 { "\(east),\(north)" as String? } else {
                try fields.text("center")
            }
        guard let pair else { throw Self.noPlace }
        for grid in [SwissGrid.lv95, .lv03] {
            guard let degrees = SwissGrid.degrees(of: Array(pair.utf8)[...], grids: [grid]) else { continue }
            return try view(PlaceText.coordinate(degrees.latitude, degrees.longitude))
        }
        throw PlaceError(.badCoordinate, "“\(pair.cut(to: 40))” in the link is not in the Swiss grid")
    }
}

/// Links of Sygic's app: `com.sygic.aura://coordinate|LON|LAT|drive`, or `walk`, or `show`.
///
/// Source: https://www.sygic.com/developers/professional-navigation-sdk/ios/custom-url
struct SygicRule: PublisherRule {
    let name = "sygic"
    let hosts: [String] = []
    let schemes = ["com.sygic.aura"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let parts = try PercentEncoding.decode(link.authority).split(separator: "|").map { String($0).trimmed }
        switch parts.first?.lowercased() {
        case "coordinate" where parts.count >= 3:
            return try answer(
                MapItem(coordinate: PlaceText.coordinate(latitude: parts[2], longitude: parts[1])),
                by: TravelWords.modes(parts.last))
        case "search" where parts.count >= 2:
            return try answer(PlaceText.item(parts[1]), by: TravelWords.modes(parts.last))
        default: throw Self.noPlace
        }
    }
}
