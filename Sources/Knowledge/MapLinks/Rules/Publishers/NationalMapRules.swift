import Coordinates
import HunchModel
import Localization

/// Links to the map of the Swiss confederation: `?E=2600000&N=1200000`, `#/map?center=2600000,1200000` and
/// `?swisssearch=2600000,1200000`, in LV95 or LV03. With `crosshair=marker`, the centre of the map is a pin.
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
        guard let pair else { return try search(fields.text("swisssearch")) }
        let crosshair = try fields.text("crosshair")?.split(separator: ",", maxSplits: 1)
        let pin = crosshair.flatMap { $0.count > 1 ? String($0[1]) : nil }
        guard let position = try Self.position(pin ?? pair) else {
            throw PlaceError(
                .badCoordinate, localized("“%1” in the link is not in the Swiss grid", (pin ?? pair).cut(to: 40)))
        }
        return try crosshair == nil ? view(position) : answer(MapItem(coordinate: position))
    }

    private static func position(_ pair: String) throws(PlaceError) -> Coordinate? {
        for grid in [SwissGrid.lv95, .lv03] {
            guard let degrees = SwissGrid.degrees(of: Array(pair.utf8)[...], grids: [grid]) else { continue }
            return try PlaceText.coordinate(degrees.latitude, degrees.longitude)
        }
        return nil
    }

    /// The latitudes of Switzerland, which do not overlap its longitudes.
    private static let latitudes = 45.0...48.5

    /// Reads a search for words or a coordinate. The map accepts degrees in either order.
    private func search(_ text: String?) throws(PlaceError) -> ParsedPlace {
        if let text, let position = try Self.position(text) { return try answer(MapItem(coordinate: position)) }
        guard let text, let item = try PlaceText.item(text) else { throw Self.noPlace }
        guard let position = item.coordinate, !Self.latitudes.contains(position.latitude) else {
            return try answer(item)
        }
        guard Self.latitudes.contains(position.longitude) else {
            throw PlaceError(.badCoordinate, localized("“%1” in the link is not in Switzerland", text.cut(to: 40)))
        }
        return try answer(MapItem(coordinate: PlaceText.coordinate(position.longitude, position.latitude)))
    }
}

/// A rule for national maps whose links have metres of a grid. ``all`` lists them.
struct GridLinkRule: PublisherRule {
    /// The names of the fields with the two numbers.
    typealias Fields = (easting: String, northing: String)

    /// A grid with the ranges of metres on the national map.
    struct Grid: Sendable {
        let eastings: ClosedRange<Double>
        let northings: ClosedRange<Double>
        let degrees: @Sendable (_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double)

        /// UTM zone 33 on ETRS89, EPSG:25833, which Norway uses from its west coast to Svalbard.
        static let norwegian = Grid(eastings: -500_000...1_200_000, northings: 6_300_000...9_000_000) {
            UTMPosition(zone: 33, isSouth: false, easting: $0, northing: $1).degrees
        }
        /// UTM zone 32 on ETRS89, EPSG:25832, in the south of Germany.
        static let bavarian = Grid(eastings: 450_000...900_000, northings: 5_150_000...5_650_000) {
            UTMPosition(zone: 32, isSouth: false, easting: $0, northing: $1).degrees
        }
        static let british = Grid(eastings: 0...700_000, northings: 0...1_300_000) {
            NationalGrid.british.degrees(easting: $0, northing: $1)
        }
    }

    let name: String
    let hosts: [String]
    let grid: Grid
    /// The fields of a pin.
    var pins: [Fields] = []
    /// The fields of the centre of the map.
    var views: [Fields] = []
    /// A field with the centre of the map: `EASTING,NORTHING`.
    var pair: String?

    static let all: [GridLinkRule] = [
        // Observed. The fields called latitude have the northing.
        GridLinkRule(
            name: "norgeskart", hosts: ["norgeskart.no"], grid: .norwegian, pins: [("markerlon", "markerlat")],
            views: [("lon", "lat")]),
        // Observed.
        GridLinkRule(name: "streetmap", hosts: ["streetmap.co.uk"], grid: .british, pins: [("x", "y")]),
        // Observed.
        GridLinkRule(name: "bayernAtlas", hosts: ["atlas.bayern.de"], grid: .bavarian, pair: "c"),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        // In some links, the fields follow "#?".
        let fields = link.query.isEmpty ? LinkQuery(link.fragmentFields) : link.query
        for names in pins {
            guard let position = try position(fields.text(names.easting), fields.text(names.northing)) else { continue }
            return try answer(MapItem(coordinate: position))
        }
        for names in views {
            guard let position = try position(fields.text(names.easting), fields.text(names.northing)) else { continue }
            return try view(position)
        }
        let numbers = try pair.flatMap { name throws(PlaceError) in try fields.text(name) }?.split(separator: ",") ?? []
        guard numbers.count == 2, let position = try position(String(numbers[0]), String(numbers[1])) else {
            throw Self.noPlace
        }
        return try view(position)
    }

    private func position(_ easting: String?, _ northing: String?) throws(PlaceError) -> Coordinate? {
        guard let easting, let northing else { return nil }
        guard let east = DecimalNumber.value(of: easting), let north = DecimalNumber.value(of: northing),
            grid.eastings.contains(east), grid.northings.contains(north)
        else {
            throw PlaceError(
                .badCoordinate,
                localized(
                    "“%1” in the link is not in the grid of the map; give coordinates",
                    "\(easting),\(northing)".cut(to: 40)))
        }
        let degrees = grid.degrees(east, north)
        return try PlaceText.coordinate(degrees.latitude, degrees.longitude)
    }
}

/// Links of gridreferencefinder.com, observed: `?gr=REFERENCE|NAME|COLOUR`, with commas between several points. In
/// names, `_s_` is a space.
struct GridReferenceFinderRule: PublisherRule {
    let name = "gridReferenceFinder"
    let hosts = ["gridreferencefinder.com"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard let text = try link.query.text("gr") else { return nil }
        let points = text.split(separator: ",")
        guard let point = points.first, points.count == 1 else {
            throw PlaceError(.notAPlace, localized("the link has several points; give the grid reference of one"))
        }
        let parts = point.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard let reference = parts.first, let position = try CoordinateText.coordinate(in: reference) else {
            throw PlaceError(.badCoordinate, localized("“%1” in the link is not a grid reference", point.cut(to: 40)))
        }
        let label = parts.count > 1 ? parts[1].replacing("_s_", with: " ").singleSpaced : ""
        return try answer(item(label, at: position))
    }
}
