public import History
public import FoundationEssentials
internal import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Imports a whole export in one transaction: all of it or nothing.
    ///
    /// An import into an empty history reproduces the lines of the export, with these exceptions:
    /// - Whether Hunch is enabled or paused stays unchanged.
    /// - Permissions, which only the user grants, are skipped: scripts, readers, more categories, longer retention.
    /// - Rows of excluded apps, of kinds that are not recorded, and older than the retention period are skipped.
    /// - Rows that already exist are skipped: a donation with the same action, date and identifier, an engagement with
    ///   the same suggestion, outcome and date, the older of two resume points, a muted pair, and lists that the app
    ///   announced since.
    /// - Known places of the user and stays are imported only if there were none before.
    ///
    /// - Parameters:
    ///   - descriptor: a file with the output of ``exportPage(_:limit:now:)``, read from its beginning. It stays open.
    ///   - now: the current time, for pauses and to refuse dates more than a day ahead.
    /// - Throws: ``HistoryError`` `notRecording` if nothing is recorded now. `invalidInput` with the line number if a
    ///   line is malformed or the export is incomplete. Nothing was imported then.
    public func importLines(from descriptor: CInt, now: Date) throws(HistoryError) -> ImportReceipt {
        var file = try ExportFile(descriptor)
        return try write { db in
            var reading = try HistoryImport(db, now: now, veto)
            var number = 1
            do throws(HistoryError) {
                while let line = try file.next() {
                    do {
                        try reading.take(line, db)
                    } catch let error as DatabaseError {
                        throw HistoryError(error, path: path)
                    } catch let error as HistoryError {
                        throw error
                    } catch {
                        throw .invalidInput(localized("it is not a JSON object with the keys of its type"))
                    }
                    number += 1
                }
                try reading.checkIsWhole()
            } catch {
                guard error.code == .invalidInput else { throw error }
                throw HistoryError.invalidInput(
                    localized("line %1: %2; nothing was imported", number, error.message))
            }
            for table in [Donation.self, Engagement.self, ResumePoint.self, SeenPlace.self] as [any Recordable.Type] {
                try table.trim(db)
            }
            try Self.trimStays(db)
            return try reading.finished(db)
        }
    }
}
