public import FoundationEssentials
internal import GRDB

extension HistoryStore {
    /// Removes what is older than ``HistorySettings/retentionDays``, muted pairs excepted (they are what the person said, and
    /// hold until unmuted or forgotten), and set-aside files last written before that. Meant for start and once a day.
    ///
    /// Removed rows are overwritten in the database (`secure_delete`), and the log is emptied where no reader holds it.
    /// Copies of them that page splits made stay until ``scrub()``, which this calls when a ``forget(_:)`` was cut short.
    ///
    /// A clock that is suddenly more than ``HistoryLimits/clockGap`` ahead is not believed before a day has passed on it too:
    /// one that is set wrong for a while removes nothing. Until then what is past its time by the clock before goes.
    ///
    /// - Parameter now: the clock.
    /// - Returns: the counts; `isScrubbed` says that no bytes of what was forgotten before are left.
    @discardableResult
    public func prune(now: Date) throws(HistoryError) -> ForgetReceipt {
        let retention = Double(try settings().retentionDays) * 86_400
        let believed = try write { try Self.believed(now, $0) }
        let limit = Date(timeIntervalSince1970: believed.timeIntervalSince1970 - retention)
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

    /// The clock as far as it is believed, which is written down.
    private static func believed(_ now: Date, _ db: Database) throws -> Date {
        func clock(_ name: String) throws -> Date? {
            try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
                .flatMap(Int64.init).map(Stored.date)
        }
        func note(_ date: Date?, as name: String) throws {
            let text = date.map { String(Stored.milliseconds($0)) }
            try set(name, to: text, db)
        }
        let newest = try Int64.fetchOne(db, sql: "SELECT max(date) FROM donation").map(Stored.date)
        let before = try clock(HistorySettings.clockName) ?? newest ?? now
        let day: TimeInterval = 86_400
        if now.timeIntervalSince(before) > HistoryLimits.clockGap {
            let passed = try clock(HistorySettings.clockAheadName).map { now.timeIntervalSince($0) } ?? -1
            guard (day...HistoryLimits.clockGap).contains(passed) else {
                if !(0..<day).contains(passed) { try note(now, as: HistorySettings.clockAheadName) }
                return before
            }
        }
        try note(now, as: HistorySettings.clockName)
        try note(nil, as: HistorySettings.clockAheadName)
        return now
    }
}
