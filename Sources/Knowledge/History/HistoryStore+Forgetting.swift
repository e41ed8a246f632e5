public import HunchModel
public import PersonalStores
internal import Databases
internal import GRDB

/// The extent to which the bytes of forgotten rows are gone from the files.
public enum Scrubbing: UInt32, Sendable {
    /// No bytes are left.
    case finished = 0
    /// Some bytes are left, because another process reads the file.
    case readElsewhere = 1
    /// Some bytes are left, because the disk is full or not writable.
    case diskFull = 2
}

/// The result of forgetting.
public struct ForgetReceipt: Hashable, Sendable {
    /// Donations removed.
    public var donations = 0
    /// Engagements removed.
    public var engagements = 0
    /// Suggestions to which the removed engagements belong.
    public var shownSuggestions = 0
    /// Resume points removed.
    public var resumePoints = 0
    /// Muted pairs removed.
    public var mutedPairs = 0
    /// Announced items removed.
    public var announcements = 0
    /// Device policies removed, namely those of a forgotten device.
    public var devicePolicies = 0
    /// Places with a name of the user's removed.
    public var ownPlaces = 0
    /// Seen places removed.
    public var seenPlaces = 0
    /// Stays removed. A known place is removed with its last stay.
    public var stays = 0
    /// Damaged histories removed that had been set aside. Their rows cannot be told apart.
    public var setAsideFiles = 0
    /// The extent to which the bytes are gone from the files. If it is not `finished`, the rows are gone, and
    /// ``HistoryStore/scrub()`` or the next ``HistoryStore/prune(now:)`` finishes the work.
    public var scrubbing = Scrubbing.readElsewhere
    /// Whether the bytes are gone from the files too.
    public var isScrubbed: Bool { scrubbing == .finished }

    /// Creates a receipt with counts of zero.
    public init() {}

    /// The counts by table.
    public var counts: [ForgetCount: Int] {
        [
            .donations: donations, .engagements: engagements, .shownSuggestions: shownSuggestions,
            .resumePoints: resumePoints, .mutedPairs: mutedPairs, .announcements: announcements,
            .devicePolicies: devicePolicies, .ownPlaces: ownPlaces, .seenPlaces: seenPlaces, .stays: stays,
            .setAsideFiles: setAsideFiles,
        ]
    }
}

extension HistoryStore {
    /// Removes rows, and their bytes from every file of the store: database, logs, and files set aside.
    ///
    /// Afterwards, if the receipt says so, the files contain none of the forgotten text. Copies kept by the file system
    /// or the disk cannot be removed.
    ///
    /// - Throws: ``HistoryError`` if nothing was removed.
    public func forget(_ scope: ForgetScope) throws(HistoryError) -> ForgetReceipt {
        var receipt = try write { db in
            try Self.keepAppointmentOutcomes(in: scope, db)
            let receipt = try Self.each(scope, db, Self.delete)
            try Self.deleteUnusedPlaces(db)
            try Self.deleteUnused(db)
            try Self.set(HistorySettings.scrubPendingName, to: "1", db)
            return receipt
        }
        receipt.setAsideFiles = try files.removeSetAside()
        receipt.scrubbing = try scrub()
        return receipt
    }

    /// Returns the number of rows that ``forget(_:)`` would remove.
    ///
    /// - Throws: ``HistoryError``.
    public func counts(in scope: ForgetScope) throws(HistoryError) -> ForgetReceipt {
        try read { db in
            try Self.each(scope, db) { table, condition, db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(table) WHERE \(condition.sql)", arguments: condition.arguments)
                    ?? 0
            }
        }
    }

    /// Calls `act` with each table and the condition for its rows in a scope. Returns the numbers of rows.
    private static func each(
        _ scope: ForgetScope, _ db: Database,
        _ act: (_ table: String, ForgetConditions.Condition, Database) throws -> Int
    ) throws -> ForgetReceipt {
        var receipt = ForgetReceipt()
        let conditions = try ForgetConditions(scope, db)
        defer { ForgetConditions.remove(from: db) }
        // Each before the tables that its condition looks up.
        receipt.mutedPairs = try act("mutedPair", conditions.mutedPair, db)
        receipt.shownSuggestions =
            try Int.fetchOne(
                db, sql: "SELECT count(DISTINCT suggestion) FROM engagement WHERE \(conditions.engagement.sql)",
                arguments: conditions.engagement.arguments) ?? 0
        receipt.engagements = try act("engagement", conditions.engagement, db)
        _ = try act("suggestedItem", conditions.suggestedItem, db)
        receipt.resumePoints = try act("resumePoint", conditions.resumePoint, db)
        receipt.donations = try act("donation", conditions.donation, db)
        receipt.announcements = try act("announcement", conditions.announcement, db)
        receipt.devicePolicies = try act("devicePolicy", conditions.devicePolicy, db)
        receipt.ownPlaces = try act("ownPlace", conditions.ownPlace, db)
        receipt.seenPlaces = try act("seenPlace", conditions.seenPlace, db)
        // The table `stay` comes last: removing from it removes places, which the conditions above look up.
        receipt.stays = try act("stay", conditions.stay, db)
        return receipt
    }

