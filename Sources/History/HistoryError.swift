internal import GRDB

/// Why the history could not do what was asked.
public struct HistoryError: Error, Sendable, CustomStringConvertible {
    /// The kind of trouble. Open: later versions may add further ones.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A value was too long, out of range or not text. Nothing was written.
        public static let invalidInput = Code(rawValue: "invalidInput")
        /// The file was written by a newer version of Hunch. It was left as it is.
        public static let newerVersion = Code(rawValue: "newerVersion")
        /// The file was written by an older version, and this store was opened for reading only.
        public static let olderVersion = Code(rawValue: "olderVersion")
        /// The file is a database of something else. It was left as it is.
        public static let notHistory = Code(rawValue: "notHistory")
        /// The file is damaged. Opening the store for writing again checks all of it and sets it aside.
        public static let corrupt = Code(rawValue: "corrupt")
        /// There is no space left. Nothing was written; the store works on when there is space again.
        public static let diskFull = Code(rawValue: "diskFull")
        /// Another process held the file for longer than the busy timeout. Nothing was written.
        public static let busy = Code(rawValue: "busy")
        /// The store was opened for reading only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The file or its folder cannot be opened or made.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// Reading or writing failed. Nothing was written.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The store was closed before.
        public static let closed = Code(rawValue: "closed")
        /// SQLite failed in another way.
        public static let database = Code(rawValue: "database")
    }

    /// The kind of trouble.
    public let code: Code
    /// One sentence: what is wrong and what to do.
    public let message: String
    /// What it came from.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(code: Code, message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}

extension HistoryError {
    static func invalidInput(_ message: String) -> HistoryError { HistoryError(code: .invalidInput, message: message) }

    /// The error of this module that says what an error of GRDB or SQLite means for the file at `path`.
    init(_ error: any Error, path: String) {
        if let error = error as? HistoryError {
            self = error
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(code: .database, message: "the history at \(path) failed: \(error)", underlying: error)
            return
        }
        let (code, message) = Self.meaning(of: database, path: path)
        self.init(code: code, message: message, underlying: database)
    }

    private static func meaning(of error: DatabaseError, path: String) -> (Code, String) {
        switch error.resultCode {
        case .SQLITE_FULL:
            (.diskFull, "there is no space left for the history at \(path); free some space and try again")
        case .SQLITE_IOERR:
            (.inputOutput, "the history at \(path) could not be read or written; check the disk and its free space")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (.busy, "another process is using the history at \(path); try again when it has finished")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT:
            // What is written was checked before: a constraint fails only where an index and its table disagree.
            (.corrupt, "the history at \(path) is damaged; restart the agent, which checks it and sets it aside")
        case .SQLITE_READONLY:
            (.readOnly, "the history at \(path) was opened for reading only")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            (.cannotOpen, "the history at \(path) cannot be opened; check the permissions of its folder")
        default:
            (.database, "the history at \(path) failed: \(error.message ?? "SQLite error \(error.resultCode)")")
        }
    }
}
