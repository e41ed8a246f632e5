public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Replaces the known places of the user and records a stay.
    ///
    /// - Parameters:
    ///   - places: all known places, at most ``HistoryLimits/places``. Stays at others, and places without stays, are
    ///     removed.
    ///   - stay: the stay to record. It replaces one with the same begin.
    /// - Returns: `recorded`, or why nothing was recorded. The user must also have allowed
    ///   ``PrivacyCategory/location``.
    /// - Throws: ``HistoryError`` `invalidInput` for too many places, a word that is too long, or a date before 1970.
    @discardableResult
    public func record(
        _ places: [KnownPlace], staying stay: Stay, now: Date
    ) throws(HistoryError) -> RecordOutcome {
        guard places.count <= HistoryLimits.places else {
            throw .invalidInput(localized("%1 places; the limit is %2", places.count, HistoryLimits.places))
        }
        for place in places { try place.check(now: now) }
        try stay.check(now: now)
        return try write { db in
            let settings = try HistorySettings(db)
            if let refusal = settings.refusal(at: now) { return refusal }
            if let veto { return .withheld(reason: veto.description) }
            guard settings.allowedCategories.contains(.location) else {
                return .withheld(reason: "the location is recorded only after “hunch allow location”")
            }
            try db.execute(sql: "DELETE FROM place")
            for place in places { try Self.insert(place, db) }
            try Self.insert(stay, db)
            try Self.trimStays(db)
            return .recorded
        }
    }

    /// Returns the known places of the user by number, and the stays, the oldest first.
    public func whereabouts() throws(HistoryError) -> (places: [KnownPlace], stays: [Stay]) {
        try read { db in
            let places = try Row.fetchAll(db, sql: "SELECT * FROM place ORDER BY number").compactMap(KnownPlace.init)
            let stays = try Row.fetchAll(db, sql: "SELECT * FROM stay ORDER BY begin").compactMap(Stay.init)
            return (places, stays)
        }
    }

    package static func insert(_ place: KnownPlace, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?)",
            arguments: [
                place.number, place.coordinate.latitude, place.coordinate.longitude, place.word,
                place.date.milliseconds,
            ])
    }

    package static func insert(_ stay: Stay, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO stay VALUES (?, ?, ?)",
            arguments: [stay.begin.milliseconds, stay.place, stay.end.milliseconds])
    }

    /// Removes all but the newest ``HistoryLimits/stays``, and places without stays.
    package static func trimStays(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM stay WHERE place NOT IN (SELECT number FROM place)
                    OR begin NOT IN (SELECT begin FROM stay ORDER BY begin DESC LIMIT ?)
                """, arguments: [HistoryLimits.stays])
        try deleteUnusedPlaces(db)
    }

    /// Removes places without stays.
    static func deleteUnusedPlaces(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM place WHERE number NOT IN (SELECT place FROM stay)")
    }
}

extension KnownPlace {
    package func check(now: Date) throws(HistoryError) {
        guard number > 0 else { throw .invalidInput(localized("the number of the place is not positive")) }
        try HistoryLimits.check(word, localized("word of a place"), limit: HistoryLimits.furtherValue)
        try date.check(now: now)
    }
}

extension Stay {
    package func check(now: Date) throws(HistoryError) {
        try begin.check(now: now)
        try end.check(now: now)
    }
}

extension KnownPlace {
    package init?(row: Row) {
        guard let number = row.integer("number").flatMap(Int.init), let word = row.text("word"),
            let date = row.date("date"),
            let latitude = Double.fromDatabaseValue(row["latitude"] as DatabaseValue),
            let longitude = Double.fromDatabaseValue(row["longitude"] as DatabaseValue),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(number: number, coordinate: coordinate, word: word, date: date)
    }
}

extension KnownPlace {
    /// Creates a place from the columns `word`, `latitude` and `longitude`, which is enough to match it.
    init?(values: [DatabaseValue]) {
        guard values.count == 3, let word = String.fromDatabaseValue(values[0]),
            let latitude = Double.fromDatabaseValue(values[1]), let longitude = Double.fromDatabaseValue(values[2]),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(number: 0, coordinate: coordinate, word: word, date: .distantPast)
    }
}

extension Stay {
    package init?(row: Row) {
        guard let place = row.integer("place").flatMap(Int.init), let begin = row.date("begin"),
            let end = row.date("date")
        else { return nil }
        self.init(place: place, begin: begin, end: end)
    }
}
