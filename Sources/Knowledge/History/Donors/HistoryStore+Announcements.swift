public import FoundationEssentials
package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Replaces the items that an app announced in one of its lists.
    ///
    /// - Parameter items: at most ``HistoryLimits/announcements``. An empty array clears the list.
    /// - Returns: `recorded`, or the reason why the app is not recorded now. An empty list is always accepted.
    /// - Throws: ``HistoryError`` `invalidInput` for too many items or items that are too long.
    @discardableResult
    public func announce(
        _ items: [Announcement], in list: Announcement.List, of application: AppID, now: Date
    ) throws(HistoryError) -> RecordOutcome {
        guard items.count <= HistoryLimits.announcements else {
            throw .invalidInput(localized("%1 items; the limit is %2", items.count, HistoryLimits.announcements))
        }
        try HistoryLimits.check(application.rawValue, "application", limit: HistoryLimits.application)
        for item in items { try item.check() }
        return try write { db in
            if !items.isEmpty {
                let settings = try HistorySettings(db)
                if let refusal = settings.refusal(at: now) { return refusal }
                if let veto { return .withheld(reason: veto.description) }
                if let reason = settings.reasonToWithhold(application, "playMedia", try NameList.exclusions.names(db)) {
                    return .withheld(reason: reason)
                }
            }
            try db.execute(
                sql: "DELETE FROM announcement WHERE application = ? AND list = ?",
                arguments: [application, list.rawValue])
            for (position, item) in items.enumerated() {
                try Self.insert(item, at: position, of: list, application, date: now.milliseconds, db)
            }
            return .recorded
        }
    }

    /// - Parameter date: milliseconds since 1970.
    package static func insert(
        _ item: Announcement, at position: Int, of list: Announcement.List, _ application: AppID, date: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO announcement VALUES (?, ?, ?, ?, ?)",
            arguments: [application, list.rawValue, position, try Stored.json(item), date])
    }

    /// Returns the announced items of a list, by app, in the app's order.
    public func announcements(in list: Announcement.List) throws(HistoryError) -> [AppID: [Announcement]] {
        try read { db in
            var found: [AppID: [Announcement]] = [:]
            let rows = try Row.fetchAll(
                db, sql: "SELECT application, item FROM announcement WHERE list = ? ORDER BY application, position",
                arguments: [list.rawValue])
            for row in rows {
                guard let application: AppID = row.identifier("application"), let json = row.text("item"),
                    let item = Stored.value(Announcement.self, json: json)
                else { continue }
                found[application, default: []].append(item)
            }
            return found
        }
    }

    // MARK: Scripts

    /// Allows or forbids a script to donate as `script:NAME`. Returns whether that changed anything.
    ///
    /// - Throws: ``HistoryError`` `invalidInput` if the name has more than 64 characters or others than letters,
    ///   digits, `.`, `_` and `-`, or if ``HistoryLimits/scripts`` is reached.
    @discardableResult
    public func setScript(_ name: String, isAllowed: Bool, now: Date) throws(HistoryError) -> Bool {
        let fits = name.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "._-".unicodeScalars.contains($0))
        }
        guard fits, (1...64).contains(name.utf8.count) else {
            throw .invalidInput(localized("a script's name has 1 to 64 letters, digits, “.”, “_” and “-”"))
        }
        return try write {
            try NameList.scripts.set(name, isListed: isAllowed, date: now.milliseconds, $0)
        }
    }

    /// Returns the names of the scripts that may donate, sorted.
    public func allowedScripts() throws(HistoryError) -> [String] {
        try read { try NameList.scripts.names($0).sorted() }
    }
}

extension Announcement {
    package func check() throws(HistoryError) {
        try HistoryLimits.check(item, "item", limit: HistoryLimits.item)
        try HistoryLimits.check(title, "title", limit: HistoryLimits.identifier)
        try HistoryLimits.check(widgetKind, localized("widget kind"), limit: HistoryLimits.identifier)
    }
}
