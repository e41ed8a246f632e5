internal import FoundationEssentials
internal import GRDB
public import HunchModel

/// The position of an export of the whole index.
public struct IndexExportCursor: Sendable {
    fileprivate enum Section {
        /// The items after one.
        case items(Int64)
        case opened, end
    }

    fileprivate var section = Section.items(0)

    /// Creates a cursor before the first line.
    public init() {}
}

extension IndexStore {
    /// The most items of a page of an export, and the size in bytes after which it ends.
    private static let (page, pageSize) = (500, 1 << 20)

    /// Returns the next lines of an export of the whole index, or `nil` after the last: JSON objects as those of
    /// ``export(of:in:_:)`` with the `type` “item”, and as those of ``exportOpened(of:_:)`` with the `type` “opened”.
    public func exportPage(_ cursor: inout IndexExportCursor) throws(IndexError) -> [String]? {
        switch cursor.section {
        case .items(let last):
            let lines = try wrapped { try database.read { try Self.lines(after: last, nil, nil, type: "item", $0) } }
            cursor.section = lines.last.map { .items($0.id) } ?? .opened
            return lines.map(\.text)
        case .opened:
            cursor.section = .end
            return try opened(of: nil, type: "opened")
        case .end: return nil
        }
    }

    /// Calls `body` with each item as a JSON object in one line, in the order in which they were indexed: its members as
    /// ``HunchModel/SearchableItem/init(json:)`` reads them, and `app` and `index`.
    ///
    /// - Parameters:
    ///   - application: the app whose items are meant; `nil` for all.
    ///   - index: the name of the index that is meant; `nil` for all.
    /// - Throws: ``IndexError``, or what `body` throws.
    public func export(
        of application: AppID? = nil, in index: String? = nil, _ body: (String) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let lines = try wrapped { try database.read { try Self.lines(after: last, application, index, $0) } }
            for line in lines { try body(line.text) }
            guard let end = lines.last?.id else { return }
            last = end
        }
    }

    /// Calls `body` with each row of what the user saw and opened among results, as a JSON object in one line.
    ///
    /// - Throws: ``IndexError``, or what `body` throws.
    public func exportOpened(of application: AppID? = nil, _ body: (String) throws -> Void) throws {
        for line in try opened(of: application) { try body(line) }
    }

    private func opened(of application: AppID?, type: String? = nil) throws(IndexError) -> [String] {
        try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT application, name, identifier, query, shown, opened, date FROM engagement
                        WHERE ?1 IS NULL OR application = ?1 ORDER BY application, name, identifier, query
                        """, arguments: [application?.rawValue]
                ).map { row in
                    var text = Self.beginning(type)
                    for (index, name) in ["app", "index", "id", "query"].enumerated() {
                        let value: String = row[index]
                        // A row of all items, or of all words, has none.
                        guard !value.isEmpty else { continue }
                        if text.utf8.count > 1 { text += "," }
                        ItemColumns.write(name, to: &text)
                        text += ":"
                        ItemColumns.write(value, to: &text)
                    }
                    let (shown, opened, date): (Double, Double, Double) = (row[4], row[5], row[6])
                    return text + ",\"shown\":\(shown),\"opened\":\(opened),\"date\":\(date)}"
                }
            }
        }
    }

    private static func beginning(_ type: String?) -> String { type.map { "{\"type\":\"\($0)\"" } ?? "{" }

    private static func lines(
        after last: Int64, _ application: AppID?, _ index: String?, type: String? = nil, _ db: Database
    ) throws -> [(id: Int64, text: String)] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT item.id, application, name, identifier, domain, title, text, expiry, protection, isPublic, attributes
                FROM item JOIN source ON source.id = item.source
                WHERE item.id > ?1 AND (?2 IS NULL OR application = ?2) AND (?3 IS NULL OR name = ?3)
                ORDER BY item.id LIMIT \(page)
                """, arguments: [last, application?.rawValue, index])
        var lines: [(id: Int64, text: String)] = []
        var size = 0
        while size < pageSize, let row = try rows.next() {
            var text = beginning(type)
            func add(_ name: String, _ value: AttributeValue?) {
                guard let value else { return }
                if text.utf8.count > 1 { text += "," }
                ItemColumns.write(name, to: &text)
                text += ":"
                ItemColumns.write(value, to: &text)
            }
            add("app", .text(row[1]))
            add("index", .text(row[2]))
            add("id", .text(row[3]))
            add("domain", (row[4] as String?).map(AttributeValue.text))
            add("title", .text(row[5]))
            let content: String = row[6]
            add("text", content.isEmpty ? nil : .text(content))
            add("expires", (row[7] as Double?).map(AttributeValue.number))
            add("protected", row[8] == SearchableItem.Protection.unlocked.rawValue ? .flag(true) : nil)
            add("public", row[9] == true ? .flag(true) : nil)
            let attributes: String = row[10]
            text += attributes == "{}" ? "}" : "," + attributes.dropFirst()
            size += text.utf8.count
            lines.append((row[0], text))
        }
        return lines
    }
}
