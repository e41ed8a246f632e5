internal import Gazetteers
import Geocoding
import GRDB
import HunchModel
import JourneyWords

internal import Glibc

/// Writes the places of one source during its import. Valid only within the import's closure.
public final class GazetteerWriter {
    /// A town or a postal code, derived from its addresses.
    private struct Locality: Hashable {
        var name: String
        var city: String?
        var area: GazetteerArea.ID?
        var isCode: Bool
    }

    /// The sum of the coordinates of a locality's addresses, and their number.
    private struct Middle {
        var latitude = 0.0
        var longitude = 0.0
        var count = 0.0
    }

    /// The maximum number of towns and postal codes derived from addresses.
    private static let maximumLocalities = 500_000

    private let database: Database
    private let source: Int64
    private let insertArea: Statement
    private let insertKey: Statement
    private var segment = SegmentBuilder()
    private var parents: [GazetteerArea.ID: GazetteerArea.ID] = [:]
    private var localities: [Locality: Middle] = [:]
    /// The number of added places and streets.
    public private(set) var placeCount = 0
    /// The number of added houses.
    public private(set) var houseCount = 0

    init(_ database: Database, source: Int64) throws {
        self.database = database
        self.source = source
        insertArea = try database.makeStatement(
            sql: """
                INSERT INTO area (source_id, parent_id, is_country, name, aliases, country_code)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        insertKey = try database.makeStatement(sql: "INSERT OR IGNORE INTO area_key VALUES (?, ?)")
    }

    /// Adds a country, or a state in an added country.
    ///
    /// - Throws: the database's error, which ends the import.
    public func add(_ area: GazetteerArea, in country: GazetteerArea.ID? = nil) throws -> GazetteerArea.ID {
        try insertArea.execute(arguments: [
            source, country?.number, area.isCountry, area.name, area.aliases.joined(separator: "\n"), area.countryCode,
        ])
        let id = GazetteerArea.ID(number: database.lastInsertedRowID)
        if let country { parents[id] = country }
        for name in [area.name] + area.aliases {
            let key = WordFolding.joined(name)
            if !key.isEmpty { try insertKey.execute(arguments: [key, id.number]) }
        }
        return id
    }

    /// Adds a place. A place without a name is omitted.
    ///
    /// - Throws: the database's error, which ends the import.
    public func add(_ place: GazetteerPlace) throws {
        var place = place
        place.name = Self.line(place.name)
        guard !place.name.isEmpty else { return }
        var room = GazetteerPlace.maximumAlternatesLength
        place.alternates = Self.lines(place.alternates, but: [place.name], &room)
        place.doubtfulNames = Self.lines(place.doubtfulNames, but: [place.name] + place.alternates, &room)
        if !place.importance.isFinite { place.importance = 0 }
        place.importance = min(max(place.importance, 0), 1)
        (place.street, place.city, place.postalCode) =
            (Self.line(place.street), Self.line(place.city), Self.line(place.postalCode))
        segment.add(place, areas: numbers(of: place.area))
        placeCount += 1
        if segment.isFull { try flush { _ in } }
    }

    /// Adds a house to its street, or only the street if the house has no number or one that is too long. A house
    /// without a street is omitted.
    ///
    /// The town and the postal code of the address become places at the end of the import.
    ///
    /// - Throws: the database's error, which ends the import.
    public func add(_ house: GazetteerHouse) throws {
        let street = Self.line(house.street)
        guard !street.isEmpty else { return }
        let number = Self.line(house.number).flatMap { $0.utf8.count <= HouseList.maximumNumberLength ? $0 : nil }
        let (city, code) = (Self.line(house.city), Self.line(house.postalCode))
        let isPlaced = city != nil || code != nil
        // The upper 24 bits of a cell: a box of about 5 by 10 km at the equator.
        let cell = isPlaced ? 0 : PlaceCell.number(house.coordinate) >> 38
        let isNew = segment.add(
            number,
            on: SegmentBuilder.StreetKey(name: street, city: city, postalCode: code, area: house.area, cell: cell),
            at: house.coordinate, areas: numbers(of: house.area))
        if isNew { placeCount += 1 }
        if number != nil { houseCount += 1 }
        note(house, city, code)
        if segment.isFull { try flush { _ in } }
    }

    /// Notes the town and the postal code of an address. `finish` adds each as a place.
    private func note(_ house: GazetteerHouse, _ city: String?, _ code: String?) {
        func note(_ locality: Locality) {
            guard localities[locality] != nil || localities.count < Self.maximumLocalities else { return }
            localities[locality, default: Middle()].latitude += house.coordinate.latitude
            localities[locality]?.longitude += house.coordinate.longitude
            localities[locality]?.count += 1
        }
        if let city { note(Locality(name: city, city: nil, area: house.area, isCode: false)) }
        if let code { note(Locality(name: code, city: city, area: house.area, isCode: true)) }
    }

    /// Returns the identifiers that the gazetteer's places have in their sources (``GazetteerPlace/origin``), in
    /// ascending order.
    ///
    /// - Throws: the database's error, which ends the import.
    public func origins() throws -> [Int64] {
        try Int64.fetchAll(
            database, sql: "SELECT DISTINCT origin FROM place WHERE origin IS NOT NULL ORDER BY origin")
    }

    /// Further names of a place.
    public struct Names: Hashable, Sendable {
        /// The names in current use.
        public var current: Set<String> = []
        /// Historic and colloquial names.
        public var doubtful: Set<String> = []

        /// Creates an empty list.
        public init() {}
    }

    /// Adds further names to existing places. An existing alternate name that is doubtful according to `names` becomes
    /// a doubtful name.
    ///
    /// - Parameter names: the names by ``GazetteerPlace/origin``.
    /// - Throws: the database's error, which ends the import.
    public func addNames(_ names: [Int64: Names]) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT origin, name, alternates, area_id, kind, latitude, longitude, importance, id, doubtful FROM place
                WHERE origin IS NOT NULL
                """)
        let update = try database.makeStatement(sql: "UPDATE place SET alternates = ?, doubtful = ? WHERE id = ?")
        while let row = try rows.next() {
            guard let further = names[row[0]] else { continue }
            let alternates = GazetteerEntry.lines(row[2])
            let doubtful = GazetteerEntry.lines(row[9])
            let outdated = alternates.filter { further.doubtful.contains($0) && !further.current.contains($0) }
            if !outdated.isEmpty {
                try update.execute(arguments: [
                    alternates.filter { !outdated.contains($0) }.joined(separator: "\n"),
                    (doubtful + outdated).joined(separator: "\n"), row[8] as Int64,
                ])
            }
            let known = Set([row[1]] + alternates + doubtful)
            let new = further.current.subtracting(known).sorted()
            let newDoubtful = further.doubtful.subtracting(known).subtracting(further.current).sorted()
            guard !new.isEmpty || !newDoubtful.isEmpty else { continue }
            if let area: Int64 = row[3], parents[GazetteerArea.ID(number: area)] == nil,
                let parent = try Int64.fetchOne(
                    database, sql: "SELECT parent_id FROM area WHERE id = ?", arguments: [area])
            {
                parents[GazetteerArea.ID(number: area)] = GazetteerArea.ID(number: parent)
            }
            try add(
                GazetteerPlace(
                    name: row[1], alternates: new, doubtfulNames: newDoubtful, kind: PlaceKind(rawValue: row[4]),
                    coordinate: Coordinate(latitude: row[5], longitude: row[6]), importance: row[7],
                    area: (row[3] as Int64?).map(GazetteerArea.ID.init)))
        }
    }

