public import FoundationEssentials
package import GRDB
public import HunchModel

/// The settings that the user made with the command `hunch`.
public struct HistorySettings: Hashable, Sendable {
    /// Whether anything may be recorded. `false` until the user enables it.
    public var isEnabled: Bool
    /// Whether the user ever switched Hunch on or off.
    public var wasDecided: Bool
    /// The end of the pause, or `nil` if not paused.
    public var pausedUntil: Date?
    /// The retention period in days.
    public var retentionDays: Int
    /// The categories that are recorded, of those that are off by default.
    public var allowedCategories: Set<PrivacyCategory>
    /// The settings that are on. All are off until the user switches them on.
    public var switchedOn: Set<UserSetting>
}

extension HistorySettings {
    static let enabledName = "enabled"
    static let pausedUntilName = "pausedUntil"
    package static let retentionName = "retentionDays"
    package static func categoryName(_ category: PrivacyCategory) -> String { "category:" + category.rawValue }
    /// The setting that exists from the removal of rows until their bytes are gone from the files.
    static let scrubPendingName = "scrubPending"
    /// The setting with the last trusted time, in milliseconds since 1970. Removing old rows updates it.
    static let clockName = "clock"
    /// The setting with the time at which the clock was first found far ahead of ``clockName``.
    static let clockAheadName = "clockAhead"
    /// The setting that exists while there may be words to which no row refers.
    static let unusedWordsName = "unusedWords"
    /// The setting with the number of changes of the search index, by which an older copy of the index is noticed.
    static let indexChangesName = "indexChanges"

    /// The names of the settings that the user makes. The others describe the state of the files.
    static let personalNames =
        [enabledName, pausedUntilName, retentionName] + UserSetting.allCases.map(\.rawValue)
        + PrivacyCategory.allCases.map(categoryName)

    package init(_ db: Database) throws {
        var values: [String: String] = [:]
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: "SELECT name, value FROM setting"))
        while let row = try rows.next() {
            if let name = row.text("name"), let value = row.text("value") { values[name] = value }
        }
        isEnabled = values[Self.enabledName] == "1"
        wasDecided = values[Self.enabledName] != nil
        pausedUntil = values[Self.pausedUntilName].flatMap(Int64.init).map(Stored.date)
        retentionDays =
            values[Self.retentionName].flatMap(Int.init).flatMap {
                HistoryLimits.retentionDays.contains($0) ? $0 : nil
            } ?? HistoryLimits.defaultRetentionDays
        switchedOn = Set(UserSetting.allCases.filter { values[$0.rawValue] == "1" })
        allowedCategories = Set(PrivacyCategory.allCases.filter { values[Self.categoryName($0)] == "1" })
    }

    /// Returns the end of the pause; `nil` if Hunch is not paused at a date.
    public func pauseEnd(at date: Date) -> Date? { pausedUntil.flatMap { date < $0 ? $0 : nil } }

    /// Returns whether Hunch is paused at a date.
    public func isPaused(at date: Date) -> Bool { pauseEnd(at: date) != nil }

    /// The reason not to record at `now`, or `nil` if recording is allowed.
    package func refusal(at now: Date) -> RecordOutcome? {
        guard isEnabled else { return .notEnabled }
        if let end = pauseEnd(at: now) { return .paused(until: end) }
        return nil
    }
}
