public import FoundationEssentials
internal import GRDB
public import HunchModel

/// The records of an app in the history.
public struct RecordedApp: Hashable, Sendable {
    /// The number of actions of each kind.
    public var kinds: [Donation.Kind: Int] = [:]
    /// The date of the latest action; `nil` if there is none.
    public var last: Date?
    /// Whether some action can only be a donation of the app, see ``HistoryStore/recordedApps()``.
    public var hasDonated = false
    /// Whether it played media: there is a resume point, or an action of the kind `playMedia`.
    public var hasPlayed = false
    /// Whether it announced content items.
    public var hasAnnounced = false
    /// Whether it had places on the screen.
    public var hasShownPlaces = false

    /// Creates the records of an app of which nothing is known.
    public init() {}

    /// The number of actions.
    public var actions: Int { kinds.values.reduce(0, +) }
}

extension HistoryStore {
    /// Returns the excluded app that was played last; `nil` if there is none.
    public func excludedPlayer() throws(HistoryError) -> AppID? {
        let excluded = try exclusions()
        guard !excluded.isEmpty else { return nil }
        return try recordedApps().filter { excluded.contains($0.key) && $0.value.hasPlayed }
            .max { ($0.value.last ?? .distantPast) < ($1.value.last ?? .distantPast) }?.key
    }

    /// Returns the records of each app with actions, resume points, announcements or seen places.
    ///
    /// The history does not state who reported an action. Hunch itself records plays with the parameters `item` and
    /// `title`, opened directions and calls, all without identifier and group, and opened items, whose identifier is
    /// their parameter `item`. Every other action is certainly a donation.
    public func recordedApps() throws(HistoryError) -> [AppID: RecordedApp] {
        try read { db in
            var apps: [AppID: RecordedApp] = [:]
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT app.text AS application, kind, count(*) AS count, max(date) AS date, max(CASE
                        WHEN app.text LIKE 'script:%' THEN 1
                        WHEN kind = 'openItem' THEN identifier IS NOT NULL AND identifier IS NOT item
                        WHEN kind IN ('playMedia', 'getDirections', 'startCall')
                            THEN identifier IS NOT NULL OR "group" IS NOT NULL OR (kind = 'playMedia' AND hasOthers)
                        ELSE 1 END) AS hasDonated
                    FROM donation JOIN (
                        SELECT id AS number, application, kind, CASE WHEN json_valid(parameters)
                            THEN json_extract(parameters, '$.item') END AS item, CASE WHEN json_valid(parameters)
                            THEN EXISTS (SELECT 1 FROM json_each(parameters) WHERE key NOT IN ('item', 'title'))
                            END AS hasOthers
                        FROM action) ON number = donation.action JOIN word AS app ON app.id = application
                    GROUP BY application, kind
                    """)
            while let row = try rows.next() {
                guard let application: AppID = row.identifier("application"), let kind = row.text("kind") else {
                    continue
                }
                var app = apps[application] ?? RecordedApp()
                app.kinds[Donation.Kind(rawValue: kind)] = row.integer("count").flatMap(Int.init)
                app.last = [app.last, row.date("date")].compactMap { $0 }.max()
                if row.integer("hasDonated") == 1 { app.hasDonated = true }
                if kind == Donation.Kind.playMedia.rawValue { app.hasPlayed = true }
                apps[application] = app
            }
            for (table, property) in [
                ("resumePoint", \RecordedApp.hasPlayed), ("announcement", \.hasAnnounced),
                ("seenPlace", \.hasShownPlaces),
            ] as [(String, WritableKeyPath<RecordedApp, Bool>)] {
                for application in try AppID.fetchAll(db, sql: "SELECT DISTINCT application FROM \(table)") {
                    apps[application, default: RecordedApp()][keyPath: property] = true
                }
            }
            return apps
        }
    }
}
