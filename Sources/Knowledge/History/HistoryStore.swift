public import HunchModel
internal import Localization
package import GRDB
internal import Synchronization

/// A store of donations, engagements, resume points and settings.
///
/// Each user has one file. Calls are synchronous and may block for disk access, so make them from a thread that may
/// block. Calls are safe from any thread. The store records nothing until it is enabled.
///
/// When a call returns, its rows are on disk. They survive a crash of the process at any time and a loss of power (WAL
/// with `synchronous = FULL`). Each call syncs once, so pass rows in batches. A call that throws has written nothing.
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
    /// The identity of the file that was opened, or `nil` for a store in memory.
    private let origin: HistoryFiles.Identity?
    private let database: any DatabaseWriter
    private let isClosed = Atomic(false)
    /// The reason why the desktop's privacy settings forbid recording, or `nil`.
    let currentVeto = Mutex<RecordingVeto?>(nil)

    init(database: any DatabaseWriter, files: HistoryFiles, isReadOnly: Bool) {
        self.database = database
        self.files = files
        self.isReadOnly = isReadOnly
        origin = files.identity
    }

    /// Whether the file was deleted, moved or replaced since it was opened. Writes fail then.
    public var isFileGone: Bool { origin.map(files.isGone) ?? false }

    /// Closes the file. Every later call throws ``HistoryError`` `closed`.
    ///
    /// Checkpoints and deletes the log, unless another process is reading. In that case the next opening does so.
    public func close() throws(HistoryError) {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        do {
            if let pool = database as? DatabasePool {
                // GRDB closes the writer before the readers. But SQLite checkpoints on the last close, for which a
                // reader has no permission.
                pool.invalidateReadOnlyConnections()
                try pool.writeWithoutTransaction { db in
                    // Another command may have the file open. Do not wait if it is reading.
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    _ = try? Self.emptyLog(db)
                }
            }
            try database.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Frees the memory of cached pages and statements. The next calls load them again.
    public func releaseMemory() {
        // Release each connection separately. The pool's own method starts libdispatch timers, which wake the process
        // once a second. A closed connection has nothing to release.
        try? database.read { $0.releaseMemory() }
        database.writeWithoutTransaction { $0.releaseMemory() }
    }

    /// Runs `body` in one read transaction.
    package func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try attempt { try database.read(body) }
    }

    /// Runs `body` in one write transaction, which is rolled back if `body` throws.
    package func write<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try checkWritable()
        return try attempt { try database.write(body) }
    }

    /// Runs `body` outside a transaction, while no other call of this store is running.
    func alone<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
        try checkWritable()
        return try attempt { try database.barrierWriteWithoutTransaction(body) }
    }

    /// Throws if the store is read-only or the file is gone. SQLite would continue to write to the unlinked file.
    private func checkWritable() throws(HistoryError) {
        guard !isReadOnly else {
            throw HistoryError(.readOnly, localized("the history at %1 was opened for reading only", path))
        }
        if isFileGone { throw HistoryError(.fileGone, goneMessage) }
    }

    /// The error message for a database file that is gone.
    public var goneMessage: String {
        localized(
            """
            the history at %1 was deleted or moved while it was in use, so nothing is recorded, and no new one can be \
            created there; check the folder’s permissions and the free space
            """, path)
    }

    private func attempt<T>(_ body: () throws -> T) throws(HistoryError) -> T {
        guard !isClosed.load(ordering: .acquiring) else {
            throw HistoryError(.closed, localized("the history at %1 was closed", path))
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
