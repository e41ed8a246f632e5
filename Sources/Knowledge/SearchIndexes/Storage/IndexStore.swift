internal import FullText
internal import FoundationEssentials
internal import Databases
internal import GRDB
internal import Glibc
public import HunchModel
internal import Localization
internal import Synchronization

/// The search index: items of apps in one SQLite file.
///
/// Several processes may have the file open. SQLite lets one of them write at a time.
///
///     let store = try IndexStore.open(at: IndexStore.defaultPath(environment: environment), language: "en")
///     try store.write([.add(note)], to: IndexSource(application: "org.example.Notes", name: "notes"))
///     let hits = try store.search("yank sing", SearchOptions(limit: 10))
public final class IndexStore: Sendable {
    /// The path of the file.
    public let path: String
    let database: DatabaseQueue
    /// The language of the stems, as a code of ISO 639.
    let language: String
    let stopWords: Set<String>
    /// The numbers of items that contain a word, as of one version of the data.
    let frequencies = Mutex(WordFrequencies())
    /// The dates of the items that were compared lately, and the words that were added lately.
    let dates = Mutex(ItemDates())
    let endings = Mutex(AddedEndings())

    private let file: (device: dev_t, inode: ino_t)

    private init(path: String, database: DatabaseQueue, language: String) {
        self.path = path
        var status = stat()
        stat(path, &status)
        file = (status.st_dev, status.st_ino)
        self.database = database
        self.language = language
        stopWords = StopWords.words(language: language)
    }

    /// Returns the path of the user's index, `$XDG_STATE_HOME/hunch/index.sqlite`; XDG Base Directory Specification.
    ///
    /// - Throws: ``IndexError`` with `storage` if neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
    public static func defaultPath(environment: [String: String]) throws(IndexError) -> String {
        guard let state = BaseDirectories(environment: environment).stateHome else {
            throw IndexError(
                .storage,
                localized("the search index has no folder: neither HOME nor XDG_STATE_HOME is set; set one of them"))
        }
        return state + "/hunch/index.sqlite"
    }

    /// Opens the index, and creates it if there is none.
    ///
    /// Only the owner can access the file. The words of a file in another language are indexed again.
    ///
    /// - Parameters:
    ///   - language: the language whose words are reduced to their stems, as a code of ISO 639; see
    ///     ``language(environment:)``.
    ///   - isFixed: whether a file in another language keeps it. English gives way, because a job without a language, such as
    ///     one of cron, begins with it.
    /// - Throws: ``IndexError`` `storage`, `busy`, `diskFull`, or `unreadable` for a file that must be rebuilt.
    public static func open(
        at path: String, language: String, isFixed: Bool = false
    ) throws(IndexError) -> IndexStore {
        try makePrivateFile(path)
        return try wrapped(path) {
            let database = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: false))
            do {
                // Pages larger than the default save a tenth of the time for writing. Committing waits for no disk: the
                // apps send again what a crash of the system loses.
                try database.writeWithoutTransaction { db in
                    try db.execute(
                        sql: "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                }
                let language = try database.write { db in
                    if try isEmpty(db) { try IndexSchema.create(db, language: language) }
                    try check(db, path)
                    if try !isFixed || Self.language(db) == "en" { try setLanguage(language, db) }
                    if try !WordEndings.exists(db) {
                        try WordEndings.create(db)
                        try WordEndings.fill(db)
                    }
                    return try Self.language(db)
                }
                return IndexStore(path: path, database: database, language: language)
            } catch {
                database.closeForGood()
                throw error
            }
        }
    }

