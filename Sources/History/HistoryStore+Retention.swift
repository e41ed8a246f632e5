public import FoundationEssentials
internal import GRDB

extension HistoryStore {
    /// Removes what is older than ``HistorySettings/retentionDays``, muted pairs excepted (they are what the person said, and
    /// hold until unmuted or forgotten), and set-aside files last written before that. Meant for start and once a day.
    ///
    /// Removed rows are overwritten in the database (`secure_delete`), and the log is emptied where no reader holds it.
    /// Copies of them that page splits made stay until ``scrub()``, which this calls when a ``forget(_:)`` was cut short.
    ///
    /// - Returns: the counts; `isScrubbed` says that no bytes of what was forgotten before are left.
    @discardableResult
    public func prune(now: Date) throws(HistoryError) -> ForgetReceipt {
        let retention = Double(try settings().retentionDays) * 86_400
        let limit = Date(timeIntervalSince1970: now.timeIntervalSince1970 - retention)
        let bound = Self.lowerBound(limit)
        var hasUnused = false
        var receipt = try write { db in
            var receipt = ForgetReceipt()
            func delete(_ table: String) throws -> Int {
                try db.execute(sql: "DELETE FROM \(table) WHERE date < ?", arguments: [bound])
                return db.changesCount
            }
            receipt.donations = try delete("donation")
            receipt.engagements = try delete("engagement")
            receipt.resumePoints = try delete("resumePoint")
            receipt.announcements = try delete("announcement")
            receipt.seenPlaces = try delete("seenPlace")
            receipt.stays = try delete("stay")
            if receipt.stays > 0 { try Self.deleteUnusedPlaces(db) }
            // It takes its time with a large history: at a start only when there is something to remove.
            let name = HistorySettings.unusedWordsName
            hasUnused =
                try receipt.donations + receipt.engagements > 0
                || Row.fetchOne(db, sql: "SELECT 1 FROM setting WHERE name = ?", arguments: [name]) != nil
            if hasUnused {
                try Self.deleteUnused(db)
                try Self.set(name, to: nil, db)
            }
            return receipt
        }
        receipt.setAsideFiles = try files.removeSetAside(before: limit)
        let isPending = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT 1 FROM setting WHERE name = ?", arguments: [HistorySettings.scrubPendingName])
        }
        if isPending == true {
            receipt.isScrubbed = try scrub()
        } else {
            let others = receipt.resumePoints + receipt.announcements + receipt.seenPlaces + receipt.stays
            if hasUnused || others > 0 {
                _ = try alone { try Self.emptyLog($0) }
            }
            receipt.isScrubbed = true
        }
        return receipt
    }
}
