import HunchModel

/// A rule for maps whose links have a view in one text, such as `#15/35.681/139.767` and `?p=52.37,4.89,12z`. The forms
/// of ``all`` were observed in address bars.
struct MapViewRule: PublisherRule {
    /// One of the parts of a view or a point.
    enum Part: Sendable { case latitude, longitude, zoom, name }

    /// The part of a link with the numbers.
    enum Source: Sendable {
        /// A field of the query, or of the fragment of a link without one.
        case field(String)
        /// The whole query, or the whole fragment of a link without one.
        case firstField
        case fragment
        /// The path from its first part with a comma: the centre of the map.
        case path
        /// The path: a point picked on the map.
        case pointInPath
        /// A field of the query or the fragment, or `NAME=…` between the slashes of the fragment: a pin.
        case pin(String)
        /// The last two numbers of such a field: the end of a route.
        case lastPin(String)
        /// The same as a pin, but the centre of the map.
        case part(String)
        /// The text after the last `=` of the fragment.
        case lastValue

        /// Whether the source is a point that somebody chose, rather than the centre of the map.
        var isPoint: Bool {
            switch self {
            case .pointInPath, .pin, .lastPin: true
            case .field, .firstField, .fragment, .path, .part, .lastValue: false
            }
        }
    }

    let name: String
    let hosts: [String]
    /// The beginning of the path; empty for any path.
    var path = ""
    /// The parts of the link to read, in this order. The first with a latitude and a longitude counts.
    let sources: [Source]
    let separators: Set<Character>
    let parts: [Part]
    /// Whether another rule reads the view of the host's links.
    var isOnlyPoint = false
    /// Whether `q` has words that are searched on the map.
    var hasWords = false

