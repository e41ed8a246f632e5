public import HunchModel
internal import Glibc

/// Says that a process keeps in mind what is in a history: while an agent holds a claim, nobody forgets behind its back.
///
/// Owns the descriptor of a lock file beside the database and gives the claim up and closes it exactly once. The
/// kernel gives it up when the process ends, however it ends.
public final class HistoryClaim: Sendable {
    private let descriptor: CInt

    /// Claims a history for an agent, beside others.
    ///
    /// - Parameter path: absolute path of the database file, whose folder is made when it is missing.
    /// - Throws: ``HistoryError`` `busy` when someone has it alone for longer than half a minute, or `cannotOpen`.
    public static func shared(_ path: String) throws(HistoryError) -> HistoryClaim {
        guard let claim = try HistoryClaim(path, LOCK_SH, timeout: 30_000) else {
            throw HistoryError(
                .busy, "another process is forgetting what is in the history; try again")
        }
        return claim
    }

    /// Claims a history alone, so that no agent begins to read it meanwhile; `nil` when an agent has it.
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
        // A program that is just being started shares the lock for the moment in which it still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
