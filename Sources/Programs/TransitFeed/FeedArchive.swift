import BulkFiles
import Glibc
import HunchModel

/// The tables of a feed, read from a ZIP archive with the files at its top level.
///
/// Source: GTFS Schedule reference, "File Requirements" and "Dataset Files".
struct FeedArchive {
    private let path: String
    private let archive: ZipArchive

    /// - Throws: ``BulkFiles/ImportError`` with `unreadable` or `malformed`.
    init(path: String) throws {
        self.path = path
        var status = stat()
        // -1 on failure, with errno.
        guard stat(path, &status) == 0 else {
            throw ImportError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImportError(.unreadable, "\(path) is not a file; name the ZIP archive of the feed")
        }
        archive = try ZipArchive(path: path, size: Int(status.st_size))
    }

    func has(_ table: String) -> Bool { archive.entries.contains { $0.name == table } }

    /// Calls `body` with every record of a table.
    ///
    /// - Parameters:
    ///   - required: the columns that the table must have. They come first in a record.
    ///   - optional: further columns. Their fields are empty if the table lacks the column.
    ///   - limit: the maximum size of the uncompressed table, in bytes.
    /// - Throws: ``BulkFiles/ImportError``, naming file, line and column.
    func forEachRecord(
        of table: String, required: [String], optional: [String] = [], limit: Int = TransitFeedLimits.tableSize,
        _ body: (FeedRecord) throws -> Void
    ) throws {
        guard let entry = archive.entries.first(where: { $0.name == table }) else {
            let elsewhere = archive.entries.first { $0.name.hasSuffix("/\(table)") }
            let reason = elsewhere.map { "it is in the folder of \($0.name), but has to be at the top level" }
            throw ImportError(.malformed, "\(path) has no \(table): \(reason ?? "it is not a GTFS timetable")")
        }
        let name = "\(table) in \(path)"
        let columns = required + optional
        var positions: [Int]?
        var count = 0
        let reader = CSVReader(try archive.open(entry, limit: limit), name: name)
        try reader.forEachRow { row in
            if let positions {
                count += 1
                guard count <= TransitFeedLimits.records else {
                    throw ImportError(.tooLong, "\(name) has more than \(TransitFeedLimits.records) records")
                }
                try body(FeedRecord(row: row, columns: columns, positions: positions, table: name))
            } else {
                let headings = (0..<row.count).map { (row.text($0) ?? "").trimmed }
                for column in required where !headings.contains(column) {
                    throw ImportError(.malformed, "\(name), line \(row.line): the column \(column) is missing")
                }
                // The index of a missing column is beyond every record, so that its fields are empty.
                positions = columns.map { headings.firstIndex(of: $0) ?? .max }
            }
        }
        guard positions != nil else { throw ImportError(.malformed, "\(name) is empty") }
    }
}

/// A record of a table. Its columns have the numbers of the requested columns: required first, then optional.
struct FeedRecord {
    private let row: CSVRow
    private let columns: [String]
    private let positions: [Int]
    private let table: String

    init(row: CSVRow, columns: [String], positions: [Int], table: String) {
        self.row = row
        self.columns = columns
        self.positions = positions
        self.table = table
    }

    /// Returns the undecoded bytes of a field, which are cheap to compare.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer { row[positions[column]] }

    /// Returns a field without surrounding white space, or an empty string if it is missing.
    ///
    /// - Throws: ``BulkFiles/ImportError`` if the field is not UTF-8.
    func text(_ column: Int) throws -> String {
        guard let text = row.text(positions[column]) else { throw fault(column, "the text is not UTF-8") }
        return text.trimmed
    }

    /// Returns a field, which must not be empty.
    func identifier(_ column: Int) throws -> String {
        let text = try text(column)
        guard !text.isEmpty else { throw fault(column, "the field is empty") }
        return text
    }

    func day(_ column: Int) throws -> ServiceDay {
        let text = try text(column)
        guard text.utf8.count == 8, let day = ServiceDay(text) else {
            throw fault(column, "“\(text.cut(to: 40))” is not a day such as 20261121")
        }
        return day
    }

    func number(_ column: Int, _ range: ClosedRange<Int>) throws -> Int {
        let text = try text(column)
        guard let number = Int(text), range.contains(number) else {
            throw fault(
                column, "“\(text.cut(to: 40))” is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func degrees(_ column: Int, within limit: Double) throws -> Double {
        let text = try text(column)
        guard let value = Double(text), abs(value) <= limit else {
            throw fault(column, "“\(text.cut(to: 40))” is not a number of degrees within ±\(Int(clamping: limit))")
        }
        return value
    }

    /// Returns an error that names the file, line and column of a field.
    func fault(_ column: Int, _ reason: String) -> ImportError {
        ImportError(.malformed, "\(table), line \(row.line), column \(columns[column]): \(reason)")
    }
}

extension String {
    fileprivate var trimmed: String {
        guard let first = utf8.first, let last = utf8.last, first <= 0x20 || last <= 0x20 else { return self }
        let start = utf8.firstIndex { $0 > 0x20 } ?? endIndex
        let end = utf8.lastIndex { $0 > 0x20 }.map { utf8.index(after: $0) } ?? start
        return start <= end ? String(self[start..<end]) : ""
    }
}
