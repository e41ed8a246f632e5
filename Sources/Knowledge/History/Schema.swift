internal import GRDB

/// The tables, as named migrations. A released migration is never changed; every change is a new one.
///
/// - `word`: each distinct application, trigger, device and group once, and further context as a JSON object.
///   `isCircumstance` marks words other than applications and groups. References to this table are not declared as
///   foreign keys, since removing a word would then need an index on every referencing column.
/// - `action`: the common part of equal donations. Actions are equivalent if their values for the names in
///   `combination` are equal. `combination` is a JSON array, or NULL for all names.
/// - `seenPlace`: places that apps had on the screen, and whether they led to a suggestion. `title`, `start`, `end`,
///   `isAllDay`, `url`, `reservation` (a type of schema.org) and `booking` describe a reservation there, if there is one.
/// - `suggestedItem`: what the latest suggestions named, as JSON, and the app that it belongs to.
/// - `place`: known places of the user, by number, rounded to a thousandth of a degree.
/// - `stay`: times at these places. Its `date` is the end of the stay.
/// - `ownPlace`: places that the user named, such as `home`, as JSON.
/// - `subject` in `engagement` and `mutedPair`: the place or event that a suggestion was about, as JSON. In `mutedPair` it is
///   empty, or else the application is.
/// - `wasRequested` in `engagement`: the suggestion answered a request. `isPardoned`: a dismissal that no longer mutes
///   anything, because the user unmuted its pair.
/// - `announcement`: items that apps announced as upcoming or relevant, in their order.
/// - `appointmentOutcome`: what became of the latest suggestions for appointments when something else was forgotten, so that a
///   restart does not make them again: their identifiers, which are digests, and dates rounded up to an hour.
/// - `allowedScript`, `reader`, `placeAccess`, `devicePolicy`, `setting`, `exclusion`: settings of the user, which
///   forgetting keeps.
/// - Dates are milliseconds since 1970, UTC.
enum Schema {
    static let donations = "donations"
    static let engagements = "engagements"
    static let resumePoints = "resume points"
    static let settings = "settings"
    static let exclusions = "exclusions"
    static let donors = "donors"
    static let readers = "readers"
    static let devicePolicies = "device policies"
    static let furtherCircumstances = "further circumstances"
    static let seenPlaces = "seen places"
    static let circumstances = "circumstances"
    static let whereabouts = "whereabouts"
    static let reservations = "reservations"
    static let placeAccess = "place access"
    static let bookings = "bookings"
    static let ownPlaces = "own places"
    static let subjects = "subjects"
    static let suggestedItems = "suggested items"
    static let requests = "requests"
    static let appointmentOutcomes = "outcomes of appointments"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(donations) { db in
            try db.execute(
                sql: """
                    CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
                    CREATE TABLE action (
                        id INTEGER PRIMARY KEY, application INTEGER NOT NULL, kind TEXT NOT NULL,
                        parameters TEXT NOT NULL, UNIQUE (application, kind, parameters));
                    CREATE INDEX action_kind ON action (kind);
                    CREATE TABLE donation (
                        id INTEGER PRIMARY KEY, action INTEGER NOT NULL REFERENCES action, date INTEGER NOT NULL,
                        trigger INTEGER, device INTEGER, hour INTEGER, weekday INTEGER, identifier TEXT,
                        "group" INTEGER);
                    CREATE INDEX donation_action ON donation (action);
                    CREATE INDEX donation_date ON donation (date);
                    """)
        }
        migrator.registerMigration(engagements) { db in
            try db.execute(
                sql: """
                    CREATE TABLE engagement (
                        id INTEGER PRIMARY KEY, suggestion TEXT NOT NULL, application INTEGER NOT NULL,
                        kind TEXT NOT NULL, outcome TEXT NOT NULL, date INTEGER NOT NULL, trigger INTEGER,
                        device INTEGER, hour INTEGER, weekday INTEGER);
                    CREATE INDEX engagement_date ON engagement (date);
                    """)
        }
        migrator.registerMigration(resumePoints) { db in
            try db.execute(
                sql: """
                    CREATE TABLE resumePoint (
                        device TEXT NOT NULL, application TEXT NOT NULL, item TEXT, info TEXT NOT NULL,
                        pausedByDisconnect INTEGER NOT NULL, date INTEGER NOT NULL,
                        PRIMARY KEY (device, application)) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration(settings) { db in
            try db.execute(
                sql: """
                    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE mutedPair (
                        trigger TEXT NOT NULL, application TEXT NOT NULL, date INTEGER NOT NULL,
                        PRIMARY KEY (trigger, application)) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration(exclusions) { db in
            try db.execute(sql: "CREATE TABLE exclusion (application TEXT PRIMARY KEY) WITHOUT ROWID")
        }
        migrator.registerMigration(donors) { db in
            // All plays of an item were one action whatever its title was, so `combination` was implied.
            try db.execute(
                sql: """
                    ALTER TABLE action ADD COLUMN combination TEXT;
                    UPDATE action SET combination = '["item"]' WHERE kind = 'playMedia' AND json_valid(parameters)
                        AND json_extract(parameters, '$.item') <> '';
                    CREATE INDEX donation_identifier ON donation (identifier) WHERE identifier IS NOT NULL;
                    CREATE INDEX donation_group ON donation ("group") WHERE "group" IS NOT NULL;
                    CREATE TABLE announcement (
                        application TEXT NOT NULL, list TEXT NOT NULL, position INTEGER NOT NULL,
                        item TEXT NOT NULL, date INTEGER NOT NULL,
                        PRIMARY KEY (application, list, position)) WITHOUT ROWID;
                    CREATE TABLE allowedScript (name TEXT PRIMARY KEY, date INTEGER NOT NULL) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration(readers) { db in
            try db.execute(sql: "CREATE TABLE reader (application TEXT PRIMARY KEY) WITHOUT ROWID")
        }
        migrator.registerMigration(furtherCircumstances) { db in
            try db.execute(
                sql: """
                    ALTER TABLE donation ADD COLUMN further INTEGER;
                    ALTER TABLE engagement ADD COLUMN further INTEGER;
                    """)
        }
        migrator.registerMigration(devicePolicies) { db in
            try db.execute(
                sql: "CREATE TABLE devicePolicy (device TEXT PRIMARY KEY, policy TEXT NOT NULL) WITHOUT ROWID")
        }
        migrator.registerMigration(seenPlaces) { db in
            try db.execute(
                sql: """
                    CREATE TABLE seenPlace (
                        application TEXT NOT NULL, key TEXT NOT NULL, whereabouts TEXT NOT NULL, place TEXT NOT NULL,
                        content TEXT, related TEXT, "group" TEXT, date INTEGER NOT NULL, offered INTEGER,
                        PRIMARY KEY (application, key)) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration(circumstances) { db in
            // Looking for a word in columns without an index scans all rows. So the words of those columns are marked.
            try db.execute(
                sql: """
                    ALTER TABLE word ADD COLUMN isCircumstance INTEGER NOT NULL DEFAULT 0;
                    UPDATE word SET isCircumstance = 1 WHERE id IN (
                        SELECT trigger FROM donation UNION SELECT device FROM donation
                        UNION SELECT further FROM donation UNION SELECT trigger FROM engagement
                        UNION SELECT device FROM engagement UNION SELECT further FROM engagement);
                    CREATE INDEX engagement_application ON engagement (application);
                    """)
        }
        migrator.registerMigration(whereabouts) { db in
            try db.execute(
                sql: """
                    CREATE TABLE place (
                        number INTEGER PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL,
                        word TEXT NOT NULL, date INTEGER NOT NULL);
                    CREATE TABLE stay (begin INTEGER PRIMARY KEY, place INTEGER NOT NULL, date INTEGER NOT NULL);
                    """)
        }
        migrator.registerMigration(reservations) { db in
            try db.execute(
                sql: """
                    ALTER TABLE seenPlace ADD COLUMN title TEXT;
                    ALTER TABLE seenPlace ADD COLUMN start INTEGER;
                    ALTER TABLE seenPlace ADD COLUMN "end" INTEGER;
                    ALTER TABLE seenPlace ADD COLUMN isAllDay INTEGER;
                    ALTER TABLE seenPlace ADD COLUMN url TEXT;
                    ALTER TABLE seenPlace ADD COLUMN reservation TEXT;
                    """)
        }
        migrator.registerMigration(placeAccess) { db in
            try db.execute(
                sql: """
                    CREATE TABLE placeAccess (application TEXT PRIMARY KEY, isAllowed INTEGER NOT NULL) WITHOUT ROWID
                    """)
        }
        migrator.registerMigration(bookings) { db in
            try db.execute(sql: "ALTER TABLE seenPlace ADD COLUMN booking TEXT")
        }
        migrator.registerMigration(ownPlaces) { db in
            try db.execute(
                sql: "CREATE TABLE ownPlace (name TEXT PRIMARY KEY, place TEXT NOT NULL) WITHOUT ROWID")
        }
        migrator.registerMigration(subjects) { db in
            // Mutes because of pages and appointments were meant for a place or an event, but applied to all of them.
            try db.execute(
                sql: """
                    ALTER TABLE engagement ADD COLUMN subject TEXT;
                    ALTER TABLE mutedPair RENAME TO formerPair;
                    CREATE TABLE mutedPair (
                        trigger TEXT NOT NULL, application TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
                        date INTEGER NOT NULL, PRIMARY KEY (trigger, application, kind, subject)) WITHOUT ROWID;
                    INSERT INTO mutedPair SELECT trigger, application, ifnull((
                            SELECT kind FROM engagement JOIN word AS app ON app.id = engagement.application
                                LEFT JOIN word ON word.id = engagement.trigger
                            WHERE app.text = formerPair.application AND ifnull(word.text, '') = formerPair.trigger
                                AND outcome = 'dismissed'
                            ORDER BY engagement.date DESC LIMIT 1), 'media'), '', date FROM formerPair
                        WHERE trigger NOT LIKE 'activity:%' AND trigger <> 'appointment';
                    DROP TABLE formerPair;
                    """)
        }
        migrator.registerMigration(suggestedItems) { db in
            try db.execute(
                sql: """
                    CREATE TABLE suggestedItem (
                        suggestion TEXT PRIMARY KEY, application TEXT NOT NULL, item TEXT NOT NULL,
                        date INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE INDEX suggestedItem_application ON suggestedItem (application);
                    """)
        }
        migrator.registerMigration(requests) { db in
            try db.execute(
                sql: """
                    ALTER TABLE engagement ADD COLUMN wasRequested INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE engagement ADD COLUMN isPardoned INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration(appointmentOutcomes) { db in
            try db.execute(
                sql: """
                    CREATE TABLE appointmentOutcome (
                        suggestion TEXT PRIMARY KEY, outcome TEXT NOT NULL, date INTEGER NOT NULL) WITHOUT ROWID
                    """)
        }
        return migrator
    }

    /// The state of a database file.
    enum State: Equatable {
        /// No tables yet.
        case empty
        /// A history of this version.
        case current
        /// A history that lacks migrations of this version.
        case older
        /// A history with migrations that this version does not know.
        case newer
        /// A database of another program.
        case foreign
        /// A damaged history.
        case corrupt
    }

    /// The extent of a check.
    enum Check {
        /// The version that wrote the file.
        case version
        /// Also the consistency of the pages: about 20 ms for 100,000 donations.
        case pages
        /// Also the agreement of indexes with tables, and the table definitions: about 110 ms for 100,000 donations.
        case everything
    }

    /// Returns the state of a database file.
    static func state(_ db: Database, _ check: Check) throws -> State {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return .empty }
        guard try db.tableExists("grdb_migrations") else { return .foreign }
        let identifiers = try Optional<String>.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
        // GRDB writes no NULL, but a changed byte can be read as one.
        guard identifiers.allSatisfy({ $0 != nil }) else { return .corrupt }
        let applied = Set(identifiers.compactMap(\.self))
        let known = Set(migrator.migrations)
        // A first start that was killed leaves an empty list of migrations.
        guard applied.isEmpty || applied.contains(donations) else { return .foreign }
        guard applied.isSubset(of: known) else { return .newer }
        if check != .version {
            let pragma = check == .pages ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)"
            guard try String.fetchOne(db, sql: pragma) == "ok" else { return .corrupt }
        }
        if check == .everything, applied == known {
            // A changed byte in a table definition leaves the pages consistent.
            let fresh = try DatabaseQueue()
            try migrator.migrate(fresh)
            guard try definitions(db) == fresh.read(definitions) else { return .corrupt }
        }
        return applied == known ? .current : .older
    }

    private static func definitions(_ db: Database) throws -> [String: String?] {
        let rows = try Row.fetchAll(db, sql: "SELECT type || ' ' || name AS name, sql FROM sqlite_master")
        return Dictionary(rows.map { ($0.text("name") ?? "", $0.text("sql")) }) { first, _ in first }
    }
}
