package import GRDB
internal import Synchronization

extension DatabaseQueue {
    private static let closed = Mutex<[DatabaseQueue]>([])

    /// Closes a database that was only read, and keeps the object for the life of the process, at about 4 kB each.
    ///
    /// Each database has a dispatch queue with attached data. libdispatch releases such queues on its thread pool, which,
    /// once started, wakes the process every second. So a process that should sleep never releases one.
    package func closeForGood() {
        // The database was only read, so a failure loses nothing. SQLite closes the file with its last statement.
        try? close()
        Self.closed.withLock { $0.append(self) }
    }
}