    static let all: [MapViewRule] = [
        MapViewRule(
            name: "gsi", hosts: ["maps.gsi.go.jp"], sources: [.firstField], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "waymarkedTrails", hosts: ["waymarkedtrails.org"], sources: [.field("map")], separators: ["/", "!"],
            parts: [.zoom, .latitude, .longitude]),
        // The path has the point of the forecast: "/48.85/2.29/meteogram", "/multimodel/48.85/2.29". The numbers of
        // the view may follow the names of a model and a layer: "?gfs,rain,48.85,2.35,5".
        MapViewRule(
            name: "windy", hosts: ["windy.com"], sources: [.pointInPath], separators: ["/"],
            parts: [.latitude, .longitude], isOnlyPoint: true),
        MapViewRule(
            name: "windy", hosts: ["windy.com"], sources: [.firstField], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "calTopo", hosts: ["caltopo.com", "sartopo.com"], sources: [.field("ll")], separators: [","],
            parts: [.latitude, .longitude]),
        MapViewRule(
            name: "gaiaGPS", hosts: ["gaiagps.com"], sources: [.field("loc")], separators: ["/"],
            parts: [.zoom, .longitude, .latitude]),
        MapViewRule(
            name: "tomTom", hosts: ["plan.tomtom.com"], sources: [.field("p")], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "overpassTurbo", hosts: ["overpass-turbo.eu"], sources: [.field("c")], separators: [";"],
            parts: [.latitude, .longitude, .zoom]),
        // The activity map had the longitude first until it moved to /maps.
        MapViewRule(
            name: "strava", hosts: ["strava.com"], path: "heatmap", sources: [.fragment], separators: ["/"],
            parts: [.zoom, .longitude, .latitude]),
        MapViewRule(
            name: "strava", hosts: ["strava.com"], path: "maps", sources: [.fragment], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "zoomEarth", hosts: ["zoom.earth"], sources: [.pin("place"), .part("view")], separators: [",", "/"],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "openRailwayMap", hosts: ["openrailwaymap.app"], sources: [.field("view")], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "hitta", hosts: ["hitta.se"], path: "kartan!", sources: [.path], separators: ["~", ",", "/"],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "mapion", hosts: ["mapion.co.jp"], path: "m2", sources: [.path], separators: [",", "/"],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "sunCalc", hosts: ["suncalc.org"], sources: [.fragment], separators: [",", "/"],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "ventusky", hosts: ["ventusky.com"], sources: [.pin("pin"), .pointInPath, .field("p")],
            separators: [";", "/"], parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "geocaching", hosts: ["geocaching.com"], sources: [.field("ll")], separators: [","],
            parts: [.latitude, .longitude]),
        MapViewRule(
            name: "meteoblue", hosts: ["meteoblue.com"], sources: [.field("coords")], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        // The call sign of a flight may precede the view.
        MapViewRule(
            name: "flightradar24", hosts: ["flightradar24.com"], sources: [.path], separators: [",", "/"],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "panoramax", hosts: ["panoramax.xyz", "panoramax.fr", "panoramax.ign.fr"], sources: [.field("map")],
            separators: ["/"], parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "felt", hosts: ["felt.com"], path: "map", sources: [.field("loc")], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "rainViewer", hosts: ["rainviewer.com"], sources: [.field("loc")], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        // The named point of a view: #current/wind/surface/level/orthographic=16.37,48.20,2500/loc=16.37,48.20
        MapViewRule(
            name: "earthNullschool", hosts: ["earth.nullschool.net", "nullschool.net"],
            sources: [.pin("loc"), .lastValue], separators: [",", "/"], parts: [.longitude, .latitude]),
        MapViewRule(
            name: "copernix", hosts: ["copernix.io"], sources: [.part("where")], separators: [","],
            parts: [.longitude, .latitude, .zoom]),
        MapViewRule(
            name: "mapTiler", hosts: ["maptiler.com"], sources: [.fragment], separators: ["/"],
            parts: [.zoom, .longitude, .latitude]),
        MapViewRule(
            name: "geoNames", hosts: ["geonames.org"], path: "maps", sources: [.pointInPath], separators: ["/", "_"],
            parts: [.latitude, .longitude]),
        MapViewRule(
            name: "freemap", hosts: ["freemap.sk", "freemap.eu"], sources: [.pin("point"), .lastPin("points")],
            separators: ["/", ";", ","], parts: [.latitude, .longitude], isOnlyPoint: true),
        MapViewRule(
            name: "freemap", hosts: ["freemap.sk", "freemap.eu"], sources: [.part("map")], separators: ["/"],
            parts: [.zoom, .latitude, .longitude], hasWords: true),
        MapViewRule(
            name: "jimenezShaw", hosts: ["javier.jimenezshaw.com"], sources: [.field("c")], separators: [","],
            parts: [.latitude, .longitude]),
        MapViewRule(
            name: "mapFan", hosts: ["mapfan.com"], sources: [.field("c")], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "nakarte", hosts: ["nakarte.me"], sources: [.pin("nktp")], separators: ["/"],
            parts: [.latitude, .longitude], isOnlyPoint: true),
        MapViewRule(
            name: "nakarte", hosts: ["nakarte.me"], sources: [.pin("r")], separators: ["/"],
            parts: [.latitude, .longitude, .name], isOnlyPoint: true),
        MapViewRule(
            name: "nakarte", hosts: ["nakarte.me"], sources: [.field("m")], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "openInfraMap", hosts: ["openinframap.org"], sources: [.fragment], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "blitzortung", hosts: ["map.blitzortung.org"], sources: [.fragment], separators: ["/"],
            parts: [.zoom, .latitude, .longitude]),
        MapViewRule(
            name: "satellitesPro", hosts: ["satellites.pro"], sources: [.fragment], separators: [","],
            parts: [.latitude, .longitude, .zoom]),
        MapViewRule(
            name: "openAerialMap", hosts: ["map.openaerialmap.org"], sources: [.fragment], separators: [",", "/"],
            parts: [.longitude, .latitude, .zoom]),
        MapViewRule(
            name: "arcGIS", hosts: ["livingatlas.arcgis.com"], sources: [.field("mapcenter")], separators: [","],
            parts: [.longitude, .latitude, .zoom]),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard path.isEmpty || link.segments.first?.lowercased().hasPrefix(path) == true else { return nil }
        for source in sources {
            guard let text = try Self.text(source, of: link) else { continue }
            var texts = try numbers(in: text)
            if case .lastPin = source { texts = texts.suffix(2) }
            guard let latitude = number(.latitude, in: texts), let longitude = number(.longitude, in: texts) else {
                continue
            }
            // A point may also be an identifier.
            if isOnlyPoint, [latitude, longitude].contains(where: { NumberList.value(of: $0) == nil }) { continue }
            let position = try PlaceText.coordinate(latitude: latitude, longitude: longitude, wraps: !isOnlyPoint)
            if source.isPoint {
                let label = number(.name, in: texts).map { String($0).singleSpaced }
                return try answer(item(label, at: position))
            }
            let level = number(.zoom, in: texts).map { $0.hasSuffix("z") ? $0.dropLast() : $0 }
            let zoom = level.flatMap { PlaceText.zoom($0) } ?? link.fields.zoom("z")
            if let words = try words(in: link) { return try answer(words, zoom: zoom, near: position) }
            return try view(position, zoom: zoom)
        }
        if let words = try words(in: link) { return try answer(words) }
        // Leave other pages to the generic rules.
        guard link.segments.isEmpty, !isOnlyPoint else { return nil }
        throw Self.noPlace
    }

    private static func text(_ source: Source, of link: Link) throws(PlaceError) -> String? {
        switch source {
        case .field(let name): try link.fields.text(among: [name])
        case .firstField: link.fields.names.first
        case .fragment: try PercentEncoding.decode(link.fragment)
        case .path:
            try PercentEncoding.decode(link.segments.joined(separator: "/")).split(separator: "/")
                .drop { !$0.contains(",") }.joined(separator: "/")
        case .pointInPath:
            try PercentEncoding.decode(link.segments.joined(separator: "/")).replacing(".html", with: "")
        case .pin(let name), .lastPin(let name), .part(let name): try link.value(name)
        case .lastValue: try PercentEncoding.decode(link.fragment.split(separator: "=").last ?? "")
        }
    }

    /// Returns the words that are searched on the map; `nil` if there are none.
    private func words(in link: Link) throws(PlaceError) -> MapItem? {
        guard hasWords, let text = try link.value("q")?.singleSpaced else { return nil }
        return try PlaceText.item(text)
    }

    /// Returns the numbers of a text, from the first one on.
    private func numbers(in text: String) throws(PlaceError) -> ArraySlice<Substring> {
        let texts = text.split(whereSeparator: separators.contains).drop { NumberList.value(of: $0) == nil }
        guard separators.contains(",") else { return texts }
        return try NumberList.joined(Array(texts), mayHaveMore: true)[...]
    }

    private func number(_ part: Part, in texts: ArraySlice<Substring>) -> Substring? {
        parts.firstIndex(of: part).flatMap { texts.dropFirst($0).first }
    }
}

/// App links of Sygic: `com.sygic.aura://coordinate|LON|LAT|drive`, or `walk`, or `show`.
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
