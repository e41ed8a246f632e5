public import FoundationEssentials
internal import GRDB
public import HunchModel

extension IndexStore {
    /// Removes activities that are older than a time, and the others when they are.
    public func limitActivities(days: Int, now: Date) throws(IndexError) {
        let time = Double(days) * 86_400
        try wrapped {
            try database.write { db in
                try db.execute(
                    sql: """
                        UPDATE item SET expiry = min(coalesce(expiry, modified + ?1), modified + ?1)
                        WHERE source IN (SELECT id FROM source WHERE name = ?2)
                        """, arguments: [time, IndexSource.activities])
                let writer = try ItemWriter(db, id: 0)
                try writer.delete(
                    where: "expiry <= ? AND source IN (SELECT id FROM source WHERE name = ?)",
                    [now.timeIntervalSince1970, IndexSource.activities])
                guard writer.deleted > 0 else { return }
                try Self.removeUnusedEngagement(db)
                try Self.requestScrub(db)
            }
        }
        try scrubIfPending()
    }

    /// Forgets items: all, those of an app, or those that were indexed from a date on. Other scopes concern what a person did,
    /// not the content of apps. Nothing of them stays in the file.
    ///
    /// - Returns: the number of items.
    /// - Throws: ``IndexError``. Then nothing has changed, or only ``scrub()`` is missing.
    public func forget(_ scope: ForgetScope) throws(IndexError) -> Int {
        let condition: String
        let arguments: StatementArguments
        switch scope {
        case .everything: (condition, arguments) = ("1", [])
        case .application(let application):
            condition = "source IN (SELECT id FROM source WHERE application = ?)"
            arguments = [application.rawValue]
        case .since(let date): (condition, arguments) = ("modified >= ?", [date.timeIntervalSince1970])
        case .kind, .device, .place: return 0
        }
        Self.removeAside(at: path)
        let items = try wrapped {
            try database.write { db in
                let writer = try ItemWriter(db, id: 0)
                let before = db.totalChangesCount
                try writer.delete(where: condition, arguments)
                switch scope {
                case .everything:
                    try db.execute(
                        sql:
                            "DELETE FROM source; DELETE FROM engagement; DELETE FROM sketch; DELETE FROM number WHERE name NOT IN (?, ?, ?)",
                        arguments: StatementArguments(
                            [IndexNumber.changes, .file, .scrubRequest].map(\.rawValue)))
                case .application(let application):
                    for table in ["source", "engagement"] {
                        try db.execute(
                            sql: "DELETE FROM \(table) WHERE application = ?", arguments: [application.rawValue])
                    }
                // What an app knows about its index no longer holds, so that it indexes again.
                case .since(let date):
                    try db.execute(sql: "UPDATE source SET state = NULL WHERE state IS NOT NULL")
                    try db.execute(
                        sql: "DELETE FROM engagement WHERE date >= ?", arguments: [date.timeIntervalSince1970])
                case .kind, .device, .place: break
                }
                if db.totalChangesCount > before { try Self.requestScrub(db) }
                return writer.deleted
            }
        }
        try scrubIfPending()
        return items
    }
}
