internal import FoundationEssentials
internal import GRDB
internal import HunchModel
internal import Places

/// The items of a scope, and what the user did with them.
struct ForgottenItems {
    struct Condition {
        let sql: String
        var arguments: StatementArguments = []
    }

    /// The conditions for rows of `item`.
    let items: [Condition]
    /// The conditions for rows of `engagement`, besides those of the items.
    let engagement: [Condition]

    private static let placeFunction = "meansPlace"

    /// - Parameters:
    ///   - contents: the identifiers of content that the history has in the scope, by app.
    ///   - db: the connection on which to define the SQL function that matches a place.
    init(_ scope: ForgetScope, contents: [AppID: Set<String>], _ db: Database) throws {
        let all = Condition(sql: "TRUE")
        let identifiers = try contents.map { application, identifiers in
            StatementArguments([application.rawValue, try Self.json(identifiers.sorted())])
        }
        let activities = "source IN (SELECT id FROM source WHERE name = '\(IndexSource.activities)'"
        let known = identifiers.map {
            Condition(
                sql: "\(activities) AND application = ?) AND identifier IN (SELECT value FROM json_each(?))",
                arguments: $0)
        }
        let knownEngagement = identifiers.map {
            Condition(sql: "application = ? AND identifier IN (SELECT value FROM json_each(?))", arguments: $0)
        }
        switch scope {
        case .everything: (items, engagement) = ([all], [all])
        case .application(let application):
            let arguments: StatementArguments = [application.rawValue]
            items = [
                Condition(sql: "source IN (SELECT id FROM source WHERE application = ?)", arguments: arguments)
            ]
            engagement = [Condition(sql: "application = ?", arguments: arguments)]
        case .since(let date):
            let arguments: StatementArguments = [date.timeIntervalSince1970]
            // The time at which the user imported items says nothing about what the user did.
            items = [Condition(sql: "modified >= ? AND NOT \(IndexSource.isImported)", arguments: arguments)]
            engagement = [Condition(sql: "date >= ?", arguments: arguments)]
        case .kind(.openItem): (items, engagement) = ([Condition(sql: activities + ")")], [all])
        case .kind, .device, .action: (items, engagement) = (known, knownEngagement)
        case .place(let text):
            db.add(function: Self.function(ForgottenPlace(text)))
            let rows = try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM item WHERE \(Self.placeFunction)(text, identifier, domain, title, names, attributes,
                        json_extract(attributes, '$.url'), json_extract(attributes, '$.latitude'),
                        json_extract(attributes, '$.longitude'))
                    """)
            let mentioning = Condition(sql: "id IN (SELECT value FROM json_each(?))", arguments: [try Self.json(rows)])
            items = [mentioning] + known
            engagement = [Condition(sql: "\(Self.placeFunction)(NULL, query, identifier)")] + knownEngagement
        }
    }

    /// Removes the function from the connection.
    static func removeFunction(from db: Database) { db.remove(function: function(ForgottenPlace(""))) }

    /// Its arguments are a long text, short ones, and the coordinate if there are nine.
    private static func function(_ place: ForgottenPlace) -> DatabaseFunction {
        DatabaseFunction(placeFunction) { values in
            let texts = values.map { String.fromDatabaseValue($0) }
            if let text = texts.first ?? nil, place.isMentioned(in: text, wholeWords: true) { return true }
            if texts.dropFirst().prefix(6).contains(where: { $0.map { place.isMentioned(in: $0) } ?? false }) {
                return true
            }
            guard values.count == 9, let latitude = Double.fromDatabaseValue(values[7]),
                let longitude = Double.fromDatabaseValue(values[8]),
                let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
            else { return false }
            return place.isNear(coordinate)
        }
    }

    static func json(_ values: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }

    /// Removes the items, their counts, and the words that led to them.
    ///
    /// - Returns: the number of items.
    func remove(_ db: Database) throws -> Int {
        // A search for these words also counted for the items above, and those of other apps.
        var words: Set<String> = []
        let opened = "SELECT query FROM engagement WHERE query <> '' AND lastOpened IS NOT NULL"
        for condition in items {
            words.formUnion(
                try String.fetchAll(
                    db,
                    sql: """
                        \(opened) AND (application, name, identifier) IN (
                            SELECT source.application, source.name, item.identifier
                            FROM (SELECT * FROM item WHERE \(condition.sql)) AS item
                            JOIN source ON source.id = item.source)
                        """, arguments: condition.arguments))
        }
        for condition in engagement {
            words.formUnion(
                try String.fetchAll(db, sql: "\(opened) AND (\(condition.sql))", arguments: condition.arguments))
        }
        let writer = try ItemWriter(db, id: 0)
        for condition in items { try writer.delete(where: condition.sql, condition.arguments) }
        for condition in engagement {
            try db.execute(sql: "DELETE FROM engagement WHERE \(condition.sql)", arguments: condition.arguments)
        }
        try db.execute(
            sql: "DELETE FROM engagement WHERE query IN (SELECT value FROM json_each(?))",
            arguments: [try Self.json(words.sorted())])
        if writer.deleted > 0 { try IndexStore.removeUnusedEngagement(db) }
        return writer.deleted
    }
}
