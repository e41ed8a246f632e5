public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Removes rows older than ``HistorySettings/retentionDays``, and set-aside files last written before that. Muted
    /// apps stay until unmuted or forgotten, since the user decided on them. Muted places and events go, because they say
    /// what was on the screen. Call this at start and once a day.
    ///
    /// Removed rows are overwritten in the database (`secure_delete`), and the log is emptied unless a reader holds it.
    /// Copies that page splits made stay until ``scrub()``. This method calls it if a ``forget(_:)`` was interrupted.
    ///
    /// If the clock jumps ahead by more than ``HistoryLimits/clockGap``, it is not trusted until a day has passed on
    /// it: a clock that is wrong for a while removes nothing. Until then the last trusted time decides which rows are
    /// too old.
    ///
    /// - Parameter now: the time of the clock.
    /// - Returns: the counts. `scrubbing` is `finished` if no bytes of previously forgotten rows are left.
    @discardableResult
    public func prune(now: Date) throws(HistoryError) -> ForgetReceipt {
        let settings = try settings()
        let limit = try write { db in
            let clock = try Clock(now, db)
            try clock.note(db)
            return settings.oldestKept(at: clock.trusted)
        }
        let bound = limit.milliseconds
        var hasUnused = false
        var receipt = try write { db in
            var receipt = ForgetReceipt()
            func delete(_ table: String, _ condition: String = "") throws -> Int {
                try db.execute(sql: "DELETE FROM \(table) WHERE date < ? \(condition)", arguments: [bound])
                return db.changesCount
            }
            receipt.donations = try delete("donation")
            receipt.engagements = try delete("engagement")
            receipt.resumePoints = try delete("resumePoint")
            receipt.announcements = try delete("announcement")
            // A reservation is kept until it begins.
            receipt.seenPlaces = try delete("seenPlace", "AND ifnull(start, 0) < \(bound)")
            receipt.stays = try delete("stay")
            try Self.deleteAppointmentOutcomes(before: now, db)
            receipt.mutedPairs = try delete("mutedPair", "AND subject <> ''")
            if receipt.stays > 0 { try Self.deleteUnusedPlaces(db) }
            // Slow for a large history, so at start this runs only if there is something to remove.
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
            let others =
                receipt.resumePoints + receipt.announcements + receipt.seenPlaces + receipt.stays + receipt.mutedPairs
            if hasUnused || others > 0 {
                _ = try alone { try Self.emptyLog($0) }
            }
            receipt.scrubbing = .finished
        }
        return receipt
    }

    /// Returns the date before which the next ``prune(now:)`` would remove rows.
    package static func oldestKept(_ settings: HistorySettings, now: Date, _ db: Database) throws -> Date {
        settings.oldestKept(at: try Clock(now, db).trusted)
    }
}

extension HistorySettings {
    /// Returns the date before which nothing is kept.
    fileprivate func oldestKept(at now: Date) -> Date { now.addingTimeInterval(Double(retentionDays) * -86_400) }
}

/// The system clock, checked for forward jumps.
private struct Clock {
    /// The time to use as the current time: that of the clock, or the last trusted time after a jump.
    let trusted: Date
    /// The settings to write, by name. `nil` removes a setting.
    private var notes: [String: Date?] = [:]

    /// - Parameter now: the time of the clock.
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
                trusted = before
                return
            }
        }
        notes[HistorySettings.clockName] = now
        notes[HistorySettings.clockAheadName] = .some(nil)
        trusted = now
    }

    /// Writes the last trusted time, or the time of the jump, to the settings.
    func note(_ db: Database) throws {
        for (name, date) in notes {
            try HistoryStore.set(name, to: date.map { String($0.milliseconds) }, db)
        }
    }
}

extension Date {
    /// Throws `tooOld` for a date outside the retention period.
    ///
    /// - Parameters:
    ///   - oldest: the date before which nothing is kept.
    ///   - days: the retention period in days, for the error message.
    func check(keptSince oldest: Date, days: Int) throws(HistoryError) {
        guard self.milliseconds < oldest.milliseconds else { return }
        throw HistoryError(
            .tooOld,
            localized(
                "it was done more than %1 days ago, and nothing that old is kept; “hunch keep --days” keeps longer",
                days))
    }
}
