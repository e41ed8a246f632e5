public import FoundationEssentials
internal import GRDB
public import HunchModel

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
    /// - Returns: the counts; `scrubbing` says that no bytes of what was forgotten before are left.
    @discardableResult
    public func prune(now: Date) throws(HistoryError) -> ForgetReceipt {
        let settings = try settings()
        let limit = try write { db in
            let clock = try Clock(now, db)
            try clock.note(db)
            return settings.oldestKept(at: clock.believed)
        }
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
            // This is slow with a large history, so it runs at a start only if there is something to remove.
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
            receipt.scrubbing = try scrub()
        } else {
            let others = receipt.resumePoints + receipt.announcements + receipt.seenPlaces + receipt.stays
            if hasUnused || others > 0 {
                _ = try alone { try Self.emptyLog($0) }
            }
            receipt.scrubbing = .finished
        }
        return receipt
    }

    /// The date before which nothing is kept: what is older would be removed by the next ``prune(now:)``.
    static func oldestKept(_ settings: HistorySettings, now: Date, _ db: Database) throws -> Date {
        settings.oldestKept(at: try Clock(now, db).believed)
    }
}

extension HistorySettings {
    /// The date before which nothing is kept.
    fileprivate func oldestKept(at now: Date) -> Date { now.addingTimeInterval(Double(retentionDays) * -86_400) }
}

/// The clock as far as it is believed.
private struct Clock {
    /// The trusted current date.
    let believed: Date
    /// The values to store, by name; `nil` removes a value.
    private var notes: [String: Date?] = [:]

    /// - Parameter now: what the clock says.
    init(_ now: Date, _ db: Database) throws {
        func clock(_ name: String) throws -> Date? {
            try String.fetchOne(
                try db.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [name]
            ).flatMap(Int64.init).map(Stored.date)
        }
        let newest = { try Int64.fetchOne(db, sql: "SELECT max(date) FROM donation").map(Stored.date) }
        let before = try clock(HistorySettings.clockName) ?? newest() ?? now
        let day: TimeInterval = 86_400
        if now.timeIntervalSince(before) > HistoryLimits.clockGap {
            let passed = try clock(HistorySettings.clockAheadName).map { now.timeIntervalSince($0) } ?? -1
            guard (day...HistoryLimits.clockGap).contains(passed) else {
                if !(0..<day).contains(passed) { notes[HistorySettings.clockAheadName] = now }
                believed = before
                return
            }
        }
        notes[HistorySettings.clockName] = now
        notes[HistorySettings.clockAheadName] = .some(nil)
        believed = now
    }

    /// Writes down how far it is believed.
    func note(_ db: Database) throws {
        for (name, date) in notes {
            try HistoryStore.set(name, to: date.map { String(Stored.milliseconds($0)) }, db)
        }
    }
}

extension Date {
    /// Throws `tooOld` for what is not kept.
    ///
    /// - Parameters:
    ///   - oldest: the date before which nothing is.
    ///   - days: how many days that are, for the error.
    func check(keptSince oldest: Date, days: Int) throws(HistoryError) {
        guard Stored.milliseconds(self) < HistoryStore.lowerBound(oldest) else { return }
        throw HistoryError(
            .tooOld,
            "it was done more than \(days) days ago, and nothing that old is kept; “hunch keep --days” keeps longer")
    }
}
