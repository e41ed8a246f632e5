internal import GRDB
public import HunchModel
internal import Localization
internal import Synchronization

extension HistoryStore {
    /// Stops recording while there is a veto, and resumes with `nil`. The veto is not stored: it stands for the
    /// desktop's current privacy settings.
    public func withhold(because veto: RecordingVeto?) { currentVeto.withLock { $0 = veto } }

    /// The privacy setting of the desktop that forbids recording, or `nil` if none does.
    public var veto: RecordingVeto? { currentVeto.withLock { $0 } }

    /// Excludes an app from recording. Existing records stay until they are forgotten.
    ///
    /// - Parameter application: desktop identifier. A `.desktop` suffix is removed.
    /// - Returns: `true` if the app was not excluded before.
    /// - Throws: ``HistoryError`` `invalidInput` if the identifier is invalid, or at ``HistoryLimits/exclusions``.
    @discardableResult
    public func exclude(_ application: AppID) throws(HistoryError) -> Bool {
        let application = AppID(entryName: application.rawValue)
        try HistoryLimits.check(application.rawValue, "application", limit: HistoryLimits.application)
        return try write { try NameList.exclusions.set(application, isListed: true, $0) }
    }

    /// Ends the exclusion of an app. Returns whether it was excluded.
    @discardableResult
    public func include(_ application: AppID) throws(HistoryError) -> Bool {
        let removed = try write {
            try NameList.exclusions.set(AppID(entryName: application.rawValue), isListed: false, $0)
        }
        if removed { _ = try alone { try Self.emptyLog($0) } }
        return removed
    }

    /// Desktop identifiers of the excluded apps.
    public func exclusions() throws(HistoryError) -> Set<AppID> { try read { try NameList.exclusions.names($0) } }

    /// Allows or forbids recording of a category that is off by default. Existing records stay.
    public func setCategory(_ category: PrivacyCategory, isAllowed: Bool) throws(HistoryError) {
        try write { try Self.set(HistorySettings.categoryName(category), to: isAllowed ? "1" : nil, $0) }
    }

    /// Sets the retention period. ``prune(now:)`` then removes older rows.
    ///
    /// - Throws: ``HistoryError`` `invalidInput` outside ``HistoryLimits/retentionDays``.
    public func setRetention(days: Int) throws(HistoryError) {
        let range = HistoryLimits.retentionDays
        guard range.contains(days) else {
            throw .invalidInput(
                localized(
                    "data cannot be kept for %1 days; choose %2 to %3 days", days, range.lowerBound, range.upperBound))
        }
        try write { try Self.set(HistorySettings.retentionName, to: "\(days)", $0) }
    }

    /// Switches a setting on or off.
    ///
    /// - Throws: ``HistoryError`` as for every write.
    public func set(_ setting: UserSetting, isOn: Bool) throws(HistoryError) {
        try write { try Self.set(setting.rawValue, to: isOn ? "1" : nil, $0) }
    }

    /// Notes an app in development, until ``dropDeveloped(_:)``. Returns false outside developer mode.
    package func noteDeveloped(_ app: AppID) throws(HistoryError) -> Bool {
        let isOn = try settings().switchedOn.contains(.developerMode)
        if isOn { try write { try Self.set(app.rawValue, to: "1", $0) } }
        return isOn
    }
    package func dropDeveloped(_ app: AppID) throws(HistoryError) {
        try write { try Self.set(app.rawValue, to: nil, $0) }
    }
    package func developedApps() throws(HistoryError) -> [AppID] {
        try read {
            try AppID.fetchAll($0, sql: "SELECT name FROM setting WHERE name GLOB '\(AppID.developmentPrefix)*'")
        }
    }
}

extension HistorySettings {
    /// Returns why rows of an app and a kind are not recorded although recording is on, or `nil` if they are recorded.
    package func reasonToWithhold(_ application: AppID, _ kind: String, _ excluded: Set<AppID>) -> String? {
        if excluded.contains(application) { return localized("the app is excluded") }
        guard let category = PrivacyCategory.category(ofKind: kind), !allowedCategories.contains(category) else {
            return nil
        }
        return localized("%1 are recorded only after “hunch allow %1”", category.rawValue)
    }
}

extension HistoryStore {
    /// Returns the number of changes of the search index that was stored last; 0 without one.
    public func indexChanges() throws(HistoryError) -> Double {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [HistorySettings.indexChangesName]
            ).flatMap(Double.init) ?? 0
        }
    }

    /// Stores the number of changes of the search index, by which an older copy of the index is noticed.
    public func setIndexChanges(_ count: Double) throws(HistoryError) {
        try write { try Self.set(HistorySettings.indexChangesName, to: "\(count)", $0) }
    }
}
