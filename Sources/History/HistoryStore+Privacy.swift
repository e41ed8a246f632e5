internal import GRDB
internal import Synchronization

extension HistoryStore {
    /// Records nothing while a reason is given, and again once it is `nil`. Not kept on disk: it is what the person's
    /// desktop says now.
    ///
    /// - Parameter reason: one clause in words.
    public func withhold(because reason: String?) { veto.withLock { $0 = reason } }

    /// Why nothing is recorded because of the person's desktop; `nil` when it has nothing against it.
    public var withholdingReason: String? { veto.withLock { $0 } }

    /// Keeps anything of an app from being recorded from now on. What was recorded stays until it is forgotten.
    ///
    /// - Parameter application: desktop identifier; `.desktop` at its end is taken off.
    /// - Returns: whether it was not excluded before.
    /// - Throws: ``HistoryError`` `invalidInput` for no identifier, or when ``HistoryLimits/exclusions`` are reached.
    @discardableResult
    public func exclude(_ application: String) throws(HistoryError) -> Bool {
        let application = Self.identifier(application)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        return try write { try NameList.exclusions.set(application, isListed: true, $0) }
    }

    /// Ends the exclusion of an app. Returns whether it was excluded.
    @discardableResult
    public func include(_ application: String) throws(HistoryError) -> Bool {
        let removed = try write { try NameList.exclusions.set(Self.identifier(application), isListed: false, $0) }
        if removed { _ = try alone { try Self.emptyLog($0) } }
        return removed
    }

    /// Desktop identifiers of the excluded apps.
    public func exclusions() throws(HistoryError) -> Set<String> { try read { try NameList.exclusions.names($0) } }

    /// Allows or forbids recording a category. Recorded data stays.
    public func setCategory(_ category: PrivacyCategory, isAllowed: Bool) throws(HistoryError) {
        try write { try Self.set(HistorySettings.categoryName(category), to: isAllowed ? "1" : nil, $0) }
    }

    /// Chooses how long anything is kept; ``prune(now:)`` then removes what is older.
    ///
    /// - Throws: ``HistoryError`` `invalidInput` outside ``HistoryLimits/retentionDays``.
    public func setRetention(days: Int) throws(HistoryError) {
        let range = HistoryLimits.retentionDays
        guard range.contains(days) else {
            throw .invalidInput("\(days) days; what is recorded is kept for \(range.lowerBound) to \(range.upperBound)")
        }
        try write { try Self.set(HistorySettings.retentionName, to: "\(days)", $0) }
    }

    /// Switches titles on the lock screen on or off.
    ///
    /// - Throws: ``HistoryError``.
    public func setTitlesWhenLocked(_ areShown: Bool) throws(HistoryError) {
        try write { try Self.set(HistorySettings.lockedTitlesName, to: areShown ? "1" : nil, $0) }
    }

    static func identifier(_ application: String) -> String {
        application.hasSuffix(".desktop") ? String(application.dropLast(".desktop".count)) : application
    }
}

extension HistorySettings {
    /// Why something of an app and a kind is not recorded, though recording is on; `nil` when it is.
    func reasonToWithhold(_ application: String, _ kind: String, _ excluded: Set<String>) -> String? {
        if excluded.contains(application) { return "the app is excluded" }
        guard let category = PrivacyCategory.category(ofKind: kind), !allowedCategories.contains(category) else {
            return nil
        }
        return "\(category.rawValue) are kept only after “hunch keep --record \(category.rawValue)”"
    }
}