    /// Returns the app of an action; `nil` if there is no such action.
    public func application(of row: ActionRow) throws(HistoryError) -> AppID? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT word.text AS application
                    FROM donation JOIN action ON action.id = donation.action JOIN word ON word.id = action.application
                    WHERE donation.id = ? AND donation.date = ?
                    """, arguments: [row.number, row.milliseconds])?.identifier("application")
        }
    }

    /// Returns the identifiers and addresses of the content that a scope concerns, by app: those of its actions and
    /// seen places. Copies of that content elsewhere record neither device nor kind.
    ///
    /// - Throws: ``HistoryError``.
    public func contents(in scope: ForgetScope) throws(HistoryError) -> [AppID: Set<String>] {
        guard scope.isToldByHistory else { return [:] }
        return try read { db in
            let conditions = try ForgetConditions(scope, db)
            defer { ForgetConditions.remove(from: db) }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT word.text AS application, donation.identifier AS identifier, parameters
                    FROM donation JOIN action ON action.id = donation.action JOIN word ON word.id = action.application
                    WHERE donation.id IN (SELECT id FROM donation WHERE \(conditions.donation.sql))
                    """, arguments: conditions.donation.arguments)
            let places = try Row.fetchAll(
                db,
                sql: """
                    SELECT application, content, related, url FROM seenPlace
                    WHERE \(conditions.seenPlace.sql)
                    """, arguments: conditions.seenPlace.arguments)
            var contents: [AppID: Set<String>] = [:]
            func add(_ names: [String?], of row: Row) {
                guard let application: AppID = row.identifier("application") else { return }
                contents[application, default: []].formUnion(names.compactMap(\.self))
            }
            for row in rows {
                let parameters = row.text("parameters").flatMap { Stored.value([String: String].self, json: $0) }
                add([row.text("identifier"), parameters?["item"], parameters?["uri"]], of: row)
            }
            for row in places { add(["content", "related", "url"].map(row.text), of: row) }
            return contents
        }
    }

    /// Rewrites the database without the removed rows and empties the log. On failure the store is unchanged.
    ///
    /// Needs free space of up to twice the size of the database. `secure_delete` alone does not suffice: it leaves
    /// copies where pages were split and joined, and the log holds older versions of pages.
    public func scrub() throws(HistoryError) -> Scrubbing {
        do throws(HistoryError) {
            return try alone { db in
                try db.vacuum()
                guard try Self.emptyLog(db) else { return .readElsewhere }
                try Self.set(HistorySettings.scrubPendingName, to: nil, db)
                return .finished
            }
        } catch {
            switch error.code {
            case .busy: return .readElsewhere
            case .diskFull, .inputOutput: return .diskFull
            default: throw error
            }
        }
    }

    /// Checkpoints and truncates the log. Returns `false` if a reader in another process still needs it.
    static func emptyLog(_ db: Database) throws -> Bool {
        do {
            _ = try db.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        }
    }

    /// Removes actions, words and names of suggestions to which no row refers.
    static func deleteUnused(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM suggestedItem WHERE suggestion NOT IN (SELECT suggestion FROM engagement)")
        try db.execute(
            sql: "DELETE FROM action WHERE NOT EXISTS (SELECT 1 FROM donation WHERE donation.action = action.id)")
        try deleteUnusedWords(db)
    }

    /// Removes words to which no row refers. Scans all rows.
    static func deleteUnusedWords(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM word WHERE id NOT IN (
                    SELECT application FROM action
                    UNION SELECT trigger FROM donation WHERE trigger IS NOT NULL
                    UNION SELECT device FROM donation WHERE device IS NOT NULL
                    UNION SELECT "group" FROM donation WHERE "group" IS NOT NULL
                    UNION SELECT further FROM donation WHERE further IS NOT NULL
                    UNION SELECT application FROM engagement
                    UNION SELECT trigger FROM engagement WHERE trigger IS NOT NULL
                    UNION SELECT device FROM engagement WHERE device IS NOT NULL
                    UNION SELECT further FROM engagement WHERE further IS NOT NULL)
                """)
    }

    private static func delete(_ table: String, _ condition: ForgetConditions.Condition, _ db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM \(table) WHERE \(condition.sql)", arguments: condition.arguments)
        return db.changesCount
    }
}

extension ForgetReceipt {
    /// The counts for a receipt, with ``scrubbing``.
    package var transfer: [ForgetCount: UInt32] {
        counts.mapValues { UInt32(clamping: $0) }.merging([.unfinished: scrubbing.rawValue]) { $1 }
    }
}
