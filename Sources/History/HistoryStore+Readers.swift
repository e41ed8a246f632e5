internal import GRDB

extension HistoryStore {
    /// Lets an app outside sandboxes read what other apps did, or no more.
    ///
    /// - Parameter application: desktop identifier; `.desktop` at its end is taken off.
    /// - Returns: whether that is new.
    /// - Throws: ``HistoryError`` `invalidInput` for no identifier, or when ``HistoryLimits/readers`` are reached.
    @discardableResult
    public func setReader(_ application: String, isAllowed: Bool) throws(HistoryError) -> Bool {
        let application = Self.identifier(application)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        let changed = try write { db in
            let known = try Self.readers(db)
            guard isAllowed else {
                try db.execute(sql: "DELETE FROM reader WHERE application = ?", arguments: [application])
                return known.contains(application)
            }
            guard !known.contains(application) else { return false }
            guard known.count < HistoryLimits.readers else {
                throw HistoryError.invalidInput("\(known.count) apps may read what others did, which is the limit")
            }
            try db.execute(sql: "INSERT INTO reader VALUES (?)", arguments: [application])
            return true
        }
        if changed, !isAllowed { _ = try alone { try Self.emptyLog($0) } }
        return changed
    }

    /// Desktop identifiers of the apps that may read what other apps did.
    public func readers() throws(HistoryError) -> Set<String> { try read { try Self.readers($0) } }

    static func readers(_ db: Database) throws -> Set<String> {
        Set(try String.fetchAll(db, sql: "SELECT application FROM reader"))
    }
}
