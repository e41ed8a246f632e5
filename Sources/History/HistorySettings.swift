public import FoundationEssentials
internal import GRDB
internal import HunchModel

/// The person's settings.
public struct HistorySettings: Hashable, Sendable {
    /// Whether anything may be recorded; not before the person said so.
    public var isEnabled: Bool
    /// Until when nothing is recorded; `nil` when not paused.
    public var pausedUntil: Date?
    /// The retention, in days.
    public var retentionDays: Int
    /// The categories that are recorded, of those that are not by default.
    public var allowedCategories: Set<PrivacyCategory>
    /// Whether a locked screen may show what is suggested; not unless the person said so.
    public var showsTitlesWhenLocked: Bool
}

extension HistorySettings {
    static let enabledName = "enabled"
    static let pausedUntilName = "pausedUntil"
    static let retentionName = "retentionDays"
    static let lockedTitlesName = "lockScreenTitles"
    static func categoryName(_ category: PrivacyCategory) -> String { "category:" + category.rawValue }
    /// Present from the removal of rows until their bytes are gone from the files.
    static let scrubPendingName = "scrubPending"
    /// The clock when what is past its time was last removed, in milliseconds since 1970.
    static let clockName = "clock"
    /// The clock when it was first found far ahead of that.
    static let clockAheadName = "clockAhead"
    /// Present while there may be words to which no row refers.
    static let unusedWordsName = "unusedWords"

    init(_ db: Database) throws {
        var values: [String: String] = [:]
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: "SELECT name, value FROM setting"))
        while let row = try rows.next() {
            if let name = row.text("name"), let value = row.text("value") { values[name] = value }
        }
        isEnabled = values[Self.enabledName] == "1"
        pausedUntil = values[Self.pausedUntilName].flatMap(Int64.init).map(Stored.date)
        retentionDays =
            values[Self.retentionName].flatMap(Int.init).flatMap {
                HistoryLimits.retentionDays.contains($0) ? $0 : nil
            } ?? HistoryLimits.defaultRetentionDays
        showsTitlesWhenLocked = values[Self.lockedTitlesName] == "1"
        allowedCategories = Set(PrivacyCategory.allCases.filter { values[Self.categoryName($0)] == "1" })
    }

    /// Why nothing may be recorded at `now`, or `nil` when it may.
    func refusal(at now: Date) -> RecordOutcome? {
        guard isEnabled else { return .notEnabled }
        if let pausedUntil, now < pausedUntil { return .paused(until: pausedUntil) }
        return nil
    }
}
