import Geocoding
import GRDB
import HunchModel
import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// A country or a state that a query may mean.
struct AreaMatch {
    let name: String
    let isCountry: Bool
    let countryCode: String?
    private let country: String?
    private(set) var match: NameMatch
    private var keys: Set<String>
    private var sources: Set<Int64>

    /// - Returns: `nil` if there is no such area.
    init?(_ number: Int64, _ words: [String], _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT area.name, area.aliases, area.is_country, area.country_code, country.name, area.source_id
                FROM area LEFT JOIN area AS country ON country.id = area.parent_id WHERE area.id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [number]) else { return nil }
        name = row[0]
        isCountry = row[2]
        countryCode = row[3]
        country = row[4]
        let own = WordFolding.joined(name)
        keys = Set([own] + GazetteerEntry.lines(row[1]).map(WordFolding.joined))
        sources = [row[5]]
        match = words.joined().contains(own) ? .ownName : .otherName
    }

    static func parent(of number: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT parent_id FROM area WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [number])
    }

    /// Returns whether another area, possibly of another source, is the same one.
    func isSame(as other: AreaMatch) -> Bool {
        isCountry == other.isCountry && countryCode == other.countryCode
            && (isCountry || !keys.isDisjoint(with: other.keys))
    }

    mutating func merge(_ other: AreaMatch) {
        match = max(match, other.match)
        keys.formUnion(other.keys)
        sources.formUnion(other.sources)
    }

    /// Returns whether the area's name means this place instead: the place is an entry for the same area, or its main
    /// town of the same name, as “Luxembourg” and “New York” mean the towns.
    func isMeant(by place: PlaceMatch) -> Bool {
        let entry = place.entry
        if entry.kind.isArea {
            return (entry.kind == .country) == isCountry && entry.countryCode == countryCode
                && (isCountry || keys.contains(WordFolding.joined(entry.name)))
        }
        guard place.name > .partial, entry.kind == .city, entry.countryCode == countryCode else { return false }
        if isCountry, let countryCode, Self.cityStates.contains(countryCode) { return true }
        if isCountry { return place.name == .ownName && entry.importance > Self.leastOfCapital }
        guard entry.importance > Self.leastOfMainTown else { return false }
        let states = place.areas.filter { !$0.isCountry }
        let isInside = states.contains { area in
            ([area.name] + area.aliases).contains { keys.contains(WordFolding.joined($0)) }
        }
        // The town must be in the area, unless the area's sources do not have the town. One source has both Washingtons,
        // and the city is not in the state. But the source of the province of Liège does not have the city, and the
        // city's source divides Belgium into regions.
        return isInside || place.name >= match && sources.isDisjoint(with: states.map(\.source))
    }

    /// The city states: Gibraltar, Monaco, Macao, Singapore, San Marino, Vatican City.
    private static let cityStates: Set<String> = ["GI", "MC", "MO", "SG", "SM", "VA"]
    /// The minimum importance of a town with the name of its country: that of Gibraltar, a capital of 26,000 people.
    private static let leastOfCapital = 0.6
    /// The minimum importance of a town with the name of its state: that of a town of 10,000 people.
    private static let leastOfMainTown = 0.5

    /// The importance of the area, comparable with that of a town. A country ranks before towns by its own name, but
    /// after a large town by its name in another language: “Granada” means the city in Spain before Grenada. A state is
    /// as important as a town of 100,000 people: “Manchester” means the English city before the parish of Jamaica.
    var importance: Double { !isCountry ? 0.62 : match == .ownName ? 0.95 : 0.7 }

    /// Returns the weight of the area, comparable with ``PlaceMatch/weight``. Hardly anybody means a state of another
    /// country: in Ohio, “Toledo” is not a district of Belize.
    ///
    /// - Parameter home: the code of the user's country, if it is known.
    func weight(from home: String?) -> Double {
        let isAbroad = !isCountry && home != nil && countryCode != home
        return pow(10, 6 * importance + Double(match.rawValue)) * (isAbroad ? Self.shareOfStateAbroad : 1)
    }

    private static let shareOfStateAbroad = 0.03

    func candidate(confidence: Double) -> GeocodingCandidate {
        let address = PostalAddress(
            state: isCountry ? nil : name, country: isCountry ? name : country, countryCode: countryCode)
        return GeocodingCandidate(
            item: MapItem(name: name, address: address), kind: isCountry ? .country : .state, confidence: confidence,
            match: match, matched: [name])
    }
}
