internal import FoundationEssentials
internal import GRDB
public import HunchModel

extension IndexStore {
    /// The items of a page of an export.
    private static let page = 500

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

    /// Calls `body` with each row of what the person saw and opened among results, as a JSON object in one line.
    ///
    /// - Throws: ``IndexError``, or what `body` throws.
    public func exportOpened(of application: AppID? = nil, _ body: (String) throws -> Void) throws {
        let lines = try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT application, name, identifier, query, shown, opened, date FROM engagement
                        WHERE ?1 IS NULL OR application = ?1 ORDER BY application, name, identifier, query
                        """, arguments: [application?.rawValue]
                ).map { row in
                    var text = "{"
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
        for line in lines { try body(line) }
    }

    private static func lines(
        after last: Int64, _ application: AppID?, _ index: String?, _ db: Database
    ) throws -> [(id: Int64, text: String)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT item.id, application, name, identifier, domain, title, text, expiry, protection, isPublic, attributes
                FROM item JOIN source ON source.id = item.source
                WHERE item.id > ?1 AND (?2 IS NULL OR application = ?2) AND (?3 IS NULL OR name = ?3)
                ORDER BY item.id LIMIT \(page)
                """, arguments: [last, application?.rawValue, index])
        return rows.map { row in
            var text = "{"
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
            return (row[0], text)
        }
    }
}
