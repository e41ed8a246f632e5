package import Geocoding
package import HunchModel
package import JourneyWords
internal import Localization
package import GRDB

/// The tables of the gazetteer file.
///
/// A source is split into segments of at most ``SegmentBuilder/maximumPlaces`` places, so that an import takes bounded
/// memory and a source can be removed. Within a segment, places have ranks: 0 is the most important. The number of a
/// place has the number of its segment in the upper 32 bits and its rank in the lower 32. A search in the order of
/// numbers finds important places first.
///
/// | table | content |
/// |---|---|
/// | `posting` | the places of a segment by word; see ``Postings``. Every place in an area has the area's word,
/// ``word(ofArea:)``, and every place in a category its word, ``word(ofCategory:)`` |
/// | `vocabulary` | the words by length, to correct typing errors; see ``Vocabulary`` |
/// | `cells` | the places, streets and houses by coordinate; see ``CellBlock`` |
/// | `houses` | the houses by street; see ``HouseList`` |
/// | `area_key` | the areas by any of their names |
package enum GazetteerSchema {
    /// The application identifier of gazetteer files ("Hgaz").
    static let applicationID: Int32 = 0x4867_617A
    /// The version of the format. Files of another version are rejected; a new import replaces them.
    static let version = 7
    /// The number under which `vocabulary` has the names of areas. No segment has it.
    package static let areaSegment: Int64 = 0

    package static func create(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE source (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, file_date REAL NOT NULL,
                    import_date REAL NOT NULL, licence TEXT NOT NULL, attribution TEXT NOT NULL,
                    place_count INTEGER NOT NULL, house_count INTEGER NOT NULL);
                CREATE TABLE segment (id INTEGER PRIMARY KEY AUTOINCREMENT, source_id INTEGER NOT NULL);
                CREATE TABLE area (
                    id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, parent_id INTEGER, is_country INTEGER NOT NULL,
                    name TEXT NOT NULL, aliases TEXT NOT NULL, country_code TEXT);
                CREATE TABLE area_key (
                    key TEXT NOT NULL, area_id INTEGER NOT NULL, PRIMARY KEY (key, area_id)) WITHOUT ROWID;
                CREATE TABLE place (
                    id INTEGER PRIMARY KEY, area_id INTEGER, kind TEXT NOT NULL, latitude REAL NOT NULL,
                    longitude REAL NOT NULL, is_approximate INTEGER NOT NULL, importance REAL NOT NULL,
                    name TEXT NOT NULL, alternates TEXT, doubtful TEXT, street TEXT, city TEXT, postal_code TEXT,
                    origin INTEGER);
                CREATE TABLE posting (
                    segment INTEGER NOT NULL, word TEXT NOT NULL, first INTEGER NOT NULL, entries BLOB NOT NULL,
                    PRIMARY KEY (segment, word, first)) WITHOUT ROWID;
                CREATE TABLE vocabulary (
                    segment INTEGER NOT NULL, length INTEGER NOT NULL, words BLOB NOT NULL,
                    PRIMARY KEY (segment, length));
                CREATE TABLE cells (
                    segment INTEGER NOT NULL, layer INTEGER NOT NULL, first INTEGER NOT NULL, entries BLOB NOT NULL,
                    PRIMARY KEY (segment, layer, first)) WITHOUT ROWID;
                CREATE TABLE houses (street INTEGER PRIMARY KEY, entries BLOB NOT NULL);
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                """)
    }

    /// Returns whether a file is a gazetteer of an earlier version.
    static func isOfEarlierVersion(_ db: Database) throws -> Bool {
        try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID
            && (Int.fetchOne(db, sql: "PRAGMA user_version") ?? version) < version
    }

    /// Throws if a file is not a gazetteer of this version.
    package static func check(_ db: Database, path: String) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
        guard application == applicationID, version == Self.version else {
            throw GeocoderError(
                .incompatible,
                localized(
                    "%1 is not a gazetteer of this version; remove it with “hunch gazetteer remove --all”", path))
        }
    }

    /// Returns the word of an area in `posting`. It cannot be mistaken for a word of a name, which never contains `#`.
    package static func word(ofArea id: Int64) -> String { "#\(id)" }

    /// Returns the word of a category in `posting`. It begins with a letter after the `#`, unlike that of an area.
    package static func word(ofCategory category: PlaceCategory) -> String { "#\(category.code)" }

    /// The number of bits of the rank in a place's number.
    static let rankBits: Int64 = 32

    /// Returns the number of a place.
    package static func place(segment: Int64, rank: UInt32) -> Int64 { segment << rankBits | Int64(rank) }
}
