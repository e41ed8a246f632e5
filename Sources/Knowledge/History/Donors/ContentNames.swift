internal import GRDB
public import HunchModel

/// The names of content for its app: of an activity, of a place that was on the screen, or of a donation.
public struct ContentNames: Hashable, Sendable {
    /// The identifier of the content.
    public var content: String?
    /// The identifier of a donation or of other content about the same subject.
    public var related: String?
    /// The group, for deletion.
    public var group: String?

    /// Creates names.
    public init(content: String?, related: String?, group: String?) {
        self.content = content
        self.related = related
        self.group = group
    }

    /// The identifiers of the content and of what is related to it.
    public var identifiers: [String] { [content, related].compactMap(\.self) }

    /// Whether a selection includes the content.
    public func isMeant(by selection: DonationSelection) -> Bool {
        switch selection {
        case .identifiers(let names): identifiers.contains(where: names.contains)
        case .groups(let groups): group.map(groups.contains) ?? false
        case .all: true
        }
    }
}

extension [ContentNames] {
    /// Returns the identifiers of the content that a selection includes, and of all that is related to it, sorted.
    public func identifiers(in selection: DonationSelection) -> [String] {
        var rest = filter { $0.isMeant(by: selection) }.flatMap(\.identifiers)
        if case .identifiers(let given) = selection { rest += given }
        var related: [String: [String]] = [:]
        for names in self where names.identifiers.count > 1 {
            for identifier in names.identifiers { related[identifier, default: []] += names.identifiers }
        }
        var found = Set(rest)
        while let identifier = rest.popLast() {
            for other in related[identifier] ?? [] where found.insert(other).inserted { rest.append(other) }
        }
        return found.sorted()
    }
}

extension HistoryStore {
    /// Returns the names of an app's content: those of its places, of its activities, and of its donations about either in
    /// the groups of a selection.
    ///
    /// - Parameter activities: the names of the activities, which are not stored.
    public func contentNames(
        of application: AppID, in selection: DonationSelection, with activities: [ContentNames]
    ) throws(HistoryError) -> [ContentNames] {
        try read { db in
            func names(_ sql: String, _ arguments: StatementArguments) throws -> [ContentNames] {
                try Row.fetchAll(db, sql: sql, arguments: arguments).map {
                    ContentNames(content: $0.text("content"), related: $0.text("related"), group: $0.text("group"))
                }
            }
            let shown =
                try activities
                + names("SELECT content, related, \"group\" FROM seenPlace WHERE application = ?", [application])
            guard case .groups(let groups) = selection else { return shown }
            return try shown
                + names(
                    """
                    SELECT DISTINCT identifier AS content, NULL AS related, word.text AS "group"
                    FROM donation JOIN word ON word.id = donation."group"
                    WHERE identifier IN (SELECT value FROM json_each(?))
                        AND word.text IN (SELECT value FROM json_each(?))
                        AND action IN (
                            SELECT id FROM action WHERE application = (SELECT id FROM word WHERE text = ?))
                    """, [Stored.json(shown.flatMap(\.identifiers)), Stored.json(groups), application])
        }
    }
}
