public import HunchModel
internal import Glibc

/// A lock by which an agent declares that it holds contents of a history in memory. Meanwhile no other process may
/// forget anything.
///
/// Owns the descriptor of a lock file beside the database, and unlocks and closes it exactly once. The kernel releases
/// the lock when the process ends for any reason.
public final class HistoryClaim: Sendable {
    private let descriptor: CInt

    /// Claims a history for an agent. Other agents may hold a shared claim too.
    ///
    /// - Parameter path: absolute path of the database file. Its folder is created if it is missing.
    /// - Throws: ``HistoryError`` `busy` if another process holds it exclusively for over 30 seconds, or `cannotOpen`.
    public static func shared(_ path: String) throws(HistoryError) -> HistoryClaim {
        guard let claim = try HistoryClaim(path, LOCK_SH, timeout: 30_000) else {
            throw HistoryError(
                .busy, "another process is forgetting what is in the history; try again")
        }
        return claim
    }

    /// Claims a history exclusively, so that no agent starts to read it. Returns `nil` if an agent holds a claim.
    ///
    /// - Throws: ``HistoryError`` `cannotOpen`.
    public static func alone(_ path: String) throws(HistoryError) -> HistoryClaim? {
        try HistoryClaim(path, LOCK_EX, timeout: 0)
    }

    private init?(_ path: String, _ mode: CInt, timeout: Int) throws(HistoryError) {
        try HistoryFiles(path: path).makeFolder()
        let lock = path + ".use"
        let descriptor = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)  // -1: nothing to close
        guard descriptor >= 0 else {
            throw HistoryError(.cannotOpen, "cannot make \(lock): \(String(cString: strerror(errno)))")
        }
        var waited = 0
        while flock(descriptor, mode | LOCK_NB) != 0 {  // -1: held elsewhere (EWOULDBLOCK) or not lockable
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR, waited < timeout else {
                close(descriptor)
                return nil
            }
            poll(nil, 0, 10)
            waited += 10
        }
        self.descriptor = descriptor
    }

    deinit {
        // Unlock explicitly: a child process shares the lock until exec, while it still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
