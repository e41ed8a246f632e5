public import FoundationEssentials
internal import GRDB
public import HunchModel

extension HistoryStore {
    /// Imports an export in one transaction, completely or not at all.
    ///
    /// Afterwards an export of a history that was empty before has the same lines again, but for these: whether Hunch is on
    /// and whether it is paused stay as they are; permissions are not taken, since only the person gives them: of scripts and
    /// apps, to record a category, or to keep longer; and rows of apps that are excluded, of kinds that are not
    /// recorded, and those that are older than what is kept, are left out. What is there already is not taken twice:
    /// a donation with the same action, date and identifier, an engagement with the same suggestion, outcome and date, the
    /// newer one of two resume points, a muted pair, and whatever the app has announced in the same list since. Places
    /// where the person stays, and stays there, are only taken where none was known before.
    ///
    /// - Parameters:
    ///   - descriptor: of a file that ``exportPage(_:limit:now:)`` has written, read from its beginning; stays open.
    ///   - now: the clock, for pauses and to refuse dates more than a day ahead.
    /// - Throws: ``HistoryError`` `notRecording` when nothing is recorded now; `invalidInput` with the number of the line for
    ///   one that is broken, and for an export that is not whole. Nothing was taken then.
    public func readBack(from descriptor: CInt, now: Date) throws(HistoryError) -> ReadBackReceipt {
        var file = try ExportFile(descriptor)
        return try write { db in
            var reading = try ReadingBack(db, now: now, withheld: withholdingReason)
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
                        throw .invalidInput("it is not a JSON object with the keys of its type")
                    }
                    number += 1
                }
                try reading.checkIsWhole()
            } catch {
                guard error.code == .invalidInput else { throw error }
                throw HistoryError.invalidInput("line \(number): \(error.message); nothing was read back")
            }
            for table in [Donation.self, Engagement.self, ResumePoint.self, SeenPlace.self] as [any Recordable.Type] {
                try table.trim(db)
            }
            try Self.trimStays(db)
            return try reading.finished(db)
        }
    }
}
