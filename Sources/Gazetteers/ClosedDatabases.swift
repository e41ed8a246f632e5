internal import GRDB
internal import Synchronization

/// Closes databases without releasing their objects, of about 4 kB each.
///
/// When a dispatch queue with attached data is released, as GRDB's queues are, libdispatch does that on its thread
/// pool. Once started, the pool wakes the process every second for the rest of its life. So a sleeping process must
/// never release such a queue.
enum ClosedDatabases {
    private static let kept = Mutex<[DatabaseQueue]>([])

    /// Closes a database and keeps its object.
    static func close(_ database: DatabaseQueue) {
        // A read-only database loses nothing. SQLite closes the file with its last statement.
        try? database.close()
        kept.withLock { $0.append(database) }
    }
}
