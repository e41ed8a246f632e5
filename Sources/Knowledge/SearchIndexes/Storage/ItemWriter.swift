internal import FullText
internal import FoundationEssentials
internal import GRDB
internal import HunchModel

/// Writes items of one index within a transaction.
final class ItemWriter {
    let db: Database
    let source: Int64
    private let date: Double
    private(set) var deleted = 0
    /// The number of the last item.
    private var last: Int
    /// The changed items that take the places of others, and their identifiers. They are written together; see ``replace()``.
    private var replacing: [ItemColumns] = []
    private var replaced: Set<String> = []
    /// The identifiers of items that were deleted by name, and of seen or opened ones that were deleted with a domain.
    private var removed: [String] = []
    /// The statements that insert an item and its words, and that delete words.
    private let insertion, wordInsertion, wordDeletion: RepeatedStatement

    init(_ db: Database, id: Int64, date: Date = .distantPast) throws {
        self.db = db
        source = id
        self.date = date.timeIntervalSince1970
        last = try Int.fetchOne(db, sql: "SELECT max(id) >> \(ItemLengths.bits) FROM item") ?? 0
        insertion = try RepeatedStatement(
            """
            INSERT INTO item (id, source, identifier, date, domain, title, names, text, attributes, expiry, protection, modified,
                isPublic)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, identifier) DO NOTHING
            """, db)
        wordInsertion = try RepeatedStatement(
            "INSERT INTO word (rowid, title, names, text, starts) VALUES (?, ?, ?, ?, ?)", db)
        wordDeletion = try RepeatedStatement(
            "INSERT INTO word (word, rowid, title, names, text, starts) VALUES ('delete', ?, ?, ?, ?, ?)", db)
    }

    convenience init(_ db: Database, source: IndexSource, date: Date) throws {
        let arguments: StatementArguments = [source.application.rawValue, source.name]
        try db.execute(sql: "INSERT OR IGNORE INTO source (application, name) VALUES (?, ?)", arguments: arguments)
        let id = try Int64.fetchOne(
            db, sql: "SELECT id FROM source WHERE application = ? AND name = ?", arguments: arguments)
        try self.init(db, id: id ?? 0, date: date)
    }

    /// Carries out changes in their order.
    func carryOut(_ changes: [PreparedChanges.Change]) throws {
        for change in changes {
            if case .add(let item) = change { try add(item) } else { try replace() }
            try delete(change)
        }
        try replace()
        try removeEngagement()
    }

    /// Removes what the user did with deleted items, unless they were added again. It stays after `deleteAll`, with
    /// which apps begin to index again.
    private func removeEngagement() throws {
        guard !removed.isEmpty else { return }
        try db.execute(
            sql: """
                DELETE FROM engagement
                WHERE application = (SELECT application FROM source WHERE id = ?1)
                    AND name = (SELECT name FROM source WHERE id = ?1)
                    AND identifier IN (SELECT value FROM json_each(?2))
                    AND NOT EXISTS (
                        SELECT 1 FROM item WHERE item.source = ?1 AND item.identifier = engagement.identifier)
                """, arguments: [source, try ForgottenItems.json(removed)])
        removed = []
    }

    private func delete(_ change: PreparedChanges.Change) throws {
        switch change {
        case .add: break
        case .delete(let identifiers):
            removed += identifiers
            try delete(identifiers)
        case .deleteDomain(let domain):
            // “/” follows “.” in ASCII.
            let condition = "source = ? AND (domain = ? OR domain >= ? AND domain < ?)"
            let arguments: StatementArguments = [source, domain, domain + ".", domain + "/"]
            removed += try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT identifier FROM engagement WHERE identifier IN (
                        SELECT identifier FROM item WHERE \(condition))
                    """, arguments: arguments)
            try delete(where: condition, arguments)
        case .deleteAll: try delete(where: "source = ?", [source])
        }
    }

    /// Adds an item, or keeps it for ``replace()`` if there is another one with its identifier.
    private func add(_ item: ItemColumns) throws {
        if !replaced.contains(item.id), try insert(item) { return }
        // Apps add all of their items again and again, of which few have changed.
        if !replaced.contains(item.id), try isStored(item) { return }
        replacing.append(item)
        replaced.insert(item.id)
    }

    /// Replaces former items by the changed ones.
    ///
    /// FTS5 collects words in memory as long as the numbers of rows increase. So all former rows are deleted before the new
    /// ones are inserted, which takes a third of the time.
    private func replace() throws {
        guard !replacing.isEmpty else { return }
        let former = deleted
        try delete(replaced.sorted())
        let items = replacing
        (replacing, replaced) = ([], [])
        for item in items where try !insert(item) {
            // It is twice among the changes.
            try delete([item.id])
            _ = try insert(item)
        }
        deleted = former
    }

    /// Inserts an item and its words. Returns whether there was none with its identifier.
    private func insert(_ item: ItemColumns) throws -> Bool {
        // A new row, so that the newest items have the largest numbers.
        let row = (last + 1) << ItemLengths.bits | item.lengths.code
        try insert(item, row)
        guard db.changesCount > 0 else { return false }
        last += 1
        // FTS5 makes the same tokens of the view's texts when the item is deleted; it becomes damaged if they differ. Selecting
        // from the view here would make FTS5 write to the file after each item.
        let marks = ["\u{2}\(source)"] + (item.protection == 0 ? [] : ["\u{3}\(item.protection)"])
        let starts = item.starts.text(after: marks)
        try wordInsertion.execute { values in
            try values.add(row)
            for tokens in item.words { try values.add(tokens.text) }
            try values.add(starts)
        }
        return true
    }

    /// Returns whether an item is there in the same form.
    private func isStored(_ item: ItemColumns) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT title = ? AND names = ? AND text = ? AND attributes = ? AND domain IS ? AND expiry IS ?
                        AND protection = ? AND isPublic = ?
                    FROM item WHERE source = ? AND identifier = ?
                    """),
            arguments: [
                item.title, item.names, item.text, item.attributes, item.domain, item.expiry, item.protection,
                item.isPublic, source, item.id,
            ]) ?? false
    }

    private func insert(_ item: ItemColumns, _ row: Int) throws {
        try insertion.execute { values in
            try values.add(row)
            try values.add(source)
            try values.add(item.id)
            try values.add(item.date ?? date)
            try values.add(item.domain)
            for text in [item.title, item.names, item.text, item.attributes] { try values.add(text) }
            try values.add(item.expiry)
            try values.add(item.protection)
            try values.add(date)
            try values.add(item.isPublic)
        }
    }

    private func delete(_ identifiers: [String]) throws {
        try delete(
            where: "source = ? AND identifier IN (SELECT value FROM json_each(?))",
            [source, String(decoding: JSONEncoder().encode(identifiers), as: UTF8.self)])
    }

    func delete(where condition: String, _ arguments: StatementArguments) throws {
        // FTS5 needs the former texts to delete their words. One statement for all items would write them after each item.
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT id, title, names, text, starts FROM indexed
                    WHERE id IN (SELECT id FROM item WHERE \(condition)) ORDER BY id
                    """), arguments: arguments)
        while let row = try rows.next() {
            try wordDeletion.execute { values in
                try values.add(row[0] as Int64)
                for column in 1...4 { try values.add(row[column] as String) }
            }
        }
        try db.cachedStatement(sql: "DELETE FROM item WHERE \(condition)").execute(arguments: arguments)
        let count = db.changesCount
        deleted += count
        if count > 0 { try IndexNumber.staleEndings.set(to: 1, db) }
    }
}
