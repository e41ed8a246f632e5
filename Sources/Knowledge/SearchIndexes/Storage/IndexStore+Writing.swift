internal import FullText
public import FoundationEssentials
internal import Databases
internal import GRDB
public import HunchModel
internal import Localization
internal import Synchronization

/// A named index of an app.
public struct IndexSource: Hashable, Sendable {
    /// The name of the index with the activities of an app. Apps cannot change it themselves.
    public static let activities = "org.hunch.activities"
    /// The longest name, in bytes.
    public static let nameLimit = 255
    /// The largest client state, in bytes.
    public static let stateLimit = 250

    /// The app's desktop identifier, or `script:NAME`.
    public let application: AppID
    /// The name that the app gave it.
    public let name: String

    /// Creates the name of an index.
    public init(application: AppID, name: String) {
        self.application = application
        self.name = name
    }

    /// Checks the length of the name.
    ///
    /// - Throws: ``IndexError`` `invalidInput`.
    public func check() throws(IndexError) {
        guard (1...Self.nameLimit).contains(name.utf8.count) else {
            throw IndexError(
                .invalidInput, localized("the name of an index must have 1 to %1 bytes", Self.nameLimit))
        }
    }
}

/// A change of an index.
public enum IndexChange: Hashable, Sendable {
    /// Adds an item, in place of the one with the same identifier. One that has not changed stays as it is.
    case add(SearchableItem)
    /// Deletes the items with these identifiers.
    case delete([String])
    /// Deletes the items of a domain and of the domains below.
    case deleteDomain(String)
    /// Deletes all items. Without items or a client state for it in the same changes, the index is removed.
    case deleteAll
}

/// Changes whose items were checked and are in the form in which they are stored, with the tokens of their words.
///
/// An import prepares changes while the ones before are written.
public struct PreparedChanges: Sendable {
    enum Change {
        case add(ItemColumns)
        case delete([String])
        case deleteDomain(String)
        case deleteAll
    }

    let changes: [Change]
    /// The long words of the added items; see ``WordEndings``.
    let endings: [String]
    /// The language of the stems.
    let language: String
    /// Whether they add items, and whether they leave an index without any.
    let adds, deletesAll: Bool

    fileprivate init(_ changes: [IndexChange], language: String) throws(IndexError) {
        let stemmer = Stemmer(language: language)
        var prepared: [Change] = []
        var endings: Set<String> = []
        prepared.reserveCapacity(changes.count)
        for change in changes {
            switch change {
            case .add(let item):
                if let problem = item.problem {
                    throw IndexError(.invalidInput, localized("item “%1”: %2", item.id, problem))
                }
                let columns = ItemColumns(item, stemmer: stemmer)
                for tokens in columns.words { WordEndings.collect(tokens, into: &endings) }
                prepared.append(.add(columns))
            case .delete(let identifiers): prepared.append(.delete(identifiers))
            case .deleteDomain(let domain): prepared.append(.deleteDomain(domain))
            case .deleteAll: prepared.append(.deleteAll)
            }
        }
        self.changes = prepared
        self.endings = endings.sorted()
        adds = changes.contains { if case .add = $0 { true } else { false } }
        deletesAll = !adds && changes.contains(.deleteAll)
        self.language = language
    }
}

extension IndexStore {
    /// The size from which on no items are added to the file, in bytes.
    private static let sizeLimit = 4 << 30

    /// Prepares changes. Needs no access to the file.
    ///
    /// - Throws: ``IndexError`` `invalidInput` for an item that cannot be indexed.
    public func prepare(_ changes: [IndexChange]) throws(IndexError) -> PreparedChanges {
        try PreparedChanges(changes, language: language)
    }

    /// Carries out changes of an index, all or none, in their order.
    ///
    /// - Parameters:
    ///   - state: the client state that is stored with them, at most ``IndexSource/stateLimit`` bytes; `nil` keeps the former,
    ///     unless all items are deleted.
    ///   - now: the date of the change.
    /// - Returns: the number of deleted items; replaced ones do not count.
    /// - Throws: ``IndexError`` `invalidInput` for an item that cannot be indexed, `tooLarge`, `storage`, `busy` or `diskFull`.
    @discardableResult
    public func write(
        _ changes: [IndexChange], to source: IndexSource, state: [UInt8]? = nil, now: Date
    ) throws(IndexError) -> Int {
        try write(prepare(changes), to: source, state: state, now: now)
    }

