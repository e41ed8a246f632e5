internal import GRDB

extension HistoryStore {
    /// Allows or forbids an app outside sandboxes to read the history of other apps.
    ///
    /// - Parameter application: desktop identifier. A `.desktop` suffix is removed.
    /// - Returns: `true` if that changed anything.
    /// - Throws: ``HistoryError`` `invalidInput` if the identifier is invalid, or at ``HistoryLimits/readers``.
    @discardableResult
    public func setReader(_ application: String, isAllowed: Bool) throws(HistoryError) -> Bool {
        let application = Self.identifier(application)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        let changed = try write { try NameList.readers.set(application, isListed: isAllowed, $0) }
        if changed, !isAllowed { _ = try alone { try Self.emptyLog($0) } }
        return changed
    }

    /// Returns the desktop identifiers of the apps that may read the history of other apps.
    public func readers() throws(HistoryError) -> Set<String> { try read { try NameList.readers.names($0) } }
}
