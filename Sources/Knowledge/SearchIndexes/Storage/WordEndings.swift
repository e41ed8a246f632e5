internal import FullText
internal import GRDB

/// The table `ending`: the long words of the index spelled backwards, so that words with the same end stand together.
///
/// FTS5 finds words by their beginnings only. A token for the end of each word would make the index a fifth larger, while
/// the distinct words are few. Words of deleted items stay in the table until it is filled again.
enum WordEndings {
    /// The lengths of words in the table, in letters. A shorter one has no room for two parts of a compound.
    private static let lengths = 7...40
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// Creates the empty table, in place of the former one.
    static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS ending;
                CREATE TABLE ending (word TEXT PRIMARY KEY) WITHOUT ROWID;
                """)
    }

    /// Returns whether the file has the table. Older files get it when they are opened for writing.
    static func exists(_ db: Database) throws -> Bool { try db.tableExists("ending") }

    /// Fills the table with the words that items have now.
    static func fill(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM ending")
        let words = try String.fetchCursor(db, sql: "SELECT term FROM spelling WHERE term >= 'a' AND term < '{'")
        let insertion = try insertion(db)
        while var word = try words.next() {
            guard let reversed = word.withUTF8(reversed) else { continue }
            try insertion.execute { try $0.add(reversed) }
        }
        try IndexNumber.staleEndings.set(to: 0, db)
    }

    /// Adds words that ``collect(_:into:)`` returned.
    static func add(_ words: [String], _ db: Database) throws {
        let insertion = try insertion(db)
        for word in words { try insertion.execute { try $0.add(word) } }
    }

    private static func insertion(_ db: Database) throws -> RepeatedStatement {
        try RepeatedStatement("INSERT OR IGNORE INTO ending VALUES (?)", db)
    }

    /// Collects the long words of a text, spelled backwards.
    static func collect(_ tokens: EncodedTokens, into words: inout Set<String>) {
        var text = tokens.text
        text.withUTF8 { bytes in
            EncodedTokens.decode(bytes) { token, isColocated in
                if !isColocated, let word = reversed(token) { words.insert(word) }
                return true
            }
        }
    }

    /// Returns a word spelled backwards; `nil` unless it is a long one of Latin letters.
    private static func reversed(_ word: UnsafeBufferPointer<UInt8>) -> String? {
        guard lengths.contains(word.count), word.allSatisfy(letters.contains) else { return nil }
        return String(decoding: word.reversed(), as: UTF8.self)
    }

    /// Returns the words in the table that end with a text, at most a number of them for each range of words.
    static func words(endingIn end: String, limit: Int, _ db: Database) throws -> [String] {
        let reversed = String(end.reversed())
        return try String.fetchAll(
            db.cachedStatement(sql: "SELECT word FROM ending WHERE word >= ? AND word < ? LIMIT ?"),
            arguments: [reversed, reversed + "{", limit]
        ).map { String($0.reversed()) }
    }
}

/// The words that were added to the table lately. Most words of a batch of items were in those before: looking each one up in
/// the table took a third of the time of an import.
struct AddedEndings {
    /// About 2 MB.
    private static let limit = 50_000

    private var version = -1
    private var known: Set<String> = []

    /// Returns those of some words that may not be in the table yet.
    mutating func unknown(among words: [String], _ db: Database) throws -> [String] {
        // Another process may have filled the table again.
        let current = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        if current != version { (version, known) = (current, []) }
        return words.filter { !known.contains($0) }
    }

    /// Remembers words whose addition was committed.
    mutating func remember(_ words: [String]) {
        if known.count + words.count > Self.limit { known = [] }
        if words.count <= Self.limit { known.formUnion(words) }
    }
}
