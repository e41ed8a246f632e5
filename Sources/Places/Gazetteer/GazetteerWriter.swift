import GRDB
import HunchModel

/// Takes the places of one source while it is imported. Lives only as long as the import's closure.
public final class GazetteerWriter {
    /// Number of an area within the import that made it.
    public struct AreaID: Hashable, Sendable {
        let number: Int64
    }

    private let database: Database
    private let source: Int64
    private let insertPlace: Statement
    private let insertArea: Statement
    private let insertKey: Statement
    private let tokenizer: any FTS5Tokenizer
    /// How many places were added.
    public private(set) var placeCount = 0

    init(_ database: Database, source: Int64) throws {
        self.database = database
        self.source = source
        try database.execute(
            sql: """
                CREATE TEMP TABLE staged (
                    step INTEGER NOT NULL, area_id INTEGER, kind TEXT NOT NULL, latitude REAL NOT NULL,
                    longitude REAL NOT NULL, name TEXT NOT NULL, alternates TEXT)
                """)
        insertPlace = try database.makeStatement(sql: "INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertArea = try database.makeStatement(
            sql: """
                INSERT INTO area (source_id, parent_id, is_country, name, aliases, country_code)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        insertKey = try database.makeStatement(sql: "INSERT OR IGNORE INTO area_key VALUES (?, ?)")
        tokenizer = try database.makeTokenizer(SearchTerms.tokenizer)
    }

    /// Adds a country, or a state in a country that was added before.
    ///
    /// - Throws: the database's error, which ends the import.
    public func add(_ area: GazetteerArea, in country: AreaID? = nil) throws -> AreaID {
        try insertArea.execute(arguments: [
            source, country?.number, area.isCountry, area.name, area.aliases.joined(separator: "\n"), area.countryCode,
        ])
        let number = database.lastInsertedRowID
        for name in [area.name] + area.aliases {
            let key = try SearchTerms.words(of: name, tokenizer).joined()
            if !key.isEmpty { try insertKey.execute(arguments: [key, number]) }
        }
        return AreaID(number: number)
    }

    /// Adds a place. One without a name is left out.
    ///
    /// - Throws: the database's error, which ends the import.
    public func add(_ place: GazetteerPlace) throws {
        let name = Self.line(place.name, limit: GazetteerPlace.maximumNameLength)
        guard !name.isEmpty else { return }
        try insertPlace.execute(arguments: [
            GazetteerSchema.step(ofImportance: place.importance), place.area?.number, place.kind.rawValue,
            place.coordinate.latitude, place.coordinate.longitude, name, alternates(of: place, besides: name),
        ])
        placeCount += 1
    }

    private func alternates(of place: GazetteerPlace, besides name: String) -> String? {
        var room = GazetteerPlace.maximumAlternatesLength
        var kept: [String] = []
        for alternate in place.alternates {
            let line = Self.line(alternate, limit: GazetteerPlace.maximumNameLength)
            guard !line.isEmpty, line != name, room > line.utf8.count else { continue }
            room -= line.utf8.count + 1
            kept.append(line)
        }
        return kept.isEmpty ? nil : kept.joined(separator: "\n")
    }

    /// Names are kept one a line, so none may break its line.
    private static func line(_ text: String, limit: Int) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) || text.utf8.count > limit else { return text }
        var clean = text.singleSpaced
        while clean.utf8.count > limit { clean.removeLast() }
        return clean
    }

    /// Numbers the staged places by importance and makes them findable.
    func finish(progress: (Double) -> Void) throws {
        let last = try Int64.fetchOne(database, sql: "SELECT ifnull(max(last_number), 0) FROM source") ?? 0
        try database.execute(
            sql: """
                INSERT INTO place (id, source_id, area_id, kind, latitude, longitude, name, alternates)
                SELECT (step << ?) | (? + row_number() OVER (ORDER BY step, rowid)), ?, area_id, kind, latitude,
                    longitude, name, alternates
                FROM staged ORDER BY step, rowid
                """, arguments: [GazetteerSchema.numberBits, last, source])
        try database.execute(sql: "DROP TABLE staged")
        try index(progress: progress)
        try database.execute(
            sql: "UPDATE source SET place_count = ?, last_number = ? WHERE id = ?",
            arguments: [placeCount, last + Int64(placeCount), source])
    }

    private func index(progress: (Double) -> Void) throws {
        let chunk = 5_000
        // Rows in the order of their numbers: full-text insertion out of order flushes on every row.
        let chosen = "WHERE place.source_id = ? AND place.id > ? ORDER BY place.id LIMIT \(chunk)"
        // Large segments at once: the default of a megabyte would write and merge most of the index many times over.
        try database.execute(
            sql: """
                INSERT INTO place_text (place_text, rank) VALUES ('hashsize', 67108864);
                INSERT INTO place_text (place_text, rank) VALUES ('automerge', 0);
                """)
        let addText = try database.makeStatement(
            sql: "INSERT INTO place_text (rowid, whole, words, context) \(GazetteerSchema.textRows) \(chosen)")
        let addBoxes = try database.makeStatement(
            sql: "INSERT INTO place_box SELECT id, latitude, latitude, longitude, longitude FROM place \(chosen)")
        let findLast = try database.makeStatement(
            sql: "SELECT max(id) FROM (SELECT id FROM place \(chosen))")
        var after: Int64 = -1
        var done = 0
        while let last = try Int64.fetchOne(findLast, arguments: [source, after]) {
            try addText.execute(arguments: [source, after])
            try addBoxes.execute(arguments: [source, after])
            after = last
            done += chunk
            progress(min(1, Double(done) / Double(max(placeCount, 1))))
        }
        try database.execute(sql: "INSERT INTO place_text (place_text) VALUES ('optimize')")
    }

    /// Takes a source and all that came from it out of every table.
    static func delete(source: Int64, from database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO place_text (place_text, rowid, whole, words, context)
                SELECT 'delete', * FROM (\(GazetteerSchema.textRows) WHERE place.source_id = ?) ORDER BY 2
                """, arguments: [source])
        try database.execute(
            sql: "DELETE FROM place_box WHERE id IN (SELECT id FROM place WHERE source_id = ?)", arguments: [source])
        try database.execute(
            sql: "DELETE FROM area_key WHERE area_id IN (SELECT id FROM area WHERE source_id = ?)", arguments: [source])
        for (table, column) in [("place", "source_id"), ("area", "source_id"), ("source", "id")] {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [source])
        }
    }
}
