internal import GRDB
internal import Synchronization

/// Databases that were closed for good. The objects are kept, at about 4 kB each.
///
/// A dispatch queue with attached data, such as each of GRDB's, must not be destroyed in a process that should sleep.
/// libdispatch would release the data on its thread pool, which then wakes the process every second forever.
enum ClosedDatabases {
    private static let kept = Mutex<[DatabaseQueue]>([])

    /// Closes a database and keeps the object.
    static func close(_ database: DatabaseQueue) {
        // The database was only read, so no data is at risk. SQLite closes the file with its last statement.
        try? database.close()
        kept.withLock { $0.append(database) }
    }
}
