public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension SuggestionPair {
    /// The values of the columns that identify it.
    package var key: StatementArguments {
        get throws {
            [trigger?.description ?? "", application, kind.rawValue, try subject.map { try Stored.json($0) } ?? ""]
        }
    }
}

extension MutedPair {
    /// The trigger as text for the database; empty for none.
    package var storedTrigger: String { trigger?.description ?? "" }

    package func check() throws(HistoryError) {
        try HistoryLimits.check(trigger?.description, "trigger", limit: HistoryLimits.circumstance)
        try HistoryLimits.check(
            application.rawValue, "application", limit: HistoryLimits.application, mayBeEmpty: pair.subject != nil)
        try HistoryLimits.check(pair.kind.rawValue, "kind", limit: HistoryLimits.kind)
        try HistoryLimits.check(pair.subject?.name, "subject", limit: HistoryLimits.subject)
        guard Date(checkedSeconds: date.timeIntervalSince1970) != nil else {
            throw .invalidInput(localized("the date is outside the years 1970…9999"))
        }
    }
}

extension HistoryStore {
    /// Returns the user's settings. A new history is not enabled.
    public func settings() throws(HistoryError) -> HistorySettings { try read { try HistorySettings($0) } }

    /// Switches recording on or off. Recorded data stays.
    public func setEnabled(_ isEnabled: Bool) throws(HistoryError) {
        try write { try Self.set(HistorySettings.enabledName, to: isEnabled ? "1" : "0", $0) }
    }

    /// Pauses recording until a date. `nil` ends the pause.
    ///
    /// - Throws: ``HistoryError`` `invalidInput` if the date is before 1970 or after the year 9999.
    public func setPaused(until date: Date?) throws(HistoryError) {
        if let date, Date(checkedSeconds: date.timeIntervalSince1970) == nil {
            throw .invalidInput(localized("the end of the pause is outside the years 1970…9999"))
        }
        try write { try Self.set(HistorySettings.pausedUntilName, to: date.map { "\($0.milliseconds)" }, $0) }
    }

    /// Mutes a pair. The newest ``HistoryLimits/mutedPairs`` are kept. Works while recording is off too, because
    /// it stores a decision of the user.
    public func mute(_ pair: MutedPair) throws(HistoryError) {
        try pair.check()
        try write { try Self.insert(pair, $0) }
    }

    package static func insert(_ pair: MutedPair, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO mutedPair VALUES (?, ?, ?, ?, ?)",
            arguments: pair.pair.key + [pair.date.milliseconds])
        try db.execute(
            sql: """
                DELETE FROM mutedPair WHERE (trigger, application, kind, subject) IN (
                    SELECT trigger, application, kind, subject FROM mutedPair
                    ORDER BY date DESC, trigger LIMIT -1 OFFSET ?)
                """, arguments: [HistoryLimits.mutedPairs])
    }

    /// Unmutes a pair. Its dismissals stay in the history, but no longer count. Returns whether it was muted.
    @discardableResult
    public func unmute(_ pair: SuggestionPair) throws(HistoryError) -> Bool {
        try write { db in
            let isKey = "trigger = ? AND application = ? AND kind = ? AND subject = ?"
            try db.execute(sql: "DELETE FROM mutedPair WHERE \(isKey)", arguments: pair.key)
            let wasMuted = db.changesCount > 0
            // The engagement with a subject names the app that would have opened it.
            try db.execute(
                sql: """
                    UPDATE engagement SET isPardoned = 1 WHERE id IN (
                        SELECT engagement.id FROM engagement JOIN word AS app ON app.id = engagement.application
                            LEFT JOIN word AS trigger ON trigger.id = engagement.trigger
                        WHERE ifnull(trigger.text, '') = ? AND iif(subject IS NULL, app.text, '') = ? AND kind = ?
                            AND ifnull(subject, '') = ? AND outcome = ?)
                    """,
                arguments: pair.key + [Engagement.Outcome.dismissed.rawValue])
            return wasMuted
        }
    }

    /// Removes the dismissal of a suggestion, so that its last outcome is the one before.
    public func undoDismissal(of suggestion: Suggestion.ID) throws(HistoryError) {
        try write { db in
            try db.execute(
                sql: "DELETE FROM engagement WHERE suggestion = ? AND outcome = ?",
                arguments: [suggestion, Engagement.Outcome.dismissed.rawValue])
        }
    }

    /// The muted pairs, the newest first.
    public func mutedPairs() throws(HistoryError) -> [MutedPair] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM mutedPair ORDER BY date DESC, trigger").compactMap(Self.mutedPair)
        }
    }

    /// Returns `nil` for an unreadable row, as in a damaged file.
    package static func mutedPair(_ row: Row) -> MutedPair? {
        guard let trigger = row.text("trigger"), let application: AppID = row.identifier("application"),
            let kind = row.text("kind"), let subject = row.text("subject"), let date = row.date("date")
        else { return nil }
        return MutedPair(
            SuggestionPair(
                trigger: trigger.isEmpty ? nil : Trigger(trigger), application: application,
                kind: Suggestion.Kind(rawValue: kind),
                subject: Stored.value(SuggestionSubject.self, json: subject)), date: date)
    }

    /// The tables with what the user decided, besides ``HistorySettings``.
    private static let decisions = ["exclusion", "allowedScript", "reader", "devicePolicy", "placeAccess", "ownPlace"]

    /// Copies the user's settings and decisions from another store, and no recorded data.
    ///
    /// - Throws: ``HistoryError``. Nothing was copied then.
    public func adoptSettings(of other: HistoryStore) throws(HistoryError) {
        let (settings, tables) = try other.read { db in
            (
                try Row.fetchAll(db, sql: "SELECT * FROM setting"),
                try Self.decisions.map { ($0, try Row.fetchAll(db, sql: "SELECT * FROM \($0)")) }
            )
        }
        try write { db in
            for row in settings {
                guard let name = row.text("name"), HistorySettings.personalNames.contains(name) else { continue }
                try Self.set(name, to: row.text("value"), db)
            }
            for (table, rows) in tables {
                for row in rows {
                    let marks = row.map { _ in "?" }.joined(separator: ", ")
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO \(table) VALUES (\(marks))",
                        arguments: StatementArguments(row.databaseValues))
                }
            }
        }
    }

    package static func set(_ name: String, to value: String?, _ db: Database) throws {
        if let value {
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
        } else {
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
        }
    }
}
