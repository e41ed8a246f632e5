public import FoundationEssentials
internal import GRDB
public import HunchModel

/// The last outcomes of suggestions for appointments. Whether the user has answered one belongs to the appointment, not to
/// the app of the suggestion: an agent that has forgotten the app does not suggest to leave a second time.
extension HistoryStore {
    /// The time in seconds for which outcomes matter. Then their appointments are over.
    public static let appointmentTime = 2 * 86_400.0

    /// Returns the last outcome of each uninvited suggestion for an appointment since a date, also of those that were
    /// forgotten with something else.
    ///
    /// - Returns: by suggestion, with the date; that of a forgotten one is rounded up to an hour.
    public func appointmentOutcomes(
        since date: Date
    ) throws(HistoryError) -> [Suggestion.ID: (outcome: Engagement.Outcome, date: Date)] {
        try read { db in
            let kept = try Row.fetchAll(
                db, sql: "SELECT * FROM appointmentOutcome WHERE date >= ?", arguments: [date.milliseconds])
            let last = try Row.fetchAll(
                db, sql: "SELECT suggestion, outcome, date FROM engagement WHERE \(Self.isLast)",
                arguments: [Trigger.appointment.description, date.milliseconds])
            var outcomes: [Suggestion.ID: (outcome: Engagement.Outcome, date: Date)] = [:]
            for row in kept + last {
                guard let suggestion = row.text("suggestion"), let date = row.integer("date"),
                    let outcome = row.text("outcome").flatMap(Engagement.Outcome.init)
                else { continue }
                // Of a forgotten answer, only the fact that the suggestion was shown within the hour remains.
                if outcome.leavesOpen, let known = outcomes[suggestion], known.date >= Stored.date(date) { continue }
                outcomes[suggestion] = (outcome, Stored.date(date))
            }
            return outcomes
        }
    }

    /// The condition of the last engagement with each uninvited suggestion for an appointment; its arguments are the trigger and
    /// the date from which on they matter.
    private static let isLast = """
        id IN (SELECT max(id) FROM engagement
            WHERE trigger = (SELECT id FROM word WHERE text = ?) AND date >= ? AND NOT wasRequested
            GROUP BY suggestion)
        """

    /// Keeps the outcomes before something is forgotten. Forgetting everything forgets them, too.
    static func keepAppointmentOutcomes(in scope: ForgetScope, _ db: Database) throws {
        if case .everything = scope { return try db.execute(sql: "DELETE FROM appointmentOutcome") }
        let newest = try Int64.fetchOne(db, sql: "SELECT max(date) FROM engagement") ?? 0
        let hour: Int64 = 3_600_000
        let open = Engagement.Outcome.allCases.filter(\.leavesOpen).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO appointmentOutcome
                SELECT suggestion, outcome, (date + ?) / ? * ? FROM engagement WHERE \(isLast)
                ON CONFLICT (suggestion) DO UPDATE SET outcome = excluded.outcome, date = excluded.date
                    WHERE excluded.date > date OR excluded.outcome NOT IN (\(open))
                """,
            arguments: [
                hour - 1, hour, hour, Trigger.appointment.description,
                Stored.date(newest).addingTimeInterval(-appointmentTime).milliseconds,
            ])
    }

    static func deleteAppointmentOutcomes(before now: Date, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM appointmentOutcome WHERE date < ?",
            arguments: [now.addingTimeInterval(-appointmentTime).milliseconds])
    }
}
