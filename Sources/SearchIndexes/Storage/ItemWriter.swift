internal import FoundationEssentials
internal import GRDB
internal import HunchModel

/// Writes items of one index within a transaction.
final class ItemWriter {
    let db: Database
    let source: Int64
    private let date: Double
    private(set) var deleted = 0

    init(_ db: Database, id: Int64, date: Date = .distantPast) {
        self.db = db
        source = id
        self.date = date.timeIntervalSince1970
    }

    convenience init(_ db: Database, source: IndexSource, date: Date) throws {
        let arguments: StatementArguments = [source.application.rawValue, source.name]
        try db.execute(sql: "INSERT OR IGNORE INTO source (application, name) VALUES (?, ?)", arguments: arguments)
        let id = try Int64.fetchOne(
            db, sql: "SELECT id FROM source WHERE application = ? AND name = ?", arguments: arguments)
        self.init(db, id: id ?? 0, date: date)
    }

    func carryOut(_ change: IndexChange) throws {
        switch change {
        case .add(let item): try add(item)
        case .delete(let identifiers):
            for identifier in identifiers { try delete(where: "source = ? AND identifier = ?", [source, identifier]) }
        case .deleteDomain(let domain):
            // “/” follows “.” in ASCII.
            try delete(
                where: "source = ? AND (domain = ? OR domain >= ? AND domain < ?)",
                [source, domain, domain + ".", domain + "/"])
        case .deleteAll: try delete(where: "source = ?", [source])
        }
    }

    private func add(_ item: SearchableItem) throws {
        let columns = ItemColumns(item)
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO item (source, identifier, domain, title, names, text, attributes, expiry, protection, modified,
                    isPublic)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, identifier) DO NOTHING
                """)
        let arguments: StatementArguments = [
            source, item.id, item.domain, columns.title, columns.names, columns.text, columns.attributes,
            item.expiry?.timeIntervalSince1970, item.protection.rawValue, date, item.isPublic,
        ]
        try insertion.execute(arguments: arguments)
        if db.changesCount == 0 {
            // A new row, so that the newest items have the largest numbers.
            let former = deleted
            try delete(where: "source = ? AND identifier = ?", [source, item.id])
            deleted = former
            try insertion.execute(arguments: arguments)
        }
        // As the view gives them when the item is deleted: FTS5 becomes damaged if they differ. Selecting from the view here
        // would make FTS5 write to the file after each item.
        let starts = "\u{1}\u{2}\(source)\u{3}\(item.protection.rawValue) \(columns.title) \(columns.names)"
        try db.cachedStatement(sql: "INSERT INTO word (rowid, title, names, text, starts) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [db.lastInsertedRowID, columns.title, columns.names, columns.text, starts])
    }

    func delete(where condition: String, _ arguments: StatementArguments) throws {
        // FTS5 needs the former texts to delete their words.
        try db.cachedStatement(
            sql: """
                INSERT INTO word (word, rowid, title, names, text, starts)
                SELECT 'delete', id, title, names, text, starts FROM indexed
                WHERE id IN (SELECT id FROM item WHERE \(condition))
                """
        ).execute(arguments: arguments)
        try db.cachedStatement(sql: "DELETE FROM item WHERE \(condition)").execute(arguments: arguments)
        deleted += db.changesCount
    }
}