    /// Returns the numbers of an area and of those that contain it, innermost first.
    private func numbers(of area: GazetteerArea.ID?) -> [Int64] {
        var numbers: [Int64] = []
        var next = area
        while let area = next {
            numbers.append(area.number)
            next = parents[area]
        }
        return numbers
    }

    /// Returns the names that are not known, as long as they fit into `room`. Subtracts their bytes from `room`.
    private static func lines(_ names: [String], but known: [String], _ room: inout Int) -> [String] {
        var known = Set(known)
        var kept: [String] = []
        for name in names {
            let line = line(name)
            guard !line.isEmpty, room > line.utf8.count, known.insert(line).inserted else { continue }
            room -= line.utf8.count + 1
            kept.append(line)
        }
        return kept
    }

    private static func line(_ text: String?) -> String? { text.map(line).flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a text on one line, cut to ``GazetteerPlace/maximumNameLength`` bytes. Names are stored one per line.
    private static func line(_ text: String) -> String {
        let limit = GazetteerPlace.maximumNameLength
        guard text.utf8.contains(where: { $0 < 0x20 }) || text.utf8.count > limit else { return text }
        var clean = text.singleSpaced
        while clean.utf8.count > limit { clean.removeLast() }
        return clean
    }

    /// Writes the remaining segment, and the vocabulary of all areas for typing errors.
    ///
    /// - Parameter progress: called with the completed fraction, 0…1.
    func finish(progress: (Double) -> Void) throws {
        for (locality, middle) in localities {
            let coordinate = try Coordinate(
                latitude: middle.latitude / middle.count, longitude: middle.longitude / middle.count)
            let importance = min(0.3, 0.1 + 0.04 * log10(middle.count))
            segment.add(
                GazetteerPlace(
                    name: locality.name, kind: locality.isCode ? .postalCode : .city, coordinate: coordinate,
                    importance: locality.isCode ? importance / 2 : importance, area: locality.area,
                    city: locality.city), areas: numbers(of: locality.area))
        }
        if !segment.isEmpty { try flush(progress) }
        try Self.indexAreas(database)
        try database.execute(
            sql: "UPDATE source SET place_count = ?, house_count = ? WHERE id = ?",
            arguments: [placeCount, houseCount, source])
        progress(1)
    }

    private func flush(_ progress: (Double) -> Void) throws {
        try database.execute(sql: "INSERT INTO segment (source_id) VALUES (?)", arguments: [source])
        try segment.write(to: SegmentTables(database, segment: database.lastInsertedRowID), progress: progress)
    }

    private static func indexAreas(_ database: Database) throws {
        let segment = GazetteerSchema.areaSegment
        try database.execute(sql: "DELETE FROM vocabulary WHERE segment = ?", arguments: [segment])
        var vocabularies: [Int: Vocabulary] = [:]
        let keys = try String.fetchCursor(database, sql: "SELECT DISTINCT key FROM area_key ORDER BY key")
        while let key = try keys.next() {
            let bytes = Array(key.utf8.prefix(WordFolding.maximumWordLength))
            guard let signature = Vocabulary.signature(bytes[...]) else { continue }
            vocabularies[signature.length, default: Vocabulary()].append(
                bytes[...], letters: signature.letters, count: 1)
        }
        try SegmentTables(database, segment: segment).add(vocabularies)
    }

    /// Deletes a source and its rows from every table.
    static func delete(source: Int64, from database: Database) throws {
        let segments = try Int64.fetchAll(
            database, sql: "SELECT id FROM segment WHERE source_id = ?", arguments: [source])
        for segment in segments {
            for table in ["posting", "vocabulary", "cells"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE segment = ?", arguments: [segment])
            }
            for (table, column) in [("place", "id"), ("houses", "street")] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE \(column) >= ? AND \(column) < ?",
                    arguments: [
                        GazetteerSchema.place(segment: segment, rank: 0),
                        GazetteerSchema.place(segment: segment + 1, rank: 0),
                    ])
            }
        }
        try database.execute(
            sql: "DELETE FROM area_key WHERE area_id IN (SELECT id FROM area WHERE source_id = ?)", arguments: [source])
        for (table, column) in [("segment", "source_id"), ("area", "source_id"), ("source", "id")] {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [source])
        }
        try indexAreas(database)
    }
}
