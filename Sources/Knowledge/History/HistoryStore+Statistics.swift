public import FoundationEssentials
internal import GRDB
public import HunchModel

/// The number of suggestions of a kind with an outcome.
public struct OutcomeCount: Hashable, Sendable {
    /// The kind of the suggestions.
    public var kind: Suggestion.Kind
    /// Their last outcome.
    public var outcome: Engagement.Outcome
    /// The number of suggestions.
    public var count: Int
}

/// The size of a history.
public struct HistorySize: Hashable, Sendable {
    /// The number of rows by table, with the keys of `ForgetCount`.
    public var rows: [String: Int]
    /// The bytes of the database and of SQLite's files next to it.
    public var bytes: Int
    /// The number of files that were set aside because they were damaged.
    public var setAsideFiles: Int
}

extension HistoryStore {
    /// Returns the number of actions in each quarter of an hour with actions, in order of time.
    public func actionCounts() throws(HistoryError) -> [(start: Date, count: Int)] {
        try read { db in
            let quarter: Int64 = 900_000
            return try Row.fetchAll(
                db,
                sql: "SELECT date / ?1 AS quarter, count(*) AS count FROM donation GROUP BY quarter ORDER BY quarter",
                arguments: [quarter]
            ).compactMap { row in
                guard let number = row.integer("quarter"), let count = row.integer("count").flatMap(Int.init) else {
                    return nil
                }
                return (Stored.date(number * quarter), count)
            }
        }
    }

    /// Returns the most frequent actions, the most frequent first, each as a donation with the date of the last one.
    ///
    /// Equivalent actions that differ otherwise, such as an item whose title changed, are counted together if they are
    /// among the 1,000 most frequent ones.
    public func commonActions(limit: Int) throws(HistoryError) -> [(action: Donation, count: Int)] {
        try read { db in
            var common: [(action: Donation, count: Int)] = []
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT app.text AS application, kind, parameters, combination, count, date, NULL AS identifier,
                        NULL AS "group", NULL AS trigger, NULL AS device, NULL AS hour, NULL AS weekday, NULL AS further
                    FROM (SELECT action AS number, count(*) AS count, max(date) AS date FROM donation GROUP BY action
                        ORDER BY count DESC, date DESC LIMIT 1000)
                        JOIN action ON action.id = number JOIN word AS app ON app.id = action.application
                    ORDER BY count DESC, date DESC
                    """)
            while let row = try rows.next() {
                guard let action = Self.donation(row), let count = row.integer("count").flatMap(Int.init) else {
                    continue
                }
                if let index = common.firstIndex(where: { $0.action.isEquivalent(to: action) }) {
                    common[index].count += count
                } else {
                    common.append((action, count))
                }
            }
            return Array(common.sorted { $0.count > $1.count }.prefix(max(limit, 0)))
        }
    }

    /// Returns the number of suggestions by kind and last outcome.
    public func outcomeCounts() throws(HistoryError) -> [OutcomeCount] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT kind, outcome, count(*) AS count FROM engagement
                    WHERE id IN (SELECT max(id) FROM engagement GROUP BY suggestion)
                    GROUP BY kind, outcome ORDER BY kind, outcome
                    """
            ).compactMap { row in
                guard let kind = row.text("kind"), let count = row.integer("count").flatMap(Int.init),
                    let outcome = row.text("outcome").flatMap(Engagement.Outcome.init)
                else { return nil }
                return OutcomeCount(kind: Suggestion.Kind(rawValue: kind), outcome: outcome, count: count)
            }
        }
    }

    /// Returns the number of rows and bytes.
    public func size() throws(HistoryError) -> HistorySize {
        let tables = [
            "donations": "donation", "engagements": "engagement", "resumePoints": "resumePoint",
            "mutedPairs": "mutedPair", "announcements": "announcement", "seenPlaces": "seenPlace", "stays": "stay",
            "devicePolicies": "devicePolicy", "ownPlaces": "ownPlace",
        ]
        let rows = try read { db in
            try tables.mapValues { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
        }
        let bytes = ([""] + HistoryFiles.companions).reduce(0) { $0 + (files.size(suffix: $1) ?? 0) }
        return HistorySize(rows: rows, bytes: bytes, setAsideFiles: files.setAside.count)
    }
}
