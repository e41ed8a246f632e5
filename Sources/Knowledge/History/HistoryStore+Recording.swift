public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Records a donation. See ``record(_:now:)-(Array<Donation>,_)``.
    @discardableResult
    public func record(_ donation: Donation, now: Date) throws(HistoryError) -> RecordOutcome {
        try record([donation], now: now).first ?? .notEnabled
    }

    /// Records donations in order, in one transaction with one sync.
    ///
    /// Afterwards every donation with the outcome `recorded` is on disk, and the newest ``HistoryLimits/donations`` are
    /// kept. Dates are stored to the millisecond. Donations older than ``HistorySettings/retentionDays``, which
    /// ``prune(now:)`` would remove, are refused with `tooOld`.
    ///
    /// - Parameters:
    ///   - donations: at most ``HistoryLimits/batch``.
    ///   - now: the current time, for pauses and retention, and to refuse dates more than a day ahead.
    /// - Returns: one outcome for each donation, in the same order.
    /// - Throws: ``HistoryError`` if nothing was written: `invalidInput` for too large a batch, `diskFull`, `busy`, ….
    @discardableResult
    public func record(_ donations: [Donation], now: Date) throws(HistoryError) -> [RecordOutcome] {
        try recordBatch(donations, now: now)
    }

    /// Records an engagement. See ``record(_:now:)-(Array<Engagement>,_)``.
    @discardableResult
    public func record(_ engagement: Engagement, now: Date) throws(HistoryError) -> RecordOutcome {
        try record([engagement], now: now).first ?? .notEnabled
    }

    /// Records engagements with the guarantees for donations. The newest ``HistoryLimits/engagements`` are kept.
    @discardableResult
    public func record(_ engagements: [Engagement], now: Date) throws(HistoryError) -> [RecordOutcome] {
        try recordBatch(engagements, now: now)
    }

    /// Stores a resume point, replacing that of the same device and app. Keeps the newest
    /// ``HistoryLimits/resumePoints``.
    @discardableResult
    public func remember(_ point: ResumePoint, now: Date) throws(HistoryError) -> RecordOutcome {
        try recordBatch([point], now: now).first ?? .notEnabled
    }

    /// Removes all but the newest rows by arrival.
    static func trim(_ table: String, to limit: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(table) WHERE id <= (SELECT max(id) FROM \(table)) - ?", arguments: [limit])
    }

    /// Records all acceptable items in order, in one transaction, if anything may be recorded now.
    func recordBatch<Item: Recordable>(_ items: [Item], now: Date) throws(HistoryError) -> [RecordOutcome] {
        guard items.count <= HistoryLimits.batch else {
            throw .invalidInput(localized("%1 items in one call; the limit is %2", items.count, HistoryLimits.batch))
        }
        return try write { db in
            let settings = try HistorySettings(db)
            if let refusal = settings.refusal(at: now) { return items.map { _ in refusal } }
            if let veto { return items.map { _ in .withheld(reason: veto.description) } }
            let excluded = try NameList.exclusions.names(db)
            let oldest = try Self.oldestKept(settings, now: now, db)
            let outcomes = try items.map { item throws -> RecordOutcome in
                if let reason = settings.reasonToWithhold(item.application, item.withheldAs, excluded) {
                    return .withheld(reason: reason)
                }
                do throws(HistoryError) {
                    try item.check(now: now)
                    try item.date.check(keptSince: oldest, days: settings.retentionDays)
                } catch {
                    return .refused(error)
                }
                try item.insert(db)
                return .recorded
            }
            try Item.trim(db)
            return outcomes
        }
    }

    package static func action(of donation: Donation, _ db: Database) throws -> Int64 {
        let key: StatementArguments = [
            try db.word(donation.application.rawValue), donation.kind.rawValue, try Stored.json(donation.parameters),
        ]
        let query = try db.cachedStatement(
            sql: "SELECT id FROM action WHERE application = ? AND kind = ? AND parameters = ?")
        if let known = try Int64.fetchOne(query, arguments: key) { return known }
        try db.cachedStatement(
            sql: "INSERT INTO action (application, kind, parameters, combination) VALUES (?, ?, ?, ?)"
        )
        .execute(arguments: key + [donation.combination.map { try Stored.json($0) }])
        return db.lastInsertedRowID
    }
}
