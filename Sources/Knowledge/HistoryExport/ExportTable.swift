internal import History
internal import GRDB
internal import HunchModel

/// A table whose rows are lines of an export.
struct ExportTable: Sendable {
    /// The query for the rows, without order.
    private let query: String
    /// The columns of the row key, in order. The query must select them.
    private let keys: [String]
    private let line: @Sendable (Row) -> (any Encodable)?

    /// - Parameter row: reads a row. Returns `nil` for an unreadable row, as in a damaged file.
    private init<Value>(
        _ query: String, keys: String..., row: @escaping @Sendable (Row) -> Value?,
        line: @escaping @Sendable (Value) -> any Encodable
    ) {
        self.query = query
        self.keys = keys
        self.line = { row($0).map(line) }
    }

    /// All exported tables, in the order of the export.
    static let all = [
        ExportTable(
            HistoryStore.donationQuery, keys: "donation.id", row: HistoryStore.donation,
            line: ExportLine.DonationLine.init),
        ExportTable(
            HistoryStore.engagementQuery, keys: "engagement.id", row: HistoryStore.engagement,
            line: ExportLine.EngagementLine.init),
        ExportTable(
            "SELECT * FROM resumePoint", keys: "device", "application", row: HistoryStore.resumePoint,
            line: ExportLine.ResumePointLine.init),
        ExportTable(
            "SELECT * FROM mutedPair", keys: "trigger", "application", "kind", "subject", row: HistoryStore.mutedPair,
            line: ExportLine.MutedPairLine.init),
        ExportTable(
            "SELECT * FROM announcement", keys: "list", "application", "position",
            row: ExportLine.AnnouncementLine.init,
            line: { $0 }),
        ExportTable(
            "SELECT * FROM seenPlace", keys: "application", "key", row: HistoryStore.seenPlace,
            line: ExportLine.SeenPlaceLine.init),
        ExportTable("SELECT * FROM place", keys: "number", row: KnownPlace.init, line: ExportLine.PlaceLine.init),
        ExportTable("SELECT * FROM stay", keys: "begin", row: Stay.init, line: ExportLine.StayLine.init),
    ]

    /// Writes the next rows.
    ///
    /// - Parameters:
    ///   - last: the key of the last row written, which the call updates. `nil` before the first row.
    ///   - limit: the maximum number of rows.
    /// - Returns: whether there may be more rows.
    func write(
        _ db: Database, after last: inout [DatabaseValue]?, limit: Int, _ writer: inout LineWriter
    ) throws -> Bool {
        let columns = keys.joined(separator: ", ")
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        let condition = last == nil ? "" : "WHERE (\(columns)) > (\(places))"
        let rows = try Row.fetchAll(
            db, sql: "\(query) \(condition) ORDER BY \(columns) LIMIT ?",
            arguments: StatementArguments((last ?? []) + [limit.databaseValue]))
        for row in rows {
            if let line = line(row) { try writer.add(line) }
        }
        if let row = rows.last { last = keys.map { row[$0.split(separator: ".").last.map(String.init) ?? $0] } }
        return rows.count == limit
    }
}
