public import FoundationEssentials
internal import GRDB

/// What the person set by command.
public struct HistorySettings: Hashable, Sendable {
    /// Whether anything may be recorded; not before the person said so.
    public var isEnabled: Bool
    /// Until when nothing is recorded; `nil` when not paused.
    public var pausedUntil: Date?
}

extension HistorySettings {
    static let enabledName = "enabled"
    static let pausedUntilName = "pausedUntil"
    /// Present from the removal of rows until their bytes are gone from the files.
    static let scrubPendingName = "scrubPending"

    init(_ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?")
        isEnabled = try String.fetchOne(statement, arguments: [Self.enabledName]) == "1"
        pausedUntil = try String.fetchOne(statement, arguments: [Self.pausedUntilName]).flatMap(Int64.init)
            .map(Stored.date)
    }

    /// Why nothing may be recorded at `now`, or `nil` when it may.
    func refusal(at now: Date) -> RecordOutcome? {
        guard isEnabled else { return .notEnabled }
        if let pausedUntil, now < pausedUntil { return .paused(until: pausedUntil) }
        return nil
    }
}