    /// Carries out prepared changes of an index, as `write` does with others.
    @discardableResult
    public func write(
        _ prepared: PreparedChanges, to source: IndexSource, state: [UInt8]? = nil, now: Date
    ) throws(IndexError) -> Int {
        guard state?.count ?? 0 <= IndexSource.stateLimit else {
            throw IndexError(
                .invalidInput, localized("the client state has more than %1 bytes", IndexSource.stateLimit))
        }
        try source.check()
        return try wrapped {
            try database.write { db in
                guard try Self.language(db) == prepared.language else {
                    throw IndexError(
                        .busy, localized("the language of the search index has changed meanwhile; start again"))
                }
                guard try !prepared.adds || Self.size(db) < Self.sizeLimit else {
                    throw IndexError(
                        .tooLarge,
                        localized(
                            "the search index has %1 GiB; “hunch index list” shows what is in it", Self.sizeLimit >> 30)
                    )
                }
                let writer = try ItemWriter(db, source: source, date: now)
                if let state {
                    try db.execute(
                        sql: "UPDATE source SET state = ? WHERE id = ?", arguments: [Data(state), writer.source])
                }
                try writer.carryOut(prepared.changes)
                let added = try endings.withLock { try $0.unknown(among: prepared.endings, db) }
                try WordEndings.add(added, db)
                db.afterNextTransaction(onCommit: { _ in self.endings.withLock { $0.remember(added) } })
                if prepared.deletesAll, state == nil {
                    try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [writer.source])
                }
                try IndexNumber.changes.set(to: IndexNumber.changes.value(db) + 1, db)
                return writer.deleted
            }
        }
    }

    /// Returns whether another index of the same app has an item with one of these identifiers.
    public func hasItem(_ identifiers: [String], besides source: IndexSource) throws(IndexError) -> Bool {
        try wrapped {
            try database.read { db in
                try identifiers.contains { identifier in
                    try Bool.fetchOne(
                        db,
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM item WHERE identifier = ? AND source IN
                                (SELECT id FROM source WHERE application = ? AND name <> ?))
                            """, arguments: [identifier, source.application.rawValue, source.name]) ?? false
                }
            }
        }
    }

    /// Deletes the oldest items of an index beyond a number.
    public func trim(_ source: IndexSource, to count: Int) throws(IndexError) {
        try wrapped {
            try database.write { db in
                try ItemWriter(db, id: 0).delete(
                    where: """
                        id IN (SELECT item.id FROM item JOIN source ON source.id = item.source
                            WHERE application = ? AND name = ? ORDER BY item.id DESC LIMIT -1 OFFSET ?)
                        """, [source.application.rawValue, source.name, count])
            }
        }
    }

    /// Returns the client state that was stored with the last changes of an index; `nil` without one.
    public func state(of source: IndexSource) throws(IndexError) -> [UInt8]? {
        try wrapped {
            try database.read { db in
                try Data.fetchOne(
                    db, sql: "SELECT state FROM source WHERE application = ? AND name = ?",
                    arguments: [source.application.rawValue, source.name]
                ).map(Array.init)
            }
        }
    }

    /// Returns the names of an app's indexes.
    public func names(of application: AppID) throws(IndexError) -> Set<String> {
        try wrapped {
            try database.read { db in
                try Set(
                    String.fetchAll(
                        db, sql: "SELECT name FROM source WHERE application = ?", arguments: [application.rawValue]))
            }
        }
    }

    /// Returns the identifiers of the items of an index.
    ///
    /// - Parameter domains: the domains, with those below them; `nil` for all items.
    public func identifiers(in source: IndexSource, domains: [String]? = nil) throws(IndexError) -> [String] {
        try wrapped {
            try database.read { db in
                let own = "source = (SELECT id FROM source WHERE application = ? AND name = ?)"
                let names: StatementArguments = [source.application.rawValue, source.name]
                guard let domains else {
                    return try String.fetchAll(db, sql: "SELECT identifier FROM item WHERE \(own)", arguments: names)
                }
                return try domains.flatMap { domain in
                    try String.fetchAll(
                        db,
                        sql: """
                            SELECT identifier FROM item
                            WHERE \(own) AND (domain = ? OR domain >= ? AND domain < ?)
                            """, arguments: names + [domain, domain + ".", domain + "/"])
                }
            }
        }
    }

    /// Returns the number of items of an app, in all its indexes.
    public func itemCount(of application: AppID) throws(IndexError) -> Int {
        try wrapped {
            try database.read { db in
                try Int.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT count(*) FROM item WHERE source IN (SELECT id FROM source WHERE application = ?)
                            """), arguments: [application.rawValue]) ?? 0
            }
        }
    }

    /// Returns the size of the data in bytes, without the log.
    private static func size(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")) ?? 0
    }

    /// Returns the indexes with the numbers of their items, by app and name.
    public func sources() throws(IndexError) -> [(source: IndexSource, items: Int)] {
        try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT application, name, (SELECT count(*) FROM item WHERE source = source.id) FROM source
                        ORDER BY application, name
                        """
                ).map { (IndexSource(application: AppID($0[0] as String), name: $0[1]), $0[2]) }
            }
        }
    }

    /// Removes an index with its items and its client state, or some of its items, and what the user did with them.
    ///
    /// - Parameters:
    ///   - identifiers: the items; `nil` for the whole index.
    ///   - isScrubbed: whether to rewrite the file, so that none of their bytes remain in it. This takes long for a
    ///     large file.
    /// - Returns: the number of removed items; `nil` if there is no such index.
    public func remove(
        _ source: IndexSource, identifiers: [String]? = nil, isScrubbed: Bool = true
    ) throws(IndexError) -> Int? {
        let removed: Int? = try wrapped {
            try database.write { db in
                guard
                    let id = try Int64.fetchOne(
                        db, sql: "SELECT id FROM source WHERE application = ? AND name = ?",
                        arguments: [source.application.rawValue, source.name])
                else { return nil }
                let writer = try ItemWriter(db, id: id)
                try writer.carryOut([identifiers.map { .delete($0) } ?? .deleteAll])
                if identifiers == nil {
                    try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
                    try db.execute(
                        sql: "DELETE FROM engagement WHERE application = ? AND name = ?",
                        arguments: [source.application.rawValue, source.name])
                } else if writer.deleted > 0 {
                    try Self.removeUnusedEngagement(db)
                }
                if isScrubbed, identifiers == nil || writer.deleted > 0 { try Self.requestScrub(db) }
                try IndexNumber.changes.set(to: IndexNumber.changes.value(db) + 1, db)
                return writer.deleted
            }
        }
        // Also after an earlier attempt that was interrupted.
        if isScrubbed { try scrubIfPending() }
        return removed
    }

    /// Removes what the user did with items that are gone.
    static func removeUnusedEngagement(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM engagement WHERE identifier <> '' AND NOT EXISTS (
                    SELECT 1 FROM item JOIN source ON source.id = item.source
                    WHERE source.application = engagement.application AND source.name = engagement.name
                        AND item.identifier = engagement.identifier)
                """)
    }

    /// Removes items that have expired, what the user did with items that are gone, and the words that only deleted items
    /// had from the table of compounds.
    ///
    /// - Returns: the number of removed items.
    @discardableResult
    public func removeExpired(now: Date) throws(IndexError) -> Int {
        try wrapped {
            try database.write { db in
                let writer = try ItemWriter(db, id: 0)
                try writer.delete(where: "expiry <= ?", [now.timeIntervalSince1970])
                try Self.removeUnusedEngagement(db)
                if try IndexNumber.staleEndings.value(db) > 0 {
                    endings.withLock { $0 = AddedEndings() }
                    try WordEndings.fill(db)
                }
                return writer.deleted
            }
        }
    }

    /// Rewrites the file without removed items, and empties its log.
    ///
    /// FTS5 marks the words of deleted items only. Merging all segments removes them (before SQLite 3.42, which can remove
    /// them at once, this is the only way).
    public func scrub() throws(IndexError) {
        try wrapped {
            try database.writeWithoutTransaction { db in
                let request = try IndexNumber.scrubRequest.value(db)
                try db.execute(sql: "INSERT INTO word (word) VALUES ('optimize')")
                endings.withLock { $0 = AddedEndings() }
                try db.inTransaction {
                    try WordEndings.fill(db)
                    return .commit
                }
                try db.vacuum()
                // Throws while another process reads.
                try db.checkpoint(.truncate)
                // Another process may have removed items meanwhile.
                try db.execute(
                    sql: "UPDATE number SET value = 0 WHERE name = ? AND value = ?",
                    arguments: [IndexNumber.scrubRequest.rawValue, request])
            }
        }
    }

    /// Lets the log grow to 64 MB before it is copied into the file: an import would wait for the disk after each batch.
    ///
    public func beginImport() throws(IndexError) {
        try wrapped {
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 8000") }
        }
    }

    /// Copies the log into the file and empties it, so that the texts of items that apps deleted are in neither. FTS5 keeps their
    /// words until it merges them with others; see ``scrub()``.
    ///
    /// - Throws: ``IndexError`` `busy` while another process reads.
    public func checkpoint() throws(IndexError) {
        try wrapped {
            _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
    }

    /// Stores that the bytes of removed items are still in the file.
    static func requestScrub(_ db: Database) throws {
        try IndexNumber.scrubRequest.set(to: Double.random(in: 1...1e15).rounded(), db)
    }

    /// Scrubs the file if items were removed or forgotten and ``scrub()`` has not succeeded since.
    public func scrubIfPending() throws(IndexError) {
        let isPending = try wrapped { try database.read { try IndexNumber.scrubRequest.value($0) > 0 } }
        if isPending { try scrub() }
    }
}
