internal import GRDB
public import HunchModel
internal import Localization

/// An error of the history.
public typealias HistoryError = CodedError<HistoryErrorSubject>

/// The domain of ``HistoryError``.
public enum HistoryErrorSubject {}

extension HistoryError.Code {
    /// A value was too long, out of range or not text. Nothing was written.
    public static var invalidInput: Self { Self(rawValue: "invalidInput") }
    /// The date is older than the retention period (``HistorySettings/retentionDays``). Nothing was written.
    public static var tooOld: Self { Self(rawValue: "tooOld") }
    /// The file was written by a newer version of Hunch. It was left unchanged.
    public static var newerVersion: Self { Self(rawValue: "newerVersion") }
    /// The file was written by an older version, and this store was opened for reading only.
    public static var olderVersion: Self { Self(rawValue: "olderVersion") }
    /// The file is a database of another program. It was left unchanged.
    public static var notHistory: Self { Self(rawValue: "notHistory") }
    /// The file is damaged. Opening the store for writing again checks all of it and sets it aside.
    public static var corrupt: Self { Self(rawValue: "corrupt") }
    /// The disk is full. Nothing was written. The store continues to work once there is space again.
    public static var diskFull: Self { Self(rawValue: "diskFull") }
    /// Another process held the file for longer than the busy timeout. Nothing was written.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The store was opened for reading only.
    public static var readOnly: Self { Self(rawValue: "readOnly") }
    /// The file or its folder cannot be opened or created.
    public static var cannotOpen: Self { Self(rawValue: "cannotOpen") }
    /// The file was deleted, moved or replaced after it was opened. Nothing was written.
    public static var fileGone: Self { Self(rawValue: "fileGone") }
    /// Reading or writing failed. Nothing was written.
    public static var inputOutput: Self { Self(rawValue: "inputOutput") }
    /// Nothing is recorded now: Hunch is disabled or paused, or the desktop's privacy settings forbid it.
    public static var notRecording: Self { Self(rawValue: "notRecording") }
    /// The store is already closed.
    public static var closed: Self { Self(rawValue: "closed") }
    /// SQLite failed in another way.
    public static var database: Self { Self(rawValue: "database") }
}

extension HistoryError {
    package static func invalidInput(_ message: String) -> HistoryError { HistoryError(.invalidInput, message) }

    /// Creates an error of this module from an error of GRDB or SQLite about the file at `path`.
    package init(_ error: any Error, path: String) {
        if let error = error as? HistoryError {
            self = error
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(
                .database, localized("the history at %1 failed: %2", path, String(describing: error)), underlying: error
            )
            return
        }
        let (code, message) = Self.meaning(of: database, path: path)
        self.init(code, message, underlying: database)
    }

    private static func meaning(of error: DatabaseError, path: String) -> (Code, String) {
        switch error.resultCode {
        case .SQLITE_FULL:
            (
                .diskFull,
                localized("there is no space left for the history at %1; free some space and try again", path)
            )
        case .SQLITE_IOERR:
            (
                .inputOutput,
                localized("the history at %1 could not be read or written; check the disk and its free space", path)
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (.busy, localized("another process is using the history at %1; try again when it has finished", path))
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT:
            // Values are checked before writing, so a constraint fails only if an index and its table disagree.
            (
                .corrupt,
                localized("the history at %1 is damaged; restart the agent, which checks it and sets it aside", path)
            )
        case .SQLITE_READONLY:
            (.readOnly, localized("the history at %1 was opened for reading only", path))
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            (
                .cannotOpen,
                localized("the history at %1 cannot be opened; check the permissions of its folder", path)
            )
        default:
            (
                .database,
                localized("the history at %1 failed: %2", path, error.message ?? "SQLite error \(error.resultCode)")
            )
        }
    }
}
