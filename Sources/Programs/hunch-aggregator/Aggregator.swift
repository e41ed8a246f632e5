import FoundationEssentials
import GRDB
import HunchModel
import Popularity

/// The sums of people's reports, by week, in a SQLite file. Several processes may use it at a time.
final class Aggregator {
    /// The usual privacy loss of a report, ε.
    private static let usualEpsilon = 1.0
    private static let usualWeeks = 4
    private static let weekLimit = 52
    private static let week: Double = 7 * 86_400
    /// `HuAg`, in `PRAGMA application_id`.
    private static let applicationID = 0x4875_4167

    private let database: DatabaseQueue
    private let encoding: UnaryEncoding
    private let weeks: Int

    /// Opens the file, and creates it if there is none.
    ///
    /// - Parameter isExisting: whether the file must exist.
    /// - Throws: ``AggregatorError`` for a wrong setting; the database's error.
    init(environment: [String: String], isExisting: Bool = false) throws {
        guard let path = environment["HUNCH_AGGREGATOR_DATABASE"], path.hasPrefix("/") else {
            throw AggregatorError(
                "HUNCH_AGGREGATOR_DATABASE is not the absolute path of a file; set it in the web server")
        }
        let wanted: UnaryEncoding? = try environment["HUNCH_AGGREGATOR_EPSILON"].map { text in
            guard let encoding = Double(text).flatMap(UnaryEncoding.init(epsilon:)) else {
                let range = UnaryEncoding.epsilons
                throw AggregatorError(
                    "HUNCH_AGGREGATOR_EPSILON is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return encoding
        }
        guard let weeks = environment["HUNCH_AGGREGATOR_WEEKS"].map({ Int($0) }) ?? Self.usualWeeks,
            (1...Self.weekLimit).contains(weeks)
        else { throw AggregatorError("HUNCH_AGGREGATOR_WEEKS is not a number from 1 to \(Self.weekLimit)") }
        self.weeks = weeks
        if isExisting, !FileManager.default.fileExists(atPath: path) {
            throw AggregatorError("there is no file \(path); is HUNCH_AGGREGATOR_DATABASE as in the web server?")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        database = try DatabaseQueue(path: path, configuration: configuration)
        let isNew = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") == 0 }
        if isNew {
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try database.write { try Self.create($0, epsilon: wanted?.epsilon ?? Self.usualEpsilon) }
        }
        encoding = try database.read { try Self.encoding($0, path) }
        if let wanted, wanted != encoding {
            throw AggregatorError(
                "\(path) has reports with ε = \(encoding.epsilon), not \(wanted.epsilon); set HUNCH_AGGREGATOR_EPSILON to that, or use another file"
            )
        }
    }

    /// Creates the tables, unless another process has just done so.
    private static func create(_ db: Database, epsilon: Double) throws {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 else { return }
        try db.execute(
            sql: """
                CREATE TABLE setting (epsilon REAL NOT NULL);
                -- The number of reports of a row of the sketch in a week since 1970, and its counts.
                CREATE TABLE line (
                    week INTEGER NOT NULL, row INTEGER NOT NULL, reports INTEGER NOT NULL, counts BLOB NOT NULL,
                    PRIMARY KEY (week, row));
                PRAGMA application_id = \(applicationID);
                """)
        try db.execute(sql: "INSERT INTO setting VALUES (?)", arguments: [epsilon])
    }

    private static func encoding(_ db: Database, _ path: String) throws -> UnaryEncoding {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID,
            let encoding = try Double.fetchOne(db, sql: "SELECT epsilon FROM setting")
                .flatMap(UnaryEncoding.init(epsilon:))
        else { throw AggregatorError("\(path) is not the database of an aggregator; use another file") }
        return encoding
    }

    /// Answers a request.
    ///
    /// - Throws: ``Refusal``; the database's error.
    func answer(_ request: Request, at now: Date = Date()) throws -> Response {
        switch request.method {
        case "GET": return Response(sketch: try sketch(at: now).json)
        case "HEAD": return Response(sketch: [])
        case "POST":
            try add(sums(of: request.body()), at: now)
            return .added
        default: throw Refusal(405, "use GET to get the sums, and POST to add reports")
        }
    }

    /// Returns a line of text about the reports that count.
    func status(at now: Date = Date()) throws -> String {
        let sketch = try sketch(at: now)
        return "\(Int(clamping: sketch.total)) reports with ε = \(encoding.epsilon) in the last \(weeks) weeks"
    }

    /// Returns the sums of the reports in a body, one a line.
    private func sums(of body: [UInt8]) throws(Refusal) -> PopularitySketch {
        var sums = PopularitySketch(encoding: encoding)
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            guard line.count <= PopularityReport.lengthLimit else {
                throw Refusal(400, "line \(index + 1) has more than \(PopularityReport.lengthLimit) bytes")
            }
            do throws(PopularityError) {
                try sums.add(PopularityReport(json: line))
            } catch {
                throw Refusal(400, "line \(index + 1): \(error)")
            }
        }
        guard sums.total > 0 else { throw Refusal(400, "there is no report in the body") }
        return sums
    }

    // MARK: Sums

    /// Adds the sums of reports, all or none.
    private func add(_ sums: PopularitySketch, at now: Date) throws {
        let week = Self.week(of: now)
        try database.write { [weeks] db in
            try db.execute(sql: "DELETE FROM line WHERE week <= ?", arguments: [week - weeks])
            for row in 0..<PopularitySketch.rows where sums.reports[row] > 0 {
                let former = try Self.lines(db, "week = ? AND row = ?", [week, row])
                let line = try Line(row: row, of: sums).adding(former.first)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO line VALUES (?, ?, ?, ?)",
                    arguments: [week, row, line.reports, line.data])
            }
        }
    }

    private func sketch(at now: Date) throws -> PopularitySketch {
        let first = Self.week(of: now) - weeks + 1
        let lines = try database.read { try Self.lines($0, "week >= ?", [first]) }
        var sums = (0..<PopularitySketch.rows).map { Line(row: $0) }
        for line in lines { sums[line.row] = try sums[line.row].adding(line) }
        return try PopularitySketch(
            encoding: encoding, reports: sums.map(\.reports), counts: sums.flatMap(\.counts))
    }

    private static func week(of date: Date) -> Int { Int(clamping: (date.timeIntervalSince1970 / week).rounded(.down)) }

    private static func lines(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [Line] {
        try Row.fetchAll(db, sql: "SELECT row, reports, counts FROM line WHERE \(condition)", arguments: arguments)
            .compactMap { Line(row: $0[0], reports: $0[1], data: $0[2]) }
    }
}

/// A row of the sketch.
private struct Line {
    let row: Int
    let reports: UInt32
    let counts: [UInt32]

    init(row: Int, reports: UInt32 = 0, counts: [UInt32]? = nil) {
        (self.row, self.reports) = (row, reports)
        self.counts = counts ?? Array(repeating: 0, count: PopularitySketch.columns)
    }

    init(row: Int, of sketch: PopularitySketch) {
        let columns = PopularitySketch.columns
        self.init(
            row: row, reports: sketch.reports[row],
            counts: Array(sketch.counts[(row * columns)..<((row + 1) * columns)]))
    }

    /// Reads a stored row. Returns `nil` for one of another size.
    init?(row: Int, reports: UInt32, data: Data) {
        guard (0..<PopularitySketch.rows).contains(row), data.count == 4 * PopularitySketch.columns else { return nil }
        let counts = data.withUnsafeBytes { bytes in
            (0..<PopularitySketch.columns).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
        self.init(row: row, reports: reports, counts: counts)
    }

    /// The counts, as they are stored.
    var data: Data { counts.map(\.littleEndian).withUnsafeBytes { Data($0) } }

    /// Returns the sums of this row and another.
    func adding(_ other: Line?) throws(AggregatorError) -> Line {
        guard let other else { return self }
        let (sum, isOverflow) = reports.addingReportingOverflow(other.reports)
        guard !isOverflow else { throw AggregatorError("a row of the sketch has too many reports; use fewer weeks") }
        return Line(row: row, reports: sum, counts: zip(counts, other.counts).map(&+))
    }
}

/// The reason why the aggregator cannot work, in one sentence without a full stop.
struct AggregatorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
