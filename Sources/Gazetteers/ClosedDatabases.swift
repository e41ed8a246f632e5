internal import GRDB
internal import Synchronization

/// Closes databases without releasing their objects, which take about 4 kB each.
///
/// Each database has a dispatch queue with attached data. libdispatch releases such queues on its thread pool. Once
/// started, the pool wakes the process every second for the rest of its life. So the agent must never release one.
enum ClosedDatabases {
    private static let kept = Mutex<[DatabaseQueue]>([])

    /// Closes a database and keeps its object.
    static func close(_ database: DatabaseQueue) {
        // The database is read-only, so a failure loses nothing. SQLite closes the file with the last statement.
        try? database.close()
        kept.withLock { $0.append(database) }
    }
}
