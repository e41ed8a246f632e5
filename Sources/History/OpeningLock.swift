internal import HunchModel
internal import Glibc

/// A lock held while a store is opened. If two processes find the same damaged file, only one sets it aside.
///
/// Owns the descriptor of the lock file, and unlocks and closes it exactly once.
struct OpeningLock: ~Copyable {
    private let descriptor: CInt

    /// Runs `body` while no other process opens the same history.
    ///
    /// - Parameters:
    ///   - path: the lock file. It is created if it is missing.
    ///   - timeout: the time to wait for another process, in milliseconds.
    /// - Throws: ``HistoryError`` `busy` after the timeout, `cannotOpen`, or the error of `body`.
    static func withLock<T>(
        path: String, timeout: Int, _ body: () throws(HistoryError) -> T
    ) throws(HistoryError) -> T {
        let lock = try OpeningLock(path: path, timeout: timeout)
        defer { extendLifetime(lock) }
        return try body()
    }

    private init(path: String, timeout: Int) throws(HistoryError) {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)  // -1: nothing to close
        guard descriptor >= 0 else {
            throw HistoryError(
                .cannotOpen, "cannot make \(path): \(String(cString: strerror(errno)))")
        }
        var waited = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {  // -1: held elsewhere (EWOULDBLOCK) or not lockable
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR, waited < timeout else {
                close(descriptor)
                throw HistoryError(
                    .busy, "another process is opening the history (\(path) is locked); try again")
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
