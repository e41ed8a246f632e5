internal import FoundationEssentials
internal import GRDB
internal import HunchModel

/// Reads the items that a search may show.
struct HitReader {
    /// The columns of a hit, its web address if it is public (empty without one), and the date of its content.
    static let columns = """
        source.application, source.name, item.identifier, item.domain, item.title, item.attributes,
        CASE WHEN item.isPublic THEN coalesce(json_extract(item.attributes, '$.url'), '') END,
        item.date, item.id
        """

    /// The condition for items that the options allow, and its arguments.
    let condition: String
    let arguments: StatementArguments
    private let statement: Statement

    init(_ options: SearchOptions, _ db: Database) throws {
        var condition = "(item.expiry IS NULL OR item.expiry > ?)"
        var arguments: StatementArguments = [options.now.timeIntervalSince1970]
        if options.isLocked { condition += " AND item.protection = \(SearchableItem.Protection.none.rawValue)" }
        for (applications, relation) in [(options.applications, "IN"), (options.excluded, "NOT IN")] {
            guard let applications, relation == "IN" || !applications.isEmpty else { continue }
            condition += """
                 AND item.source \(relation)
                (SELECT id FROM source WHERE application IN (SELECT value FROM json_each(?)))
                """
            arguments += [Self.json(applications.map(\.rawValue).sorted())]
        }
        if let index = options.index {
            condition += " AND source.name = ?"
            arguments += [index]
        }
        self.condition = condition
        self.arguments = arguments
        statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM item JOIN source ON source.id = item.source
                WHERE item.id = ? AND \(condition)
                """)
    }

    /// Returns an item and the date of its content in seconds since 1970; `nil` if the search may not show it.
    func hit(_ item: Int64) throws -> (hit: SearchHit, date: Double)? {
        try Row.fetchOne(statement, arguments: [item] + arguments).map(Self.hit)
    }

    /// The end of the year 9999, in seconds since 1970.
    private static let latest = 253_402_300_799.0

    static func hit(_ row: Row) -> (hit: SearchHit, date: Double) {
        let hit = SearchHit(
            source: IndexSource(application: AppID(row[0] as String), name: row[1]), id: row[2], domain: row[3],
            title: row[4],
            date: Date(timeIntervalSince1970: min(max(row[7] as Double, -latest), latest)), publicAddress: row[6],
            factors: RankingFactors(text: 1), json: row[5])
        return (hit, row[7])
    }

    /// Returns the line of an item's text that a search shows.
    static func excerpt(of item: Int64, _ excerpt: Excerpt, _ db: Database) throws -> String {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT title, substr(text, 1, \(Excerpt.textLimit)), substr(names, 1, \(Excerpt.namesLimit))
                    FROM item WHERE id = ?
                    """), arguments: [item])
        return row.map { excerpt.line(title: $0[0], text: $0[1], names: $0[2]) } ?? ""
    }

    private static func json(_ texts: [String]) -> String {
        String(decoding: (try? JSONEncoder().encode(texts)) ?? Data("[]".utf8), as: UTF8.self)
    }
}
