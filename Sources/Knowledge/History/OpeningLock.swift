internal import Files
internal import HunchModel
internal import Localization

/// A lock held while a store is opened. If two processes find the same damaged file, only one sets it aside.
enum OpeningLock {
    /// Runs `body` while no other process opens the same history.
    ///
    /// - Parameters:
    ///   - path: the lock file. It is created if it is missing.
    ///   - timeout: the time to wait for another process, in milliseconds.
    /// - Throws: ``HistoryError`` `busy` after the timeout, `cannotOpen`, or the error of `body`.
    static func withLock<T>(
        path: String, timeout: Int, _ body: () throws(HistoryError) -> T
    ) throws(HistoryError) -> T {
        guard let lock = try FileLock.unlessHeld(path, timeout: timeout) else {
            throw HistoryError(
                .busy, localized("another process is opening the history (%1 is locked); try again", path))
        }
        defer { extendLifetime(lock) }
        return try body()
    }
}

extension FileLock {
    /// Returns the lock of a file next to a history, which is created if it is missing; `nil` if it is held elsewhere.
    ///
    /// - Throws: ``HistoryError`` `cannotOpen`.
    static func unlessHeld(_ file: String, isShared: Bool = false, timeout: Int) throws(HistoryError) -> FileLock? {
        do throws(Failure) {
            return try FileLock(file: file, isShared: isShared, timeout: timeout)
        } catch {
            switch error {
            case .held: return nil
            case .unavailable(let reason):
                throw HistoryError(.cannotOpen, localized("cannot make %1: %2", file, reason))
            }
        }
    }
}
