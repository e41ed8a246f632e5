internal import Files
public import HunchModel
internal import Localization

/// A lock by which an agent declares that it holds contents of a history in memory. Meanwhile no other process may
/// forget anything.
///
/// The lock file is next to the database.
public final class HistoryClaim: Sendable {
    private let lock: FileLock

    /// Claims a history for an agent. Other agents may hold a shared claim too.
    ///
    /// - Parameter path: absolute path of the database file. Its folder is created if it is missing.
    /// - Throws: ``HistoryError`` `busy` if another process holds it exclusively for over 30 seconds, or `cannotOpen`.
    public static func shared(_ path: String) throws(HistoryError) -> HistoryClaim {
        guard let claim = try HistoryClaim(path, isShared: true, timeout: 30_000) else {
            throw HistoryError(
                .busy, localized("another process is forgetting what is in the history; try again"))
        }
        return claim
    }

    /// Claims a history exclusively, so that no agent starts to read it. Returns `nil` if an agent holds a claim.
    ///
    /// - Throws: ``HistoryError`` `cannotOpen`.
    public static func alone(_ path: String) throws(HistoryError) -> HistoryClaim? {
        try HistoryClaim(path, isShared: false, timeout: 0)
    }

    private init?(_ path: String, isShared: Bool, timeout: Int) throws(HistoryError) {
        try HistoryFiles(path: path).makeFolder()
        guard let lock = try FileLock.unlessHeld(path + ".use", isShared: isShared, timeout: timeout) else {
            return nil
        }
        self.lock = lock
    }
}
