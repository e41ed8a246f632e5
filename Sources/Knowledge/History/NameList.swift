package import GRDB
package import HunchModel
internal import Localization

/// A list of names that the user edits. Each name is a row of its own table.
package struct NameList<Name: DatabaseValueConvertible & Hashable> {
    fileprivate let table: String
    fileprivate let column: String
    fileprivate let limit: Int
    /// Returns the error message for a full list with this number of names.
    fileprivate let fullness: @Sendable (Int) -> String

    package func names(_ db: Database) throws -> Set<Name> {
        Set(try Name.fetchAll(try db.cachedStatement(sql: "SELECT \(column) FROM \(table)")))
    }

    /// Adds or removes a name. Returns whether that changed anything.
    ///
    /// - Parameter date: the date of the entry in milliseconds since 1970, for a table with a date column.
    /// - Throws: ``HistoryError`` `invalidInput` if the list is full.
    package func set(_ name: Name, isListed: Bool, date: Int64? = nil, _ db: Database) throws -> Bool {
        let known = try names(db)
        guard isListed else {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [name])
            return known.contains(name)
        }
        guard !known.contains(name) else { return false }
        guard known.count < limit else {
            throw HistoryError.invalidInput(fullness(known.count))
        }
        var row: StatementArguments = [name]
        if let date { row += [date] }
        let marks = date == nil ? "?" : "?, ?"
        try db.execute(sql: "INSERT INTO \(table) VALUES (\(marks))", arguments: row)
        return true
    }
}

extension NameList<AppID> {
    /// Apps that may read the history of other apps.
    package static var readers: NameList<AppID> {
        Self(table: "reader", column: "application", limit: HistoryLimits.readers) {
            localized("%1 apps may read the history, which is the limit", $0)
        }
    }

    /// Apps that are excluded from recording.
    package static var exclusions: NameList<AppID> {
        Self(table: "exclusion", column: "application", limit: HistoryLimits.exclusions) {
            localized("%1 apps are excluded, which is the limit", $0)
        }
    }
}

extension NameList<String> {
    /// Scripts that may donate.
    package static var scripts: NameList<String> {
        Self(table: "allowedScript", column: "name", limit: HistoryLimits.scripts) {
            localized("%1 scripts may donate, which is the limit", $0)
        }
    }
}
