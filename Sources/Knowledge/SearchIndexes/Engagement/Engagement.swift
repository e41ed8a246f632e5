internal import GRDB
internal import Glibc
internal import HunchModel

/// The counts of earlier results that a search needs.
struct Engagement {
    /// The key of counts: an app's index and an item, in searches for some words. Counts of all searches have no words, and
    /// counts of an app have no item.
    struct Key: Hashable {
        let application: String
        var index = ""
        var item = ""
        var query = ""
    }

    /// The most rows that are kept. The ones that were changed longest ago are removed.
    static let limit = 20_000
    /// The most rows of searches for such words.
    private static let queryLimit = 500
    /// The fewest letters of words that count for longer words.
    private static let shortestBeginning = 3

    private let query: String
    private let now: Double
    private let weights: RankingWeights
    /// The rate at which results are opened.
    private let usual: Double
    /// The counts in searches for such words.
    private let ofQuery: [Key: EngagementCounts]
    /// The counts of apps that were read so far. Most items of a search are of one app.
    private var ofApplications: [String: EngagementCounts] = [:]

    /// Reads what concerns a search. Returns `nil` if the user never opened a result.
    init?(_ query: String, now: Double, _ db: Database) throws {
        let shown = try IndexNumber.shown.value(db)
        guard shown > 0 else { return nil }
        // The prior: one of three results is opened. A user who always opens the first one must not make openings
        // worthless.
        usual = min((try IndexNumber.opened.value(db) + 10) / (shown + 30), 0.5)
        self.query = query
        self.now = now
        weights = try RankingWeights(db)
        ofQuery = try Self.counts(ofQuery: query, now, db)
    }

    /// Returns the counts of items in searches for words that begin with some words, and for beginnings of them: the user
    /// types as many letters as they need.
    private static func counts(ofQuery query: String, _ now: Double, _ db: Database) throws -> [Key: EngagementCounts] {
        guard !query.isEmpty else { return [:] }
        let beginnings = query.indices.dropFirst(shortestBeginning).map { String(query[..<$0]) }
        let marks = beginnings.map { _ in "?" }.joined(separator: ",")
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT application, name, identifier, shown, opened, date FROM engagement
                WHERE (query >= ? AND query < ? OR query IN (\(marks))) AND query <> '' LIMIT \(queryLimit)
                """, arguments: StatementArguments([query, query + "\u{10FFFF}"] + beginnings))
        var counts: [Key: EngagementCounts] = [:]
        while let row = try rows.next() {
            let key = Key(application: row[0], index: row[1], item: row[2])
            let stored = EngagementCounts(shown: row[3], opened: row[4]).decayed(after: now - (row[5] as Double))
            counts[key] = counts[key, default: EngagementCounts()] + stored
        }
        return counts
    }

    /// Returns the rows of the items that the user saw or opened in searches for such words.
    func rows(_ db: Database) throws -> Set<Int64> {
        let statement = try db.cachedStatement(
            sql: """
                SELECT item.id FROM source JOIN item ON item.source = source.id AND item.identifier = ?
                WHERE source.application = ? AND source.name = ?
                """)
        return try Set(
            ofQuery.keys.compactMap { key in
                try Int64.fetchOne(statement, arguments: [key.item, key.application, key.index])
            })
    }

    /// Returns the factors of an item with its engagement.
    mutating func complete(_ factors: RankingFactors, of item: Key, _ db: Database) throws -> RankingFactors {
        var factors = factors
        let ofApplication =
            try ofApplications[item.application] ?? Self.counts(Key(application: item.application), now, db)
        ofApplications[item.application] = ofApplication
        let counts = try [ofQuery[item] ?? EngagementCounts(), Self.counts(item, now, db), ofApplication]
        for (index, counts) in counts.enumerated() { factors.evidence[index] = counts.evidence(usual: usual) }
        func engagement(_ index: Int) -> RankingFactors.Engagement {
            .init(counts: counts[index], factor: exp(weights.values[index] * factors.evidence[index]))
        }
        (factors.query, factors.item, factors.application) = (engagement(0), engagement(1), engagement(2))
        return factors
    }

    private static func counts(_ key: Key, _ now: Double, _ db: Database) throws -> EngagementCounts {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT shown, opened, date FROM engagement
                    WHERE application = ? AND name = ? AND identifier = ? AND query = ?
                    """), arguments: [key.application, key.index, key.item, key.query])
        guard let row else { return EngagementCounts() }
        return EngagementCounts(shown: row[0], opened: row[1]).decayed(after: now - (row[2] as Double))
    }

    // MARK: Learning

    /// Stores that the user opened an item, and passed over others.
    ///
    /// - Parameter query: the words of the search; empty if there was none.
    static func record(opened: Key, passed: [Key], query: String, now: Double, _ db: Database) throws {
        for (item, isOpened) in passed.map({ ($0, false) }) + [(opened, true)] {
            var keys = [item, Key(application: item.application)]
            if !query.isEmpty {
                keys.append(Key(application: item.application, index: item.index, item: item.item, query: query))
            }
            for key in keys {
                var counts = try counts(key, now, db)
                counts.shown += 1
                if isOpened { counts.opened += 1 }
                try db.cachedStatement(
                    sql: """
                        INSERT INTO engagement VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET
                            shown = ?5, opened = ?6, date = ?7, lastOpened = coalesce(?8, lastOpened)
                        """
                ).execute(
                    arguments: [
                        key.application, key.index, key.item, key.query, counts.shown, counts.opened, now,
                        isOpened ? now : nil,
                    ])
            }
        }
        try IndexNumber.shown.set(to: IndexNumber.shown.value(db) + Double(passed.count) + 1, db)
        try IndexNumber.opened.set(to: IndexNumber.opened.value(db) + 1, db)
        try db.execute(
            sql: """
                DELETE FROM engagement WHERE date < (SELECT date FROM engagement ORDER BY date DESC LIMIT 1 OFFSET ?)
                """, arguments: [limit])
    }
}
