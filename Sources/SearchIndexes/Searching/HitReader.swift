internal import FoundationEssentials
internal import GRDB
internal import HunchModel

/// Reads the items that a search may show.
struct HitReader {
    /// The columns of a hit, its web address if it is public (empty without one), and the date of its content.
    static let columns = """
        source.application, source.name, item.identifier, item.domain, item.title, item.attributes,
        CASE WHEN item.isPublic THEN coalesce(json_extract(item.attributes, '$.url'), '') END,
        item.date
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

    static func hit(_ row: Row) -> (hit: SearchHit, date: Double) {
        let hit = SearchHit(
            source: IndexSource(application: AppID(row[0] as String), name: row[1]), id: row[2], domain: row[3],
            title: row[4], publicAddress: row[6], factors: RankingFactors(text: 1), json: row[5])
        return (hit, row[7])
    }

    private static func json(_ texts: [String]) -> String {
        String(decoding: (try? JSONEncoder().encode(texts)) ?? Data("[]".utf8), as: UTF8.self)
    }
}
