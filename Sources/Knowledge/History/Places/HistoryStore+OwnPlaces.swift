package import GRDB
public import HunchModel
internal import Localization

/// The places that the user named, such as home and work.
extension HistoryStore {
    /// Returns the places by their names.
    public func ownPlaces() throws(HistoryError) -> [String: MapItem] { try read { try Self.ownPlaces($0) } }

    /// Sets or removes a place.
    ///
    /// - Parameters:
    ///   - place: the place with a coordinate or with words to look up; `nil` to remove it.
    ///   - name: `home`, `work`, or another name, without spaces around it.
    /// - Returns: whether that changed anything.
    /// - Throws: ``HistoryError`` `invalidInput` for a name that is empty or too long, a place without coordinate and
    ///   words, or at ``HistoryLimits/ownPlaces``.
    public func setOwnPlace(_ place: MapItem?, named name: String) throws(HistoryError) -> Bool {
        try HistoryLimits.check(name, localized("name of a place"), limit: HistoryLimits.ownPlaceName)
        return try write { db in
            // “oma” is the same as “Oma”.
            let known = try Self.ownPlaces(db).keys.first { $0.lowercased() == name.lowercased() } ?? name
            guard let place else {
                try db.execute(sql: "DELETE FROM ownPlace WHERE name = ?", arguments: [known])
                return db.changesCount > 0
            }
            return try Self.insert(place, named: known, db)
        }
    }

    package static func insert(_ place: MapItem, named name: String, _ db: Database) throws -> Bool {
        guard place.coordinate != nil || place.query != nil else {
            throw HistoryError.invalidInput(localized("the place has neither coordinate nor words to look up"))
        }
        let json = try Stored.json(place)
        try HistoryLimits.check(json, "place", limit: HistoryLimits.place)
        let known = try ownPlaces(db)
        guard known[name] != place else { return false }
        guard known[name] != nil || known.count < HistoryLimits.ownPlaces else {
            throw HistoryError.invalidInput(
                localized("%1 places have a name, which is the limit; remove one first", known.count))
        }
        try db.execute(sql: "INSERT OR REPLACE INTO ownPlace VALUES (?, ?)", arguments: [name, json])
        return true
    }

    package static func ownPlaces(_ db: Database) throws -> [String: MapItem] {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM ownPlace").compactMap(ownPlace)
        return Dictionary(rows.map { ($0.name, $0.place) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns `nil` for an unreadable row, as in a damaged file.
    static func ownPlace(_ row: Row) -> (name: String, place: MapItem)? {
        guard let name = row.text("name"),
            let place = row.text("place").flatMap({ Stored.value(MapItem.self, json: $0) })
        else { return nil }
        return (name, place)
    }
}
