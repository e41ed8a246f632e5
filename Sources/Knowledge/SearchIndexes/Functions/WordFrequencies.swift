internal import FullText
internal import GRDB

/// The numbers of items that contain a word, or match an expression of FTS5, remembered as long as the data stays the same.
struct WordFrequencies {
    /// The most items of a word that are counted. The number beyond is estimated from the newest ones.
    private static let counted = 1_000
    private static let limit = 10_000

    private var version = DataVersion()
    /// The largest number of a row.
    private var rows = 0.0
    private var known: [String: Double] = [:]
    /// The number of items in the scope.
    private(set) var items = 0.0
    private var scope = SearchScope(sources: nil, hidden: nil)
    /// Whether some items do not count.
    var isScoped: Bool { scope.phrases > 0 }

    /// Prepares for a search. Forgets the numbers if the data or the scope has changed.
    mutating func update(_ db: Database, _ scope: SearchScope) throws {
        let current = try DataVersion(db)
        if current != version || scope != self.scope {
            version = current
            self.scope = scope
            known = [:]
        }
        // Rows are numbered in the order in which they were indexed. Gaps of deleted ones make the numbers too large.
        rows = Double(try Int.fetchOne(db, sql: "SELECT max(id) >> \(ItemLengths.bits) FROM item") ?? 0)
        items = try scope.sources.map { try count($0, db) } ?? rows
    }

    /// Returns the number of items divided by the highest number of a row. The estimates of this type also count deleted items,
    /// which leave gaps in the numbers.
    ///
    /// - Parameter expression: an expression that some items match.
    func density(_ expression: String, _ db: Database) throws -> Double {
        let count = try Double.fetchOne(
            db.cachedStatement(sql: "SELECT item_count(word) FROM word WHERE word MATCH ? LIMIT 1"),
            arguments: [expression])
        return (count ?? rows) / max(rows, 1)
    }

    /// Returns the number of items that match an expression.
    mutating func count(_ expression: String, _ db: Database) throws -> Double {
        if let known = known[expression] { return known }
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*), min(id) >> \(ItemLengths.bits) FROM
                        (SELECT rowid AS id FROM word WHERE word MATCH ? ORDER BY rowid DESC LIMIT \(Self.counted))
                    """), arguments: [scope.limiting(expression)])
        let count: Int = row?[0] ?? 0
        var estimate = Double(count)
        if count == Self.counted, let oldest: Int = row?[1] {
            estimate = Double(count) * rows / max(1, rows - Double(oldest) + 1)
        }
        if known.count >= Self.limit { known = [:] }
        known[expression] = estimate
        return estimate
    }
}
