import Geocoding
import GRDB
import HunchModel
import JourneyWords
import Localization

/// A row of the gazetteer with its state and country, or a house of a street.
package struct GazetteerEntry {
    struct Area {
        var id: Int64
        var name: String
        var aliases: [String]
        var isCountry: Bool
        var source: Int64
    }

    let number: Int64
    private(set) var name: String
    private(set) var kind: PlaceKind
    private(set) var coordinate: Coordinate
    private(set) var isApproximate: Bool
    private(set) var importance: Double
    /// The areas that contain it, innermost first.
    let areas: [Area]
    let countryCode: String?
    let alternates: [String]
    let doubtfulNames: [String]
    private(set) var street: String?
    let city: String?
    let postalCode: String?

    private static let statement = """
        SELECT place.id, place.name, place.kind, place.latitude, place.longitude, place.importance, place.alternates,
            place.street, place.city, place.postal_code, place.doubtful, place.is_approximate,
            area.id, area.name, area.aliases, area.is_country, country.id, country.name, country.aliases,
            ifnull(country.country_code, area.country_code), area.source_id, country.source_id
        FROM place
        LEFT JOIN area ON area.id = place.area_id LEFT JOIN area AS country ON country.id = area.parent_id
        WHERE place.id = ?
        """

    /// Returns the place with a number; `nil` if there is none.
    ///
    /// - Throws: ``CoordinateError`` for a corrupt row.
    static func entry(_ number: Int64, _ db: Database) throws -> GazetteerEntry? {
        let statement = try db.cachedStatement(sql: statement)
        return try Row.fetchOne(statement, arguments: [number]).map(GazetteerEntry.init)
    }

    private init(_ row: Row) throws {
        number = row[0]
        name = row[1]
        kind = PlaceKind(rawValue: row[2])
        coordinate = try Coordinate(latitude: row[3], longitude: row[4])
        importance = row[5]
        alternates = Self.lines(row[6])
        street = row[7]
        city = row[8]
        postalCode = row[9]
        doubtfulNames = Self.lines(row[10])
        isApproximate = row[11]
        var areas: [Area] = []
        if let id: Int64 = row[12] {
            areas.append(Area(id: id, name: row[13], aliases: Self.lines(row[14]), isCountry: row[15], source: row[20]))
        }
        if let id: Int64 = row[16] {
            areas.append(Area(id: id, name: row[17], aliases: Self.lines(row[18]), isCountry: true, source: row[21]))
        }
        self.areas = areas
        countryCode = row[19]
    }

    package static func lines(_ text: String?) -> [String] {
        text?.utf8.split(separator: 0x0A).map { String(Substring($0)) } ?? []
    }

    /// Returns a house of this street.
    func house(_ number: String, at coordinate: Coordinate) -> GazetteerEntry {
        var house = self
        house.street = HouseNumber.address(number, name, countryCode: countryCode)
        house.name = house.street ?? name
        house.kind = .house
        house.coordinate = coordinate
        return house
    }

    private var isSettlement: Bool { kind == .city || kind == .suburb }

    var address: PostalAddress {
        PostalAddress(
            street: street ?? (kind == .street ? name : nil), city: city ?? (isSettlement ? name : nil),
            state: areas.first { !$0.isCountry }?.name, postalCode: postalCode ?? (kind == .postalCode ? name : nil),
            country: areas.first { $0.isCountry }?.name, countryCode: countryCode)
    }

    func candidate(
        confidence: Double, match: NameMatch, matched: [String], distance: Double?
    ) -> GeocodingCandidate {
        var candidate = GeocodingCandidate(
            item: MapItem(name: name, coordinate: coordinate, address: address), kind: kind, confidence: confidence,
            match: match, matched: matched, distance: distance)
        candidate.localName = localName
        return candidate
    }

    /// The name of a town in the user's language; `nil` if it is not known, or is not one of the town's names. The
    /// catalogue has it under the English name, which may be another one here: “Milan” for Milano.
    var localName: String? {
        guard kind == .city else { return nil }
        let state = areas.first { !$0.isCountry }?.name
        let country = areas.first { $0.isCountry }?.name
        for english in [name] + alternates {
            guard let local = LocalArea.city(english, in: state, country) else { continue }
            if english == name, local == name { return nil }
            let folded = WordFolding.joined(local)
            if local != english, alternates.contains(where: { WordFolding.joined($0) == folded }) {
                return local == name ? nil : local
            }
        }
        return nil
    }

    /// Copies the coordinate and importance from another entry of the same place if they are only approximate here, or only the
    /// coordinate if it is of whole minutes of arc, up to 2 km off.
    mutating func adopt(_ other: GazetteerEntry) {
        guard !other.isApproximate, kind == other.kind else { return }
        if isApproximate {
            (coordinate, importance, isApproximate) = (other.coordinate, other.importance, false)
        } else if isInMinutes, !other.isInMinutes, abs(importance - other.importance) < Self.sameSize {
            coordinate = other.coordinate
        }
    }

    /// The maximum difference in importance of one town in two lists: twice as many people.
    private static let sameSize = 0.04

    /// Whether the coordinate is of whole minutes of arc, as older lists have it: 51.5, 12.0 for Halle.
    private var isInMinutes: Bool {
        [coordinate.latitude, coordinate.longitude].allSatisfy { abs($0 * 60 - ($0 * 60).rounded()) < 0.001 }
    }

    /// Whether it is a Japanese city under the name of its main quarter: GeoNames has 船橋市 as Honchō, and 加古川市 as
    /// Kakogawachō-honmachi.
    var hasNameOfQuarter: Bool {
        guard kind == .city, countryCode == "JP" else { return false }
        let folded = WordFolding.joined(name)
        return ["cho", "machi"].contains(where: folded.hasSuffix)
            && alternates.contains { $0.hasSuffix("市") && !$0.hasSuffix("町市") }
    }

    /// Whether it has names in at least two scripts other than the Latin one and that of its country, as places have that are
    /// known in other countries.
    var isRenowned: Bool {
        var scripts: Set<UInt32> = []
        for letter in alternates.lazy.compactMap(\.unicodeScalars.first).map(\.value)
        where letter >= 0x370 && !(0x1E00..<0x2100).contains(letter) {
            // Chinese characters and Korean syllables fill many blocks of 256. Kana are Japanese, as kanji are.
            let script: UInt32 = (0x3000..<0xA000).contains(letter) ? 0x4E : letter >= 0xAC00 ? 0xAC : letter >> 8
            guard script != 0x4E || countryCode != "JP" else { continue }
            scripts.insert(script)
            if scripts.count > 1 { return true }
        }
        return false
    }

    /// Replaces the name by another one of its own.
    mutating func rename(_ other: String) { name = other }

    /// Raises the importance to a value if it is lower.
    mutating func raiseImportance(to other: Double) { importance = max(importance, other) }

    /// Lowers an approximate importance to a value that it has at most.
    mutating func limitImportance(to most: Double) { (importance, isApproximate) = (min(importance, most), false) }

    /// The minimum importance of an airport with flights. A city may have several heliports.
    private static let leastOfAirport = 0.3
    /// The largest distance in metres between the coordinates of one airport in two sources.
    private static let extentOfAirport = 4_000.0

    /// Returns whether another entry, possibly of another source, is the same place.
    func isSamePlace(as other: GazetteerEntry) -> Bool {
        guard countryCode == nil || other.countryCode == nil || countryCode == other.countryCode else { return false }
        // Sources name an airport after its city, its quarter or a user.
        if kind == .airport, other.kind == .airport, max(importance, other.importance) >= Self.leastOfAirport {
            return coordinate.distance(to: other.coordinate) < Self.extentOfAirport
        }
        let near: Double =
            switch kind {
            case .house: 100
            case .street, .spot: 2_000
            // The approximate coordinate of a town is its weather station's: in Ankara 24 km from the centre, in Buenos
            // Aires 27 km.
            case .city where isApproximate != other.isApproximate: 40_000
            default: 20_000
            }
        let exactKinds: [PlaceKind] = [.house, .street, .postalCode]
        let areOfAKind = kind == other.kind || !exactKinds.contains(kind) && !exactKinds.contains(other.kind)
        // Towns of one name in two states are different, as Kansas City in Kansas and in Missouri. This can be checked
        // only within one source, since sources divide countries differently. All approximate entries are from one
        // source.
        if kind == .city, isApproximate, other.isApproximate, areas.first?.id != other.areas.first?.id { return false }
        // The cheapest test comes first: a search compares each match with many others.
        return areOfAKind
            && abs(coordinate.latitude - other.coordinate.latitude) * Coordinate.metresPerDegree < near
            && (city == nil || other.city == nil || city == other.city)
            && (postalCode == nil || other.postalCode == nil || postalCode == other.postalCode)
            && coordinate.distance(to: other.coordinate) < near && isNamed(as: other)
    }

    /// Returns whether another entry has the same name. For a town, it may be an alternate name, such as “Köln” for
    /// Cologne.
    private func isNamed(as other: GazetteerEntry) -> Bool {
        let (own, others) = (WordFolding.joined(name), WordFolding.joined(other.name))
        if own == others { return true }
        guard kind == .city, other.kind == .city else { return false }
        return alternates.contains { WordFolding.joined($0) == others }
            || other.alternates.contains { WordFolding.joined($0) == own }
    }
}
