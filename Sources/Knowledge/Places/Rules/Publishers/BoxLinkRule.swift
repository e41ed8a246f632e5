import Glibc
import HunchModel

/// A rule for maps whose links have a box of latitudes and longitudes. The place is its centre. The forms of ``all``
/// were observed in address bars.
struct BoxLinkRule: PublisherRule {
    /// The fields of a box.
    enum Fields: Sendable {
        /// A field for each side.
        case sides(south: String, west: String, north: String, east: String)
        /// A field for each corner: `LAT,LON`.
        case corners(southWest: String, northEast: String)
        /// One field for all: `WEST,SOUTH,EAST,NORTH`.
        case whole(String)
    }

    /// The centre of a box and half its greater extent in metres.
    typealias View = (middle: Coordinate, radius: Double)

    let name: String
    let hosts: [String]
    let fields: Fields
    var zoom: [String] = []

    static let all: [BoxLinkRule] = [
        BoxLinkRule(
            name: "allTrails", hosts: ["alltrails.com"],
            fields: .sides(south: "b_br_lat", west: "b_tl_lng", north: "b_tl_lat", east: "b_br_lng")),
        BoxLinkRule(
            name: "airbnb",
            hosts: [
                "at", "be", "ca", "ch", "co.in", "co.kr", "co.nz", "co.uk", "com", "com.ar", "com.au", "com.br",
                "com.tr", "cz", "de", "dk", "es", "fi", "fr", "gr", "hu", "ie", "it", "jp", "mx", "nl", "no", "pl",
                "pt", "se",
            ].map { "airbnb.\($0)" },
            fields: .sides(south: "sw_lat", west: "sw_lng", north: "ne_lat", east: "ne_lng"), zoom: ["zoom"]),
        BoxLinkRule(
            name: "iNaturalist", hosts: ["inaturalist.org"],
            fields: .sides(south: "swlat", west: "swlng", north: "nelat", east: "nelng")),
        BoxLinkRule(
            name: "wikiloc", hosts: ["wikiloc.com"], fields: .corners(southWest: "sw", northEast: "ne")),
        // In polar projections, the numbers are metres. They are far outside the range of degrees and rejected.
        BoxLinkRule(name: "worldview", hosts: ["worldview.earthdata.nasa.gov"], fields: .whole("v")),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard let view = try Self.view(fields, in: link.fields) else { return nil }
        let level = try link.fields.text(among: zoom).flatMap { PlaceText.zoom($0) }
        return try self.view(view.middle, zoom: level, radius: view.radius)
    }

    /// Returns the view of a box; `nil` if a field is missing.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if a corner is out of range.
    static func view(_ fields: Fields, in query: LinkQuery) throws(PlaceError) -> View? {
        switch fields {
        case .sides(let south, let west, let north, let east):
            guard let south = try query.text(south), let west = try query.text(west),
                let north = try query.text(north), let east = try query.text(east)
            else { return nil }
            return try view(
                PlaceText.coordinate(latitude: south, longitude: west),
                PlaceText.coordinate(latitude: north, longitude: east))
        case .corners(let southWest, let northEast):
            guard let southWest = try query.coordinate(southWest), let northEast = try query.coordinate(northEast)
            else { return nil }
            return try view(southWest, northEast)
        case .whole(let name):
            guard let parts = try query.text(name)?.split(separator: ","), parts.count == 4 else { return nil }
            return try view(
                PlaceText.coordinate(latitude: parts[1], longitude: parts[0]),
                PlaceText.coordinate(latitude: parts[3], longitude: parts[2]))
        }
    }

    private static func view(_ southWest: Coordinate, _ northEast: Coordinate) throws(PlaceError) -> View {
        // Across the antimeridian, the east edge has the smaller number.
        let width = northEast.longitude - southWest.longitude
        let eastward = width < 0 ? width + 360 : width
        let middle = try PlaceText.coordinate(
            (southWest.latitude + northEast.latitude) / 2, southWest.longitude + eastward / 2, wraps: true)
        let height = abs(northEast.latitude - southWest.latitude)
        let extent = max(height, eastward * cos(middle.latitude * .pi / 180))
        return (middle, max(1, (extent / 2 * Coordinate.metresPerDegree).rounded()))
    }
}
