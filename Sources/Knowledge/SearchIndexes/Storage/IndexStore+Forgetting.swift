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

    /// Forgets items, what the user did with them, and the words that led to them. Nothing of them stays in the file.
    ///
    /// A kind and a device concern the content that the user looked at, and not the indexes of apps. A place concerns
    /// every item that mentions it.
    ///
    /// - Parameter contents: the identifiers of content that the history has in the scope, by app.
    /// - Returns: the number of items.
    /// - Throws: ``IndexError``. Then nothing has changed, or only ``scrub()`` is missing.
    public func forget(_ scope: ForgetScope, contents: [AppID: Set<String>] = [:]) throws(IndexError) -> Int {
        let items = try wrapped {
            try database.write { db in
                let before = db.totalChangesCount
                let forgotten = try ForgottenItems(scope, contents: contents, db)
                defer { ForgottenItems.removeFunction(from: db) }
                let count = try forgotten.remove(db)
                switch scope {
                case .everything:
                    try db.execute(
                        sql: """
                            DELETE FROM source; DELETE FROM complete; DELETE FROM sketch;
                            DELETE FROM number WHERE name NOT IN (?, ?, ?)
                            """,
                        arguments: StatementArguments(
                            [IndexNumber.changes, .file, .scrubRequest].map(\.rawValue)))
                case .application(let application):
                    for table in ["source", "complete"] {
                        try db.execute(
                            sql: "DELETE FROM \(table) WHERE application = ?", arguments: [application.rawValue])
                    }
                // The app's client state is no longer valid, so the app indexes again.
                case .since: try db.execute(sql: "UPDATE source SET state = NULL WHERE state IS NOT NULL")
                case .kind, .device, .place, .action: break
                }
                if db.totalChangesCount > before { try Self.requestScrub(db) }
                return count
            }
        }
        try scrubIfPending()
        return items
    }

    /// Returns the number of items that forgetting the time since a date removes.
    public func itemCount(since date: Date) throws(IndexError) -> Int {
        try wrapped {
            try database.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM item WHERE modified >= ? AND NOT \(IndexSource.isImported)",
                    arguments: [date.timeIntervalSince1970]) ?? 0
            }
        }
    }

    /// Returns the numbers of items that the user imported since a date, by index.
    public func imported(since date: Date) throws(IndexError) -> [(source: IndexSource, items: Int)] {
        try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT source.application, source.name, count(*) FROM item JOIN source ON source.id = item.source
                        WHERE modified >= ? AND \(IndexSource.isImported) GROUP BY source.id ORDER BY 1, 2
                        """, arguments: [date.timeIntervalSince1970]
                ).map { (IndexSource(application: AppID($0[0] as String), name: $0[1]), $0[2]) }
            }
        }
    }
}

extension IndexSource {
    /// The condition for rows of `item` that “hunch index import” wrote, not an app.
    static let isImported = "source IN (SELECT id FROM source WHERE application LIKE 'script:%')"
}
