import Coordinates
import Glibc
import HunchModel

/// A rule for maps whose links have a box of latitudes and longitudes. The place is its centre.
struct BoxLinkRule: LinkRule {
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
    private let fields: Fields
    private let zoom: [String]

    init(_ form: LinkForm) throws(LinkFormError) {
        name = form.name
        zoom = form.words("zoom")
        let fields = try form.fields("box")
        func field(_ parts: LinkForm.Part...) -> String? { fields.first { $0.kinds == parts }?.name }
        if let whole = field(.west, .south, .east, .north) {
            self.fields = .whole(whole)
        } else if let southWest = field(.south, .west), let northEast = field(.north, .east) {
            self.fields = .corners(southWest: southWest, northEast: northEast)
        } else if let south = field(.south), let west = field(.west), let north = field(.north), let east = field(.east)
        {
            self.fields = .sides(south: south, west: west, north: north, east: east)
        } else {
            throw .noForm(form.name)
        }
    }

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
