internal import GRDB
public import HunchModel

extension HistoryStore {
    /// Allows or forbids an app outside sandboxes to read the history of other apps.
    ///
    /// - Parameter application: desktop identifier. A `.desktop` suffix is removed.
    /// - Returns: `true` if that changed anything.
    /// - Throws: ``HistoryError`` `invalidInput` if the identifier is invalid, or at ``HistoryLimits/readers``.
    @discardableResult
    public func setReader(_ application: AppID, isAllowed: Bool) throws(HistoryError) -> Bool {
        let application = AppID(entryName: application.rawValue)
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        let changed = try write { try NameList.readers.set(application, isListed: isAllowed, $0) }
        if changed, !isAllowed { _ = try alone { try Self.emptyLog($0) } }
        return changed
    }

    /// Returns the desktop identifiers of the apps that may read the history of other apps.
    public func readers() throws(HistoryError) -> Set<AppID> { try read { try NameList.readers.names($0) } }
}
