public import FoundationEssentials
internal import GRDB
public import HunchModel

// Which apps have indexed all of their content in this file. The others are asked for it.

/// A number about the file.
enum IndexNumber: String {
    /// The number of changes of indexes so far.
    case changes
    /// A random number that distinguishes the file from the one before it.
    case file
    /// A random number of the last removal of items whose bytes may still be in the file; 0 if there are none.
    case scrubRequest
    /// Whether deleted items may have left words in the table of ``WordEndings``: 1, or 0 if there are none.
    case staleEndings
    /// The numbers of results that the user saw and opened.
    case shown, opened
    /// The learned weights; see ``RankingWeights``.
    case queryWeight, itemWeight, applicationWeight, popularityWeight

    func value(_ db: Database, default other: Double = 0) throws -> Double {
        try Double.fetchOne(db.cachedStatement(sql: "SELECT value FROM number WHERE name = ?"), arguments: [rawValue])
            ?? other
    }

    func set(to value: Double, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO number VALUES (?, ?)").execute(arguments: [rawValue, value])
    }
}

extension IndexStore {
    /// The most items that ``expiringItems(after:before:)`` returns of one index.
    public static let expiringLimit = 1_000

    /// Returns a random number that the file got when it was created.
    public func fileNumber() throws(IndexError) -> Double {
        try wrapped { try database.read { try IndexNumber.file.value($0) } }
    }

    /// Returns the number of changes of indexes since the file was created. It is lower in an older copy of the file.
    public func changeCount() throws(IndexError) -> Double {
        try wrapped { try database.read { try IndexNumber.changes.value($0) } }
    }

    /// Returns the apps that have indexed all of their content.
    public func completeApplications() throws(IndexError) -> Set<AppID> {
        try wrapped {
            try database.read { db in
                Set(try String.fetchAll(db, sql: "SELECT application FROM complete").map { AppID($0) })
            }
        }
    }

    /// Marks the content of an app as complete, unless the file was replaced meanwhile.
    ///
    /// - Parameter file: the ``fileNumber()`` from before the app was asked.
    public func setComplete(_ application: AppID, file: Double) throws(IndexError) {
        try wrapped {
            try database.write { db in
                guard try IndexNumber.file.value(db) == file else { return }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO complete VALUES (?)", arguments: [application.rawValue])
            }
        }
    }

    /// Marks the content of an app as incomplete.
    ///
    /// - Parameter application: the app; `nil` for all apps.
    public func setIncomplete(_ application: AppID? = nil) throws(IndexError) {
        try wrapped {
            try database.write { db in
                try db.execute(
                    sql: "DELETE FROM complete WHERE ?1 IS NULL OR application = ?1",
                    arguments: [application?.rawValue])
            }
        }
    }

    /// Returns the identifiers of items that expire between two dates, that were not changed from a date on, and that the app
    /// was not asked to renew. The first to expire come first.
    public func expiringItems(
        after now: Date, before date: Date, changedBefore change: Date
    ) throws(IndexError) -> [IndexSource: [String]] {
        try wrapped {
            try database.read { db in
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT application, name, identifier FROM item JOIN source ON source.id = item.source
                        WHERE expiry > ? AND expiry <= ? AND modified < ? AND isRenewalAsked IS NULL
                        ORDER BY expiry LIMIT 100000
                        """,
                    arguments: [
                        now.timeIntervalSince1970, date.timeIntervalSince1970, change.timeIntervalSince1970,
                    ])
                var items: [IndexSource: [String]] = [:]
                while let row = try rows.next() {
                    let source = IndexSource(application: AppID(row[0] as String), name: row[1])
                    if items[source, default: []].count < Self.expiringLimit {
                        items[source, default: []].append(row[2])
                    }
                }
                return items
            }
        }
    }

    /// Stores that an app was asked at a date to renew items. Those that it changed since may be asked for again.
    public func setRenewalAsked(
        _ identifiers: [String], in source: IndexSource, at date: Date
    ) throws(IndexError) {
        try wrapped {
            try database.write { db in
                for identifier in identifiers {
                    try db.cachedStatement(
                        sql: """
                            UPDATE item SET isRenewalAsked = 1 WHERE identifier = ? AND modified < ? AND source =
                                (SELECT id FROM source WHERE application = ? AND name = ?)
                            """
                    ).execute(
                        arguments: [
                            identifier, date.timeIntervalSince1970, source.application.rawValue, source.name,
                        ])
                }
            }
        }
    }
}
