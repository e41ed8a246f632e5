internal import GRDB

/// Names that the person puts on a list and takes off it again, each in a row of its own.
struct NameList {
    private let table: String
    private let column: String
    private let limit: Int
    /// The words of the error for a full list, after the number.
    private let meaning: String

    /// Apps that may read what other apps did.
    static let readers = NameList(
        table: "reader", column: "application", limit: HistoryLimits.readers, meaning: "apps may read what others did")
    /// Scripts that may donate.
    static let scripts = NameList(
        table: "allowedScript", column: "name", limit: HistoryLimits.scripts, meaning: "scripts may donate")
    /// Apps of which nothing more is recorded.
    static let exclusions = NameList(
        table: "exclusion", column: "application", limit: HistoryLimits.exclusions, meaning: "apps are excluded")

    /// The names on the list.
    func names(_ db: Database) throws -> Set<String> {
        Set(try String.fetchAll(try db.cachedStatement(sql: "SELECT \(column) FROM \(table)")))
    }

    /// Puts a name on the list or takes it off, and tells whether that changed anything.
    ///
    /// - Parameter date: for a list that has it, since when, in milliseconds since 1970.
    /// - Throws: ``HistoryError`` `invalidInput` where the list is full.
    func set(_ name: String, isListed: Bool, date: Int64? = nil, _ db: Database) throws -> Bool {
        let known = try names(db)
        guard isListed else {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [name])
            return known.contains(name)
        }
        guard !known.contains(name) else { return false }
        guard known.count < limit else {
            throw HistoryError.invalidInput("\(known.count) \(meaning), which is the limit")
        }
        var row: StatementArguments = [name]
        if let date { row += [date] }
        let marks = date == nil ? "?" : "?, ?"
        try db.execute(sql: "INSERT INTO \(table) VALUES (\(marks))", arguments: row)
        return true
    }
}
