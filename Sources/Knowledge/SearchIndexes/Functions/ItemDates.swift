internal import GRDB

/// The dates of items' content, remembered as long as the data stays the same.
///
/// While a user types, one search after the other compares nearly the same items. Reading the dates of thousands of them from
/// as many pages of the file took most of a search.
struct ItemDates {
    private static let limit = 20_000

    private var version = DataVersion()
    private var known: [Int64: Double] = [:]

    /// Returns the dates of items by their rows, in seconds since 1970.
    mutating func dates(of items: [Int64], _ db: Database) throws -> [Int64: Double] {
        let current = try DataVersion(db)
        if current != version || known.count + items.count > Self.limit { (version, known) = (current, [:]) }
        let unknown = items.filter { known[$0] == nil }
        guard !unknown.isEmpty else { return known }
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, date FROM item WHERE id IN (SELECT value FROM json_each(?))"),
            arguments: ["[" + unknown.map(String.init).joined(separator: ",") + "]"])
        while let row = try rows.next() { known[row[0]] = row[1] }
        return known
    }
}

/// A version of the data, by which values that were derived from it are known to hold.
struct DataVersion: Equatable {
    private var others = -1
    private var own = -1

    /// The version of no data.
    init() {}

    init(_ db: Database) throws {
        // The first one changes with commits of other connections, the second one with those of this one.
        others = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        own = db.totalChangesCount
    }
}
