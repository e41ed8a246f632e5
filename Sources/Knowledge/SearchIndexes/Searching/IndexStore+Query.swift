internal import FullText
public import FoundationEssentials
internal import GRDB
public import HunchModel
public import Queries

extension IndexStore {
    /// Returns the items with an identifier, in any index.
    public func items(identifier: String, now: Date) throws(IndexError) -> [SearchHit] {
        try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT \(HitReader.columns) FROM item JOIN source ON source.id = item.source
                        WHERE item.identifier = ? AND (item.expiry IS NULL OR item.expiry > ?)
                            AND item.source IN (SELECT id FROM source)
                        ORDER BY item.id DESC LIMIT 100
                        """, arguments: [identifier, now.timeIntervalSince1970]
                ).map { HitReader.hit($0).hit }
            }
        }
    }

    /// Returns the text of an item; empty without one.
    public func text(of hit: SearchHit) throws(IndexError) -> String {
        try wrapped {
            try database.read { db in
                try String.fetchOne(
                    db,
                    sql: """
                        SELECT text FROM item WHERE identifier = ?
                            AND source = (SELECT id FROM source WHERE application = ? AND name = ?)
                        """, arguments: [hit.id, hit.source.application.rawValue, hit.source.name]) ?? ""
            }
        }
    }

    /// Returns whether an item has an attribute.
    ///
    /// - Parameter name: its name, as a ``Queries/Query`` contains it.
    public func hasAttribute(_ name: String) throws(IndexError) -> Bool {
        // They are columns.
        if ["id", "domain"].contains(name) { return true }
        return try limited(to: SearchOptions.usualTime) { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE json_type(attributes, ?) IS NOT NULL)",
                arguments: [QueryCompiler.path(name)]) ?? false
        }
    }

    /// Returns the items that match a query, the newest first.
    ///
    /// - Throws: ``IndexError``.
    public func search(_ query: Query, _ options: SearchOptions) throws(IndexError) -> [SearchHit] {
        guard options.limit > 0 else { return [] }
        let compiled = QueryCompiler(query)
        return try wrapped {
            try PatternFunction.$patterns.withValue(compiled.patterns) {
                try limited(to: options.time) { db in
                    let reader = try HitReader(options, db)
                    var arguments = compiled.arguments + reader.arguments
                    var condition = "\(compiled.condition) AND \(reader.condition)"
                    if let expression = compiled.expression {
                        condition = "item.id IN (SELECT rowid FROM word WHERE word MATCH ?) AND " + condition
                        arguments = [expression] + arguments
                    }
                    let rows = try Row.fetchCursor(
                        db,
                        sql: """
                            SELECT \(HitReader.columns) FROM item JOIN source ON source.id = item.source
                            WHERE \(condition) ORDER BY item.id DESC LIMIT \(min(options.limit, SearchOptions.maximumLimit))
                            """, arguments: arguments)
                    var hits: [SearchHit] = []
                    var size = 0
                    let excerpt = options.needsExcerpts ? Excerpt([]) : nil
                    while let row = try rows.next() {
                        var hit = HitReader.hit(row).hit
                        if let excerpt, !SearchDeadline.hasPassed {
                            hit.excerpt = try HitReader.excerpt(of: row[8], excerpt, db)
                        }
                        size += hit.json.utf8.count
                        guard size <= SearchOptions.maximumSize else { break }
                        hits.append(hit)
                    }
                    return hits
                }
            }
        }
    }
}
