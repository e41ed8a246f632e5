internal import GRDB

/// The tables of the index.
///
/// | Table | Content |
/// |---|---|
/// | `source` | the named indexes of apps, with their client states |
/// | `item` | the items; `attributes` is a JSON object with all attributes but title and text; `id` grows with each item and contains ``ItemLengths`` |
/// | `word` | FTS5 over the views of `item`: title, names, text, and `starts` with the source, the protection and the beginnings of title and names |
/// | `spelling` | the words of `word`, for correcting typed words |
/// | `ending` | the long words of `word` spelled backwards, for finding compounds; see ``WordEndings`` |
/// | `complete` | the apps that have indexed all of their content |
/// | `engagement` | how often the user saw and opened items among results, by item and words; see ``Engagement`` |
/// | `sketch` | the numbers from which the popularity of public items is estimated, at most one row |
/// | `number` | numbers about the file; see ``IndexNumber`` |
enum IndexSchema {
    /// The version in `PRAGMA user_version`. A file with another version is rebuilt from the apps.
    static let version = 6
    /// `HuIx`, in `PRAGMA application_id`.
    static let applicationID = 0x4875_4978

    static func create(_ db: Database, language: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE source (
                    id INTEGER PRIMARY KEY, application TEXT NOT NULL, name TEXT NOT NULL, state BLOB,
                    UNIQUE (application, name));
                CREATE TABLE item (
                    id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source, identifier TEXT NOT NULL,
                    date REAL NOT NULL, domain TEXT, title TEXT NOT NULL, names TEXT NOT NULL, text TEXT NOT NULL, attributes TEXT NOT NULL,
                    expiry REAL, protection INTEGER NOT NULL, modified REAL NOT NULL, isRenewalAsked INTEGER,
                    isPublic INTEGER NOT NULL,
                    UNIQUE (source, identifier));
                CREATE INDEX item_domain ON item (source, domain) WHERE domain IS NOT NULL;
                CREATE INDEX item_expiry ON item (expiry) WHERE expiry IS NOT NULL;
                CREATE TABLE complete (application TEXT PRIMARY KEY) WITHOUT ROWID;
                CREATE TABLE number (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
                INSERT INTO number VALUES ('\(IndexNumber.file.rawValue)', abs(random() % 1000000000000));
                CREATE TABLE engagement (
                    application TEXT NOT NULL, name TEXT NOT NULL, identifier TEXT NOT NULL, query TEXT NOT NULL,
                    shown REAL NOT NULL, opened REAL NOT NULL, date REAL NOT NULL, lastOpened REAL,
                    PRIMARY KEY (application, name, identifier, query)) WITHOUT ROWID;
                CREATE INDEX engagement_query ON engagement (query) WHERE query <> '';
                CREATE INDEX engagement_date ON engagement (date);
                CREATE TABLE sketch (epsilon REAL NOT NULL, reports BLOB NOT NULL, counts BLOB NOT NULL, ones REAL NOT NULL);
                CREATE VIEW indexed AS
                    SELECT id, title, names, text, char(1, 2) || source || iif(protection, char(3) || protection, '') || ' ' || title || ' ' || names AS starts
                    FROM item;
                PRAGMA user_version = \(version);
                PRAGMA application_id = \(applicationID);
                """)
        try createWords(db, language: language)
    }

    /// Creates the tables of words, in place of the former ones.
    static func createWords(_ db: Database, language: String) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS spelling;
                DROP TABLE IF EXISTS word;
                CREATE VIRTUAL TABLE word USING fts5(
                    title, names, text, starts, content = 'indexed', content_rowid = 'id', columnsize = 0,
                    tokenize = 'hunch \(language)');
                -- Words are collected in memory up to this size before they are written, in bytes. FTS5 takes twice as much.
                INSERT INTO word (word, rank) VALUES ('hashsize', 16777216);
                -- The size of a part of the index, which fits into a page of the file.
                INSERT INTO word (word, rank) VALUES ('pgsz', 8100);
                -- More segments take a tenth less time to write, and no more to search.
                INSERT INTO word (word, rank) VALUES ('automerge', 8);
                CREATE VIRTUAL TABLE spelling USING fts5vocab('word', 'row');
                """)
        try WordEndings.create(db)
    }
}