    /// Opens the index for reading.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: like ``open(at:language:)``.
    public static func openReadOnly(at path: String) throws(IndexError) -> IndexStore? {
        guard exists(at: path) else {
            guard [0, ENOENT].contains(errno) else {
                throw IndexError(
                    .storage, localized("%1 cannot be read: %2", path, String(cString: strerror(errno))))
            }
            return nil
        }
        return try wrapped(path) {
            let database = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: true))
            let language = try database.read { db -> String? in
                if try isEmpty(db) { return nil }
                try check(db, path)
                return try Self.language(db)
            }
            guard let language else {
                database.closeForGood()
                return nil
            }
            return IndexStore(path: path, database: database, language: language)
        }
    }

    /// Returns the language of a desktop as a code of ISO 639: that of `LC_ALL`, `LC_MESSAGES` or `LANG`, if its stems are
    /// known, else `en`.
    public static func language(environment: [String: String]) -> String { Stemmer.language(environment: environment) }

    /// Closes the file.
    public func close() { database.closeForGood() }

    /// Returns the memory of caches to the system. The next search fills them again.
    public func releaseMemory() {
        frequencies.withLock { $0 = WordFrequencies() }
        dates.withLock { $0 = ItemDates() }
        endings.withLock { $0 = AddedEndings() }
        database.releaseMemory()
    }

    /// Returns whether there is an index at a path.
    public static func exists(at path: String) -> Bool {
        var status = stat()
        errno = 0
        // −1 on failure, with errno.
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// The suffix of a file that was set aside.
    private static let asideSuffix = ".unreadable"

    /// Moves an unreadable file to `PATH.unreadable`, in place of a former one, and removes its log.
    ///
    /// - Throws: ``IndexError`` `storage`.
    public static func setAside(at path: String) throws(IndexError) {
        guard rename(path, path + asideSuffix) == 0 else {
            throw IndexError(.storage, localized("%1 cannot be moved: %2", path, String(cString: strerror(errno))))
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Returns the path of a damaged file that was set aside; `nil` if there is none.
    public static func asidePath(at path: String) -> String? {
        exists(at: path + asideSuffix) ? path + asideSuffix : nil
    }

    /// Removes the file that was set aside. Returns whether there was one.
    public static func removeAside(at path: String) -> Bool { unlink(path + asideSuffix) == 0 }

    /// Whether the path still leads to the open file.
    public var isFileInPlace: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_ino == file.inode && status.st_dev == file.device
    }

    // MARK: Opening

    private static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "search index"
        configuration.readonly = isReadOnly
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            db.add(tokenizer: IndexTokenizer.self)
            db.add(function: PatternFunction.function)
            ScoreFunction.add(to: db)
            SearchDeadline.add(to: db)
            // 500 pages are 4 MB.
            try db.execute(
                sql: """
                    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA secure_delete = ON;
                    PRAGMA wal_autocheckpoint = 500;
                    """)
        }
        return configuration
    }

    private static func makePrivateFile(_ path: String) throws(IndexError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw IndexError(
                .storage, localized("the folder %1 cannot be made; check the permissions above it", folder))
        }
        // A file that is there is not opened: closing it would drop SQLite's locks on it in this process.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        // −1 on failure, with errno.
        if descriptor >= 0 {
            Glibc.close(descriptor)
        } else if errno != EEXIST || chmod(path, 0o600) != 0 {
            throw IndexError(
                .storage, localized("%1 cannot be opened: %2", path, String(cString: strerror(errno))))
        }
    }

    private static func isEmpty(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    }

    private static func check(_ db: Database, _ path: String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == IndexSchema.applicationID else {
            throw IndexError(.unreadable, localized("%1 is not a search index of Hunch; move it away", path))
        }
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == IndexSchema.version else {
            throw IndexError(
                .unreadable,
                localized("%1 is of another version of Hunch; remove it, and apps will index again", path))
        }
    }

    /// Returns the language of the tokenizer.
    static func language(_ db: Database) throws -> String {
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'word'") ?? ""
        return String(sql.split(separator: "'hunch ").last?.prefix { $0 != "'" } ?? "")
    }

    private static func setLanguage(_ language: String, _ db: Database) throws {
        guard try Self.language(db) != language else { return }
        try IndexSchema.createWords(db, language: language)
        try db.execute(sql: "INSERT INTO word (word) VALUES ('rebuild')")
        try WordEndings.fill(db)
    }

    // MARK: Errors

    static func wrapped<Result>(_ path: String, _ body: () throws -> Result) throws(IndexError) -> Result {
        do {
            return try body()
        } catch let error as IndexError {
            throw error
        } catch {
            throw IndexError(error, path: path)
        }
    }

    func wrapped<Result>(_ body: () throws -> Result) throws(IndexError) -> Result {
        try Self.wrapped(path, body)
    }
}

extension IndexError {
    fileprivate init(_ error: any Error, path: String) {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_BUSY?, .SQLITE_LOCKED?:
            self.init(
                .busy, localized("another process changes the search index; try again in a moment"), underlying: error)
        case .SQLITE_INTERRUPT?:
            self.init(
                .tooSlow, localized("the search takes too long; use more or longer words, or fewer asterisks"))
        case .SQLITE_FULL?:
            self.init(
                .diskFull, localized("there is no space left for %1; free some", path), underlying: error)
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?:
            self.init(
                .unreadable, localized("%1 is damaged; “hunch index rebuild” starts a new one", path), underlying: error
            )
        default:
            let reason = (error as? DatabaseError)?.message ?? "\(error)"
            self.init(.storage, localized("%1 cannot be used: %2", path, reason), underlying: error)
        }
    }
}
