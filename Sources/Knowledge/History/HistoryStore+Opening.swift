public import HunchModel
internal import Localization
public import FoundationEssentials
internal import Databases
internal import GRDB

/// An opened history, and whether a damaged file was found.
public struct HistoryOpening: Sendable {
    /// The store.
    public let store: HistoryStore
    /// The path to which a damaged file was moved, or `nil` if there was none. The store is then new and not enabled.
    public let setAside: String?
}

extension HistoryStore {
    /// Opens the history for reading and writing, and creates it if there is none.
    ///
    /// Afterwards only the owner can access the folder (0700) and the files (0600). If the file is damaged, it is moved
    /// with its logs to `PATH.corrupt-DATE` (UTC, basic format of ISO 8601), and a new history is created. A file of a
    /// newer version or of another program is left unchanged. Two processes may have the same history open.
    ///
    /// - Parameters:
    ///   - path: absolute path of the database file, see ``defaultPath(environment:)``.
    ///   - now: the date in the name of a file that is set aside.
    /// - Throws: ``HistoryError`` `newerVersion`, `notHistory`, `cannotOpen`, `busy`, `diskFull` or `inputOutput`.
    public static func open(at path: String, now: Date) throws(HistoryError) -> HistoryOpening {
        let files = HistoryFiles(path: path)
        try files.makeFolder()
        return try OpeningLock.withLock(path: path + ".lock", timeout: 5_000) { () throws(HistoryError) in
            try files.makeFile()
            var setAside: String?
            if try isDamaged(files) {
                setAside = try files.setAside(at: now)
                try files.makeFile()
            }
            return HistoryOpening(store: try openPool(files), setAside: setAside)
        }
    }

    private static func openPool(_ files: HistoryFiles) throws(HistoryError) -> HistoryStore {
        do {
            let pool = try DatabasePool(path: files.path, configuration: configuration())
            // Opening a pool sets `synchronous` to NORMAL, which loses the last commits when power fails.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Schema.migrator.migrate(pool)
            return HistoryStore(database: pool, files: files, isReadOnly: false)
        } catch {
            throw HistoryError(error, path: files.path)
        }
    }

    /// Creates an empty history in memory. It touches no file, and closing it discards everything.
    ///
    /// - Throws: ``HistoryError`` if there is not enough memory.
    public static func inMemory() throws(HistoryError) -> HistoryStore {
        let files = HistoryFiles(path: ":memory:")
        do {
            let queue = try DatabaseQueue(configuration: configuration())
            try Schema.migrator.migrate(queue)
            return HistoryStore(database: queue, files: files, isReadOnly: false)
        } catch {
            throw HistoryError(error, path: files.path)
        }
    }

    /// Opens the history for reading only, for a command while an agent runs. Changes and sets aside no file.
    ///
    /// - Returns: the store, or `nil` if there is no history yet.
    /// - Throws: ``HistoryError`` `newerVersion`, `olderVersion`, `notHistory`, `corrupt`, `cannotOpen` or
    ///   `inputOutput`.
    public static func openReadOnly(at path: String) throws(HistoryError) -> HistoryStore? {
        let files = HistoryFiles(path: path)
        guard let size = files.size(), size > 0 else { return nil }
        do {
            var configuration = configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            switch try queue.read({ try Schema.state($0, .version) }) {
            case .current: return HistoryStore(database: queue, files: files, isReadOnly: true)
            case .empty: return nil
            case .older:
                throw HistoryError(
                    .olderVersion,
                    localized("the history at %1 is of an older version; start the agent once, which updates it", path))
            case .newer: throw newerVersion(path)
            case .foreign, .corrupt: throw notHistory(path)
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Returns whether the file is damaged and must be set aside. Throws if the file must be left alone and not used.
    private static func isDamaged(_ files: HistoryFiles) throws(HistoryError) -> Bool {
        if files.size() == 0 {
            // SQLite deletes the log of an empty file. But a log with rows means that the database lost its contents.
            return (files.size(suffix: "-wal") ?? 0) > 0
        }
        do {
            let check = files.takeDamageMark() ? Schema.Check.everything : .pages
            let queue = try DatabaseQueue(path: files.path, configuration: configuration())
            defer { queue.closeForGood() }
            switch try queue.inDatabase({ try Schema.state($0, check) }) {
            case .empty, .current, .older: return false
            case .corrupt: return true
            case .newer: throw newerVersion(files.path)
            case .foreign: throw notHistory(files.path)
            }
        } catch {
            let error = HistoryError(error, path: files.path)
            guard error.code == .corrupt else { throw error }
            return true
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "history"
        configuration.busyMode = .timeout(5)
        // The agent uses one thread and the command line its own store, so one reader in addition to the writer
        // suffices.
        configuration.maximumReaderCount = 1
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -512;
                    """)
        }
        return configuration
    }

    private static func newerVersion(_ path: String) -> HistoryError {
        HistoryError(
            .newerVersion,
            localized("the history at %1 is of a newer version of Hunch; update Hunch or move the file away", path))
    }

    private static func notHistory(_ path: String) -> HistoryError {
        HistoryError(.notHistory, localized("%1 is not a history of Hunch; move it away", path))
    }
}
