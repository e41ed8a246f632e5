internal import FoundationEssentials
internal import GRDB
public import HunchModel
internal import Synchronization

extension IndexStore {
    /// Forgets items: all, those of an app, or those that were indexed from a date on. Other scopes concern what a person did,
    /// not the content of apps. Nothing of them stays in the file.
    ///
    /// - Returns: the number of items.
    /// - Throws: ``IndexError``. Then nothing has changed, or only the rewriting of the file is missing.
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
        let (items, isChanged) = try wrapped {
            try database.write { db in
                let writer = try ItemWriter(db, id: 0)
                let before = db.totalChangesCount
                try writer.delete(where: condition, arguments)
                switch scope {
                case .everything:
                    try db.execute(
                        sql:
                            "DELETE FROM source; DELETE FROM engagement; DELETE FROM sketch; DELETE FROM number WHERE name NOT IN (?, ?)",
                        arguments: [IndexNumber.changes.rawValue, IndexNumber.file.rawValue])
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
                return (writer.deleted, db.totalChangesCount > before)
            }
        }
        if isChanged { isScrubPending.withLock { $0 = true } }
        try scrubIfPending()
        return items
    }
}
