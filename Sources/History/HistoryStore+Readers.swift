internal import GRDB

extension HistoryStore {
    /// Allows or forbids an app outside sandboxes to read other apps' actions.
    ///
    /// - Parameter application: desktop identifier; `.desktop` at its end is taken off.
    /// - Returns: whether that changed.
    /// - Throws: ``HistoryError`` `invalidInput` for no identifier, or when ``HistoryLimits/readers`` are reached.
    @discardableResult
    public func setReader(_ application: String, isAllowed: Bool) throws(HistoryError) -> Bool {
        let application = Self.identifier(application)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        let changed = try write { try NameList.readers.set(application, isListed: isAllowed, $0) }
        if changed, !isAllowed { _ = try alone { try Self.emptyLog($0) } }
        return changed
    }

    /// Desktop identifiers of the apps that may read what other apps did.
    public func readers() throws(HistoryError) -> Set<String> { try read { try NameList.readers.names($0) } }
}
