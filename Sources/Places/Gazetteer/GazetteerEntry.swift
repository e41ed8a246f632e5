import GRDB
import HunchModel

/// A row of the gazetteer with the state and country that it lies in.
struct GazetteerEntry {
    struct Area {
        var id: Int64
        var name: String
        var isCountry: Bool
    }

    let number: Int64
    let name: String
    let kind: PlaceKind
    let coordinate: Coordinate
    /// Innermost first.
    let areas: [Area]
    let countryCode: String?

    var importance: Double { GazetteerSchema.importance(ofPlace: number) }

    /// Chooses what `init(_:)` needs; `place` is joined by its number to whatever precedes.
    static let columns = """
        place.id, place.name, place.kind, place.latitude, place.longitude,
        area.id, area.name, area.is_country, country.id, country.name,
        ifnull(country.country_code, area.country_code)
        """
    static let areaJoins = """
        LEFT JOIN area ON area.id = place.area_id LEFT JOIN area AS country ON country.id = area.parent_id
        """

    /// - Throws: ``CoordinateError`` for a row that no import wrote.
    init(_ row: Row) throws {
        number = row[0]
        name = row[1]
        kind = PlaceKind(rawValue: row[2])
        coordinate = try Coordinate(latitude: row[3], longitude: row[4])
        var areas: [Area] = []
        if let id: Int64 = row[5] { areas.append(Area(id: id, name: row[6], isCountry: row[7])) }
        if let id: Int64 = row[8] { areas.append(Area(id: id, name: row[9], isCountry: true)) }
        self.areas = areas
        countryCode = row[10]
    }

    private var isSettlement: Bool { kind == .city || kind == .suburb }

    var address: PostalAddress {
        PostalAddress(
            city: isSettlement ? name : nil, state: areas.first { !$0.isCountry }?.name,
            country: areas.first { $0.isCountry }?.name, countryCode: countryCode)
    }

    func candidate(confidence: Double, matched: [String], distance: Double?) -> GeocodingCandidate {
        GeocodingCandidate(
            item: MapItem(name: name, coordinate: coordinate, address: address), kind: kind, confidence: confidence,
            matched: matched, distance: distance)
    }

    /// Whether another entry, perhaps of another source, is the same place.
    func isSamePlace(as other: GazetteerEntry) -> Bool {
        name == other.name && (countryCode == nil || other.countryCode == nil || countryCode == other.countryCode)
            && coordinate.distance(to: other.coordinate) < 20_000
    }
}
