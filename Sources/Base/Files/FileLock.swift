#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// An advisory lock of a file or a folder (flock(2)). The kernel releases it when the process ends for any reason.
///
/// Owns the descriptor, and unlocks and closes it exactly once.
package struct FileLock: ~Copyable, Sendable {
    /// The reason why there is no lock.
    package enum Failure: Error {
        /// The file or the folder cannot be opened.
        case unavailable(SystemError)
        /// Another process holds the lock, or the file system has no locks.
        case held
    }

    private let descriptor: CInt

    /// Locks a file. It is created if it is missing, accessible only by its owner.
    ///
    /// - Parameters:
    ///   - isShared: whether others may hold shared locks, too.
    ///   - timeout: the time to wait for another process, in milliseconds.
    package init(file: String, isShared: Bool = false, timeout: Int = 0) throws(Failure) {
        try self.init(open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600), isShared ? LOCK_SH : LOCK_EX, timeout)
    }

    /// Locks a folder without waiting.
    package init(folder: String) throws(Failure) {
        try self.init(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), LOCK_EX, 0)
    }

    /// - Parameter descriptor: the opened file; -1 with errno on failure.
    private init(_ descriptor: CInt, _ mode: CInt, _ timeout: Int) throws(Failure) {
        guard descriptor >= 0 else { throw .unavailable(SystemError()) }
        var waited = 0
        while flock(descriptor, mode | LOCK_NB) != 0 {  // -1: held elsewhere (EWOULDBLOCK) or not lockable
            guard errno == EWOULDBLOCK || errno == EINTR, waited < timeout else {
                close(descriptor)
                throw .held
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
