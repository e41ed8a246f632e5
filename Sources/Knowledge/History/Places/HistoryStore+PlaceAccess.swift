package import GRDB
public import HunchModel
internal import Localization

/// The user's decisions about which apps may read the places that the user looked at in other apps.
extension HistoryStore {
    /// Returns the decisions, by desktop identifier: `true` for apps that may read the places, `false` for apps that may
    /// not and must not ask again.
    public func placeAccess() throws(HistoryError) -> [AppID: Bool] { try read { try Self.placeAccess($0) } }

    /// Allows or forbids an app to read the places.
    ///
    /// - Parameter application: desktop identifier. A `.desktop` suffix is removed.
    /// - Returns: `true` if that changed the decision.
    /// - Throws: ``HistoryError`` `invalidInput` if the identifier is invalid, or at ``HistoryLimits/placeAccess``.
    @discardableResult
    public func setPlaceAccess(_ application: AppID, isAllowed: Bool) throws(HistoryError) -> Bool {
        let application = AppID(entryName: application.rawValue)
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        return try write { db in
            let known = try Self.placeAccess(db)
            guard known[application] != isAllowed else { return false }
            guard known[application] != nil || known.count < HistoryLimits.placeAccess else {
                throw HistoryError.invalidInput(
                    localized("%1 apps have asked for places, which is the limit", known.count))
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO placeAccess VALUES (?, ?)", arguments: [application, isAllowed])
            return true
        }
    }

    package static func placeAccess(_ db: Database) throws -> [AppID: Bool] {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM placeAccess")
        return Dictionary(
            rows.compactMap { row in
                row.identifier("application").map { ($0, row.integer("isAllowed") == 1) }
            }, uniquingKeysWith: { first, _ in first })
    }
}
