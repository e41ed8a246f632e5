public import History
public import FoundationEssentials
internal import GRDB
public import HunchModel

extension HistoryStore {
    /// Returns the next lines of an export in the format of ``ExportLine``.
    ///
    /// Each page is read in its own transaction, so a slow reader does not delay forgetting.
    ///
    /// - Parameters:
    ///   - cursor: the position of the export, which the call updates.
    ///   - limit: the maximum number of rows in a page.
    ///   - now: the date in the first line.
    /// - Returns: whole lines in UTF-8, or `nil` after the last. One page, before that with the last line, is empty: there the
    ///   caller may add lines of other types, and their number to the cursor.
    public func exportPage(
        _ cursor: inout ExportCursor, limit: Int = 256, now: Date
    ) throws(HistoryError) -> [UInt8]? {
        var next = cursor
        let page = try read { db -> [UInt8]? in
            var writer = LineWriter()
            loop: while writer.lines == 0 {
                switch next.section {
                case .head:
                    try Self.writeHead(db, now, &writer)
                    next.section = .table(0)
                case .table(let index) where index < ExportTable.all.count:
                    let hasMore = try ExportTable.all[index].write(
                        db, after: &next.keys, limit: max(limit, 1), &writer)
                    if !hasMore { (next.section, next.keys) = (.table(index + 1), nil) }
                case .table:
                    next.section = .others
                    break loop
                case .others:
                    try writer.add(ExportLine.End(lines: next.lines))
                    next.section = .end
                case .end: return nil
                }
            }
            next.lines += writer.lines
            return writer.bytes
        }
        cursor = next
        return page
    }

    private static func writeHead(_ db: Database, _ now: Date, _ writer: inout LineWriter) throws {
        try writer.add(ExportLine.Export(date: ExportLine.text(of: now)))
        try writer.add(ExportLine.Settings(try HistorySettings(db)))
        for application in try NameList.exclusions.names(db).sorted() {
            try writer.add(ExportLine.Exclusion(app: application))
        }
        for name in try NameList.scripts.names(db).sorted() { try writer.add(ExportLine.Script(name: name)) }
        for application in try NameList.readers.names(db).sorted() {
            try writer.add(ExportLine.Reader(app: application))
        }
        for (application, isAllowed) in try placeAccess(db).sorted(by: { $0.key < $1.key }) {
            try writer.add(ExportLine.PlaceAccessLine(app: application, allowed: isAllowed))
        }
        for (device, policy) in try policies(db).sorted(by: { $0.key < $1.key }) {
            try writer.add(ExportLine.DevicePolicyLine(device: device, policy: policy))
        }
        for (name, place) in try ownPlaces(db).sorted(by: { $0.key < $1.key }) {
            try writer.add(ExportLine.OwnPlaceLine(name: name, place: place))
        }
    }
}

/// A buffer for the lines of a page.
struct LineWriter {
    var bytes: [UInt8] = []
    var lines = 0

    mutating func add(_ line: some Encodable) throws {
        bytes += Array(ExportLine.harmless(try Stored.json(line)).utf8)
        bytes.append(UInt8(ascii: "\n"))
        lines += 1
    }
}
