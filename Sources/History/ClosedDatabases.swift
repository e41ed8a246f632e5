internal import GRDB
internal import Synchronization

/// Databases that were closed for good, kept as objects: about 4 kB each.
///
/// When a dispatch queue goes away to which something is attached, as GRDB attaches something to each of its own,
/// libdispatch releases that on its thread pool; and the pool, once started, wakes the process up every second for the
/// rest of its life. So in a process that is to sleep no such queue may go away.
enum ClosedDatabases {
    private static let kept = Mutex<[DatabaseQueue]>([])

    /// Closes a database and keeps the object.
    static func close(_ database: DatabaseQueue) {
        // A database that was only read loses nothing. SQLite closes the file with its last statement.
        try? database.close()
        kept.withLock { $0.append(database) }
    }
}
