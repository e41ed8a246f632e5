public import HunchModel
internal import GRDB
internal import Synchronization

/// The history: donations, engagements, resume points and settings.
///
/// One file per person, read and written by synchronous calls that may block for a disk access: call them from a
/// thread that may. Calls are safe from any thread. What is not enabled is not recorded.
///
/// A call that returned has its rows on disk: they survive the end of the process at any moment and a loss of power
/// (WAL with `synchronous = FULL`; one sync per call, so give rows in batches). A call that threw wrote nothing.
///
/// ```swift
/// let opening = try HistoryStore.open(at: path, now: now)
/// try opening.store.setEnabled(true)
/// try opening.store.record(donation, now: now)
/// ```
public final class HistoryStore: Sendable {
    /// Path of the database file.
    public var path: String { files.path }
    /// Whether the store was opened by ``openReadOnly(at:)``.
    public let isReadOnly: Bool

    let files: HistoryFiles
    /// The opened file; `nil` for a history in memory.
    private let origin: HistoryFiles.Identity?
    private let database: any DatabaseWriter
    private let isClosed = Atomic(false)
    /// Why the person's desktop wants nothing remembered.
    let veto = Mutex<String?>(nil)

    init(database: any DatabaseWriter, files: HistoryFiles, isReadOnly: Bool) {
        self.database = database
        self.files = files
        self.isReadOnly = isReadOnly
        origin = files.identity
    }

    /// Whether the file was deleted, moved or replaced since it was opened. Nothing can be written then.
    public var isFileGone: Bool { origin != files.identity }

    /// Ends the use of the file. Every later call throws ``HistoryError`` `closed`.
    ///
    /// The log is folded into the file and goes, unless another process is reading: then that is left to the next opening.
    public func close() throws(HistoryError) {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        do {
            if let pool = database as? DatabasePool {
                // GRDB closes the writer before the readers; SQLite folds the log where the last one closes, which a
                // reader may not do.
                pool.invalidateReadOnlyConnections()
                try pool.writeWithoutTransaction { db in
                    // For a command that has the file open beside this; one that is reading is not waited for.
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    _ = try? Self.emptyLog(db)
                }
            }
            try database.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Gives back what was kept in memory of the file's pages and of statements; the next calls read them anew.
    public func releaseMemory() {
        // Each connection by itself: the pool's own way starts libdispatch's timers, which wake the process once a second.
        // What is closed has nothing left.
        try? database.read { $0.releaseMemory() }
        database.writeWithoutTransaction { $0.releaseMemory() }
    }

    /// Reads in one transaction.
    func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try attempt { try database.read(body) }
    }

    /// Writes in one transaction: all of it or nothing.
    func write<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try checkWritable()
        return try attempt { try database.write(body) }
    }

    /// Runs outside a transaction, when no other call of this store is running.
    func alone<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try checkWritable()
        return try attempt { try database.barrierWriteWithoutTransaction(body) }
    }

    /// SQLite goes on writing to a file that has no name any more, and all of that would be lost.
    private func checkWritable() throws(HistoryError) {
        guard !isReadOnly else {
            throw HistoryError(.readOnly, "the history at \(path) was opened for reading only")
        }
        if isFileGone { throw HistoryError(.fileGone, goneMessage) }
    }

    /// The message about a database file that is gone.
    public var goneMessage: String {
        "the history at \(path) was deleted or moved while it was in use, so nothing is recorded; "
            + "restart the agent with “systemctl --user restart hunchd”"
    }

    private func attempt<T>(_ body: () throws -> T) throws(HistoryError) -> T {
        guard !isClosed.load(ordering: .acquiring) else {
            throw HistoryError(.closed, "the history at \(path) was closed")
        }
        do {
            return try body()
        } catch {
            let error = HistoryError(error, path: path)
            if error.code == .corrupt, !isReadOnly { files.markDamage() }
            throw error
        }
    }
}
