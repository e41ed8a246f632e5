public import FoundationEssentials
package import GRDB
public import HunchModel

/// The number of rows of each kind in a history.
public struct HistoryCounts: Hashable, Sendable {
    /// Donations.
    public var donations: Int
    /// Engagements.
    public var engagements: Int
    /// Suggestions that Hunch made by itself and that were shown.
    public var suggestions: Int
    /// Answers to requests, such as directions, that the user opened or that failed.
    public var answers: Int
    /// Resume points.
    public var resumePoints: Int
    /// Muted pairs.
    public var mutedPairs: Int
}

extension HistoryStore {
    /// Returns donations with their contexts, the newest first.
    ///
    /// - Parameters:
    ///   - kind: the kind of donations to return, or `nil` for every kind.
    ///   - since: the earliest date of donations to return.
    ///   - limit: the maximum number to return.
    public func donations(
        of kind: Donation.Kind? = nil, since: Date = .distantPast, limit: Int
    ) throws(HistoryError) -> [Donation] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: Self.donationQuery + """
                    WHERE (?1 IS NULL OR action.kind = ?1) AND donation.date >= ?2
                    ORDER BY donation.date DESC, donation.id DESC LIMIT ?3
                    """, arguments: [kind?.rawValue, since.milliseconds, max(limit, 0)]
            ).compactMap(Self.donation)
        }
    }

    /// Calls `body` with every donation in order of date, without holding them all in memory.
    ///
    /// Donations recorded meanwhile are not seen. `body` must not call this store.
    ///
    /// - Parameters:
    ///   - kind: the kind of donations, or `nil` for every kind.
    ///   - limit: the number of newest donations to pass, or `nil` for all.
    public func forEachDonation(
        of kind: Donation.Kind? = nil, newest limit: Int? = nil, _ body: (Donation) throws -> Void
    ) throws(HistoryError) {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: Self.donationQuery + """
                    WHERE donation.id IN (
                        SELECT donation.id FROM donation JOIN action ON action.id = donation.action
                        WHERE ?1 IS NULL OR action.kind = ?1 ORDER BY donation.date DESC, donation.id DESC LIMIT ?2)
                    ORDER BY donation.date, donation.id
                    """, arguments: [kind?.rawValue, limit.map { max($0, 0) } ?? -1])
            while let row = try rows.next() {
                if let donation = Self.donation(row) { try body(donation) }
            }
        }
    }

    /// Returns engagements with their contexts, without dismissals that no longer count, the newest by arrival first.
    public func engagements(since: Date = .distantPast, limit: Int) throws(HistoryError) -> [Engagement] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: Self.engagementQuery + "WHERE date >= ? AND NOT isPardoned ORDER BY engagement.id DESC LIMIT ?",
                arguments: [since.milliseconds, max(limit, 0)]
            ).compactMap(Self.engagement)
        }
    }

    /// Returns the desktop identifiers of all apps with records or settings.
    public func applications() throws(HistoryError) -> Set<AppID> {
        try read { db in
            Set(
                try AppID.fetchAll(
                    db,
                    sql: """
                        SELECT text FROM word WHERE id IN (
                            SELECT application FROM action UNION SELECT application FROM engagement)
                        UNION SELECT application FROM resumePoint UNION SELECT application FROM announcement
                        UNION SELECT application FROM seenPlace
                        UNION SELECT application FROM mutedPair WHERE application <> ''
                        UNION SELECT application FROM exclusion UNION SELECT application FROM reader
                        """))
        }
    }

    /// Returns resume points, the newest first, of one device, or of all if `device` is `nil`.
    public func resumePoints(device: AudioDevice.ID? = nil) throws(HistoryError) -> [ResumePoint] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM resumePoint WHERE ?1 IS NULL OR device = ?1 ORDER BY date DESC, device, application
                    """, arguments: [device]
            ).compactMap(Self.resumePoint)
        }
    }

    /// Returns the number of rows of each kind.
    public func counts() throws(HistoryError) -> HistoryCounts {
        try read { db in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            func shown(isRequested: Bool) throws -> Int {
                try Int.fetchOne(
                    db, sql: "SELECT count(DISTINCT suggestion) FROM engagement WHERE wasRequested = ?",
                    arguments: [isRequested]) ?? 0
            }
            return HistoryCounts(
                donations: try count("donation"), engagements: try count("engagement"),
                suggestions: try shown(isRequested: false), answers: try shown(isRequested: true),
                resumePoints: try count("resumePoint"), mutedPairs: try count("mutedPair"))
        }
    }

    /// The columns that ``donation(_:)`` reads.
    package static let donationQuery = """
        SELECT donation.id, app.text AS application, action.kind, action.parameters, action.combination, donation.date,
            trigger.text AS trigger, device.text AS device, hour, weekday, identifier, "group".text AS "group",
            further.text AS further
        FROM donation JOIN action ON action.id = donation.action JOIN word AS app ON app.id = action.application
            LEFT JOIN word AS trigger ON trigger.id = donation.trigger
            LEFT JOIN word AS device ON device.id = donation.device
            LEFT JOIN word AS "group" ON "group".id = donation."group"
            LEFT JOIN word AS further ON further.id = donation.further

        """

    /// The columns that ``engagement(_:)`` reads.
    package static let engagementQuery = """
        SELECT engagement.id, suggestion, app.text AS application, kind, outcome, date, trigger.text AS trigger,
            device.text AS device, hour, weekday, further.text AS further, subject, wasRequested, isPardoned,
            (SELECT item FROM suggestedItem WHERE suggestedItem.suggestion = engagement.suggestion) AS item
        FROM engagement JOIN word AS app ON app.id = engagement.application
            LEFT JOIN word AS trigger ON trigger.id = engagement.trigger
            LEFT JOIN word AS device ON device.id = engagement.device
            LEFT JOIN word AS further ON further.id = engagement.further

        """

    /// Returns `nil` for an unreadable row, as in a damaged file. Other rows still count.
    package static func donation(_ row: Row) -> Donation? {
        guard let application: AppID = row.identifier("application"), let kind = row.text("kind"),
            let date = row.date("date"),
            let json = row.text("parameters"), let parameters = Stored.value([String: String].self, json: json)
        else { return nil }
        return Donation(
            application: application, kind: Donation.Kind(rawValue: kind), parameters: parameters, date: date,
            context: Context(row: row), identifier: row.text("identifier"), group: row.text("group"),
            combination: row.text("combination").flatMap { Stored.value([String].self, json: $0) })
    }

    /// Returns `nil` also for an outcome that this version does not know.
    package static func engagement(_ row: Row) -> Engagement? {
        guard let suggestion = row.text("suggestion"), let application: AppID = row.identifier("application"),
            let kind = row.text("kind"), let date = row.date("date"),
            let outcome = row.text("outcome").flatMap(Engagement.Outcome.init)
        else { return nil }
        var engagement = Engagement(
            suggestion: suggestion, application: application, kind: Suggestion.Kind(rawValue: kind), outcome: outcome,
            date: date,
            context: Context(row: row),
            subject: row.text("subject").flatMap { Stored.value(SuggestionSubject.self, json: $0) },
            wasRequested: row.integer("wasRequested") == 1,
            item: row.text("item").flatMap { Stored.value(SuggestedItem.self, json: $0) })
        engagement.isPardoned = row.integer("isPardoned") == 1
        return engagement
    }

    package static func resumePoint(_ row: Row) -> ResumePoint? {
        guard let device: AudioDevice.ID = row.identifier("device"),
            let application: AppID = row.identifier("application"), let date = row.date("date"),
            let json = row.text("info"), let info = Stored.value(NowPlayingInfo.self, json: json)
        else { return nil }
        return ResumePoint(
            device: device, application: application, item: row.text("item"), info: info,
            pausedByDisconnect: row.integer("pausedByDisconnect") == 1, date: date)
    }
}
