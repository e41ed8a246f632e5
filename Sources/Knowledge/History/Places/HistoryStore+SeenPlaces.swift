public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// The kind under which the privacy checks treat a seen place.
    static let seenPlaceKind = "seenPlace"

    /// Returns the reason why no record of an app would be kept now, or `recorded` if one of any kind would be.
    public func outcome(forApplication application: AppID, now: Date) throws(HistoryError) -> RecordOutcome {
        try read { db in
            let settings = try HistorySettings(db)
            if let refusal = settings.refusal(at: now) { return refusal }
            if let veto { return .withheld(reason: veto.description) }
            if let reason = settings.reasonToWithhold(
                application, Self.seenPlaceKind, try NameList.exclusions.names(db))
            {
                return .withheld(reason: reason)
            }
            return .recorded
        }
    }

    /// Stores a seen place, replacing the previous entry but keeping its `offered` date. Keeps the newest
    /// ``HistoryLimits/seenPlacesOfApplication`` of each app and ``HistoryLimits/seenPlaces`` of all. Its reservation is
    /// stored only if the user allows ``PrivacyCategory/calendar``.
    @discardableResult
    public func remember(_ place: SeenPlace, now: Date) throws(HistoryError) -> RecordOutcome {
        var place = place
        if place.reservation != nil, try !settings().allowedCategories.contains(.calendar) { place.reservation = nil }
        return try recordBatch([place], now: now).first ?? .notEnabled
    }

    /// Returns seen places, the newest first, without those of excluded apps.
    ///
    /// - Parameters:
    ///   - application: the app whose places to return, or `nil` for every app.
    ///   - limit: the maximum number to return.
    public func seenPlaces(of application: AppID? = nil, limit: Int) throws(HistoryError) -> [SeenPlace] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM seenPlace WHERE (?1 IS NULL OR application = ?1)
                        AND application NOT IN (SELECT application FROM exclusion)
                    ORDER BY date DESC, application, key LIMIT ?2
                    """, arguments: [application, max(limit, 0)]
            ).compactMap(Self.seenPlace)
        }
    }

    /// Returns the places that were on the screen in any app, the newest first, each place once, without those of
    /// reservations.
    ///
    /// - Parameter limit: the maximum number to return.
    public func recentPlaces(limit: Int) throws(HistoryError) -> [MapItem] {
        try read { db in
            // Asked on each key of a search, so only what is returned is decoded.
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM seenPlace
                    WHERE start IS NULL AND application NOT IN (SELECT application FROM exclusion)
                    ORDER BY date DESC, application, key
                    """)
            var (known, places): (Set<String>, [MapItem]) = ([], [])
            while places.count < limit, let row = try rows.next() {
                guard let whereabouts = row.text("whereabouts"), !known.contains(whereabouts),
                    let place = Self.seenPlace(row)?.place
                else { continue }
                known.insert(whereabouts)
                places.append(place)
            }
            return places
        }
    }

    /// Removes the reservations with an identifier, together with their places. Returns whether there was one.
    public func deleteReservation(_ identifier: String) throws(HistoryError) -> Bool {
        let count = try write { db in
            let reserved = try Row.fetchAll(db, sql: "SELECT * FROM seenPlace WHERE start IS NOT NULL")
                .compactMap(Self.seenPlace)
            let named = reserved.filter { $0.reservation?.identifier == identifier }
            // An earlier version must not come back.
            let keys = named + reserved.filter { place in named.contains { $0.isNewerVersion(of: place) } }
            for place in keys {
                try db.execute(
                    sql: "DELETE FROM seenPlace WHERE application = ? AND key = ?",
                    arguments: [place.application, place.key])
            }
            return named.count
        }
        if count > 0 { _ = try alone { try Self.emptyLog($0) } }
        return count > 0
    }

    /// Returns whether a suggestion was made for the same content, the same place in any app, or related content. Also
    /// returns `true` if the app ever donated the related content.
    ///
    /// - Parameter date: the date before which suggestions do not count.
    public func wasOffered(_ place: SeenPlace, since date: Date) throws(HistoryError) -> Bool {
        try read { db in
            let names = [place.content, place.related].compactMap { $0 }
            let marks = names.map { _ in "?" }.joined(separator: ",")
            var arguments: StatementArguments = [date.milliseconds, place.whereabouts, place.application]
            arguments += StatementArguments(names) + StatementArguments(names)
            let offered = try Row.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM seenPlace WHERE offered >= ? AND (whereabouts = ?
                        OR application = ? AND (content IN (\(marks)) OR related IN (\(marks)))) LIMIT 1
                    """, arguments: arguments)
            if offered != nil { return true }
            guard let related = place.related else { return false }
            return try Row.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM donation WHERE identifier = ? AND action IN (
                        SELECT id FROM action WHERE application = (SELECT id FROM word WHERE text = ?)) LIMIT 1
                    """, arguments: [related, place.application]) != nil
        }
    }

    /// Removes seen places of one app. Identifiers select content and related content. Returns the number removed.
    ///
    /// Their bytes are overwritten, as with ``delete(_:of:)``.
    @discardableResult
    public func deleteSeenPlaces(
        _ selection: DonationSelection, of application: AppID
    ) throws(HistoryError) -> Int {
        let count = try write { db in
            func delete(_ condition: String, _ value: String? = nil) throws -> Int {
                try db.execute(
                    sql: "DELETE FROM seenPlace WHERE application = ?1 AND (\(condition))",
                    arguments: value.map { [application, $0] } ?? [application])
                return db.changesCount
            }
            let count =
                switch selection {
                case .identifiers(let identifiers):
                    try identifiers.reduce(0) { try $0 + delete("content = ?2 OR related = ?2", $1) }
                case .groups(let groups): try groups.reduce(0) { try $0 + delete("\"group\" = ?2", $1) }
                case .all: try delete("TRUE")
                }
            if count > 0 { try Self.deleteSuggestedItems(of: application, db) }
            return count
        }
        if count > 0 { _ = try alone { try Self.emptyLog($0) } }
        return count
    }

    /// Returns `nil` for an unreadable row, as in a damaged file.
    package static func seenPlace(_ row: Row) -> SeenPlace? {
        guard let application: AppID = row.identifier("application"), let date = row.date("date"),
            let place = row.text("place").flatMap({ Stored.value(MapItem.self, json: $0) })
        else { return nil }
        return SeenPlace(
            application: application, place: place, content: row.text("content"), related: row.text("related"),
            group: row.text("group"), date: date, offered: row.date("offered"), reservation: reservation(row))
    }

    private static func reservation(_ row: Row) -> CalendarEvent? {
        guard let title = row.text("title"), let start = row.date("start") else { return nil }
        return CalendarEvent(
            title: title, start: start, end: row.date("end"), isAllDay: row.integer("isAllDay") == 1,
            webPageURL: row.text("url"), reservation: row.text("reservation"), booking: row.text("booking"))
    }

    /// Returns the reservations that begin between two dates, in order of time, without those of excluded apps and without
    /// earlier versions of others.
    public func reservations(from start: Date, until end: Date) throws(HistoryError) -> [CalendarEvent] {
        try read { db in
            let kept = try Self.reservedPlaces(db)
            return kept.filter { place in !kept.contains { $0.isNewerVersion(of: place) } }.compactMap(\.reservation)
                .filter { start <= $0.start && $0.start < end }
        }
    }

    private static func reservedPlaces(_ db: Database) throws -> [SeenPlace] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM seenPlace WHERE start IS NOT NULL
                    AND application NOT IN (SELECT application FROM exclusion) ORDER BY start, title
                """
        ).compactMap(seenPlace)
    }
}

extension SeenPlace: Recordable {
    package var withheldAs: String { HistoryStore.seenPlaceKind }

    package func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        for (text, name) in [(content, "content"), (related, localized("related content")), (group, "group")] {
            try HistoryLimits.check(text, name, limit: HistoryLimits.identifier)
        }
        let json: String
        do {
            json = try Stored.json(place)
        } catch {
            throw HistoryError(.invalidInput, localized("the place cannot be written"), underlying: error)
        }
        try HistoryLimits.check(json, "place", limit: HistoryLimits.mapItem)
        try date.check(now: now)
        try offered?.check(now: now)
        for (text, name) in [
            (reservation?.title, "title"), (reservation?.webPageURL, "URL"), (reservation?.reservation, "reservation"),
            (reservation?.booking, "booking"),
        ] {
            try HistoryLimits.check(text, name, limit: HistoryLimits.mapItem)
        }
    }

    /// Inserts the row or replaces the previous one, keeping its `offered` date.
    package func insert(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO seenPlace (application, key, whereabouts, place, content, related, "group", date, offered,
                    title, start, "end", isAllDay, url, reservation, booking)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET whereabouts = excluded.whereabouts, place = excluded.place,
                    related = excluded.related, "group" = excluded."group", date = excluded.date,
                    offered = ifnull(excluded.offered, seenPlace.offered), title = excluded.title,
                    start = excluded.start, "end" = excluded."end", isAllDay = excluded.isAllDay, url = excluded.url,
                    reservation = excluded.reservation, booking = excluded.booking
                """,
            arguments: [
                application, key, whereabouts, try Stored.json(place), content, related, group,
                date.milliseconds, offered.map(\.milliseconds), reservation?.title,
                (reservation?.start).map(\.milliseconds),
                (reservation?.end).map(\.milliseconds), reservation?.isAllDay, reservation?.webPageURL,
                reservation?.reservation, reservation?.booking,
            ])
    }

    /// Removes the oldest rows beyond the limits per app and over all apps. A reservation is as old as its start, so that
    /// those to come stay.
    package static func trim(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM seenPlace WHERE (application, key) IN (
                    SELECT application, key FROM (
                        SELECT application, key, row_number() OVER (
                            PARTITION BY application ORDER BY max(date, ifnull(start, 0)) DESC, key) AS age
                        FROM seenPlace) WHERE age > ?)
                """, arguments: [HistoryLimits.seenPlacesOfApplication])
        try db.execute(
            sql: """
                DELETE FROM seenPlace WHERE (application, key) IN (
                    SELECT application, key FROM seenPlace
                    ORDER BY max(date, ifnull(start, 0)) DESC, application, key LIMIT -1 OFFSET ?)
                """, arguments: [HistoryLimits.seenPlaces])
    }
}
