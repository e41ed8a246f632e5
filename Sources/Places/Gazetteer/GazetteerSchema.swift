internal import HunchModel
import GRDB

/// The tables of the gazetteer file.
///
/// A place's number falls with its importance, so that SQLite, which yields full-text matches by number, yields the
/// important ones first: a query reads as many rows as it shows, however many match. `place_text` keeps no text of its
/// own and no positions; `whole` holds each name as one word, so that a name is told from a longer one that contains it,
/// and `context` holds one word for each area that the place lies in. `area_key` finds areas by any of their names.
enum GazetteerSchema {
    /// Marks the file as a gazetteer ("Hgaz") for `file(1)` and for us.
    static let applicationID: Int32 = 0x4867_617A
    /// Files of another version are read no further; importing anew replaces them.
    static let version = 1

    static func create(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE source (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, file_date REAL NOT NULL,
                    import_date REAL NOT NULL, licence TEXT NOT NULL, attribution TEXT NOT NULL,
                    place_count INTEGER NOT NULL, last_number INTEGER NOT NULL);
                CREATE TABLE area (
                    id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, parent_id INTEGER, is_country INTEGER NOT NULL,
                    name TEXT NOT NULL, aliases TEXT NOT NULL, country_code TEXT);
                CREATE TABLE area_key (
                    key TEXT NOT NULL, area_id INTEGER NOT NULL, PRIMARY KEY (key, area_id)) WITHOUT ROWID;
                CREATE TABLE place (
                    id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, area_id INTEGER, kind TEXT NOT NULL,
                    latitude REAL NOT NULL, longitude REAL NOT NULL, name TEXT NOT NULL, alternates TEXT);
                CREATE INDEX place_by_source ON place (source_id);
                CREATE VIRTUAL TABLE place_text USING fts5 (
                    whole, words, context, content='', detail=column, prefix='2 3',
                    tokenize='unicode61 remove_diacritics 2');
                CREATE VIRTUAL TABLE place_box USING rtree (id, south, north, west, east);
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                """)
    }

    /// Refuses a file that is no gazetteer of this version.
    static func check(_ db: Database, path: String) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
        guard application == applicationID, version == Self.version else {
            throw GeocoderError(
                .incompatible,
                "\(path) is not a gazetteer of this version; remove it with “hunch gazetteer remove --all”")
        }
    }

    /// The values of `place_text` for the rows of `place` that the rest of the statement chooses.
    static let textRows = """
        SELECT place.id,
            whole_names(place.name || char(10) || ifnull(place.alternates, '')),
            place.name || char(10) || ifnull(place.alternates, ''),
            ifnull('a' || area.id, '') || ifnull(' a' || area.parent_id, '')
        FROM place LEFT JOIN area ON area.id = place.area_id
        """

    /// The word of an area in `context`.
    static func word(ofArea id: Int64) -> String { "a\(id)" }

    private static let importanceSteps = 1_000_000.0
    /// Bits of a place's number below its importance.
    static let numberBits: Int64 = 32

    /// The part of a place's number that falls with its importance.
    static func step(ofImportance importance: Double) -> Int64 {
        let known = importance.isNaN ? 0 : min(max(importance, 0), 1)
        return Int64(importanceSteps - (known * importanceSteps).rounded())
    }

    /// The importance that a place's number tells, 0…1.
    static func importance(ofPlace number: Int64) -> Double {
        1 - Double(number >> numberBits) / importanceSteps
    }
}

/// `whole_names(lines)`: each line without all that separates words, so that the tokenizer makes one word of it.
enum WholeNames {
    static let function = DatabaseFunction("whole_names", argumentCount: 1, pure: true) { arguments in
        String.fromDatabaseValue(arguments[0]).map(words(of:))
    }

    static func words(of lines: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.utf8.count)
        for scalar in lines.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(scalar.value)
                if byte.isASCIILetter || byte.isASCIIDigit {
                    bytes.append(byte)
                } else if byte == 0x0A {
                    bytes.append(0x20)
                }
            } else if scalar.isTokenPart {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// What the `unicode61` tokenizer takes into a word: letters, numbers, private use and combining diacritics.
    fileprivate var isTokenPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        case .nonspacingMark: (0x300...0x331).contains(value)
        default: false
        }
    }
}
