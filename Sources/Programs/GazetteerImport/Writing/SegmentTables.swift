internal import Gazetteers
import Geocoding
import GRDB
import GRDBSQLite
import HunchModel

/// Writes the rows of one segment.
struct SegmentTables {
    private let segment: Int64
    private let place: Statement
    private let posting: Statement
    private let vocabulary: Statement
    private let cells: Statement
    private let houses: Statement

    /// - Parameter segment: the number of the segment.
    init(_ database: Database, segment: Int64) throws {
        self.segment = segment
        place = try database.cachedStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        posting = try database.cachedStatement(sql: "INSERT INTO posting VALUES (?, ?, ?, ?)")
        vocabulary = try database.cachedStatement(sql: "INSERT INTO vocabulary VALUES (?, ?, ?)")
        cells = try database.cachedStatement(sql: "INSERT INTO cells VALUES (?, ?, ?, ?)")
        houses = try database.cachedStatement(sql: "INSERT INTO houses VALUES (?, ?)")
    }

    package func add(_ row: GazetteerPlace, rank: UInt32) throws {
        var insertion = Insertion(place)
        insertion.bind(GazetteerSchema.place(segment: segment, rank: rank))
        insertion.bind(row.area?.number)
        insertion.bind(row.kind.rawValue)
        insertion.bind(row.coordinate.latitude)
        insertion.bind(row.coordinate.longitude)
        insertion.bind(row.isApproximate ? 1 : 0)
        insertion.bind(row.importance)
        insertion.bind(row.name)
        for names in [row.alternates, row.doubtfulNames] {
            insertion.bind(names.isEmpty ? nil : names.joined(separator: "\n"))
        }
        for text in [row.street, row.city, row.postalCode] { insertion.bind(text) }
        insertion.bind(row.origin)
        try insertion.run()
    }

    /// - Parameter entries: rank times four plus role, ascending.
    func add(_ word: ArraySlice<UInt8>, _ entries: [UInt32]) throws {
        for start in stride(from: 0, to: entries.count, by: Postings.blockSize) {
            var insertion = Insertion(posting)
            insertion.bind(segment)
            insertion.bind(text: word)
            insertion.bind(Int64(entries[start] >> 2))
            insertion.bind(
                blob: Postings.block(entries[start..<min(start + Postings.blockSize, entries.count)]))
            try insertion.run()
        }
    }

    func add(_ vocabularies: [Int: Vocabulary]) throws {
        for (length, words) in vocabularies.sorted(by: { $0.key < $1.key }) {
            var insertion = Insertion(vocabulary)
            insertion.bind(segment)
            insertion.bind(Int64(length))
            insertion.bind(blob: words.stored)
            try insertion.run()
        }
    }

    /// - Parameter entries: the entries in any order. Sorted afterwards.
    func add(_ entries: inout [CellBlock.Entry], _ layer: CellBlock.Layer) throws {
        entries.sort { $0.cell < $1.cell }
        var start = 0
        while start < entries.count {
            var end = min(start + CellBlock.blockSize, entries.count)
            // The first cell identifies a block, so no two blocks may share it.
            while end < entries.count, entries[end].cell == entries[end - 1].cell { end += 1 }
            var insertion = Insertion(cells)
            insertion.bind(segment)
            insertion.bind(Int64(layer.rawValue))
            insertion.bind(entries[start].cell)
            insertion.bind(blob: CellBlock.bytes(of: entries[start..<end]))
            try insertion.run()
            start = end
        }
    }

    func add(_ list: [HouseList.House], rank: UInt32) throws {
        var insertion = Insertion(houses)
        insertion.bind(GazetteerSchema.place(segment: segment, rank: rank))
        insertion.bind(blob: HouseList.bytes(of: list))
        try insertion.run()
    }
}

/// A run of a statement with directly bound values. An import runs millions, and GRDB's argument lists cost more than
/// SQLite's own work.
private struct Insertion {
    private let statement: SQLiteStatement
    private let owner: Statement
    private var index: Int32 = 0

    init(_ statement: Statement) {
        owner = statement
        self.statement = statement.sqliteStatement
    }

    // Binding fails only for a wrong index or a value beyond SQLite's limit of a gigabyte. Then the step fails, too.

    mutating func bind(_ value: Int64?) {
        index += 1
        if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
    }

    mutating func bind(_ value: Double) {
        index += 1
        sqlite3_bind_double(statement, index, value)
    }

    mutating func bind(_ value: String?) {
        index += 1
        guard var value else {
            sqlite3_bind_null(statement, index)
            return
        }
        value.withUTF8 { bind(text: $0, index) }
    }

    mutating func bind(text: ArraySlice<UInt8>) {
        index += 1
        text.withUnsafeBufferPointer { bind(text: $0, index) }
    }

    mutating func bind(blob: [UInt8]) {
        index += 1
        _ = blob.withUnsafeBytes {
            sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), Self.transient)
        }
    }

    private func bind(text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
        text.withMemoryRebound(to: CChar.self) { text in
            _ = sqlite3_bind_text(statement, index, text.baseAddress, Int32(text.count), Self.transient)
        }
    }

    /// Makes SQLite copy the bound value.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// - Throws: the database's error.
    func run() throws {
        let result = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard result == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
        withExtendedLifetime(owner) {}
    }
}
