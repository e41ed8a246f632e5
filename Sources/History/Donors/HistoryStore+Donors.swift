internal import FoundationEssentials
internal import GRDB
public import HunchModel

/// A selection of an app's donations to delete.
public enum DonationSelection: Hashable, Sendable {
    /// Those with one of these identifiers.
    case identifiers([String])
    /// Those of one of these groups.
    case groups([String])
    /// All.
    case all
}

/// The result of deleting an app's donations.
public struct DeletedDonations: Hashable, Sendable {
    /// The number of donations.
    public var count: Int
    /// The media items that they were about, or the lists that they were of; see ``HunchModel/Donation/mediaItem``.
    public var items: Set<String>
    /// By kind, what told each from others; see ``HunchModel/Donation/identity``.
    var identities: [Donation.Kind: Set<[String: String]>] = [:]

    /// Whether an equivalent of a donation of the app was among them.
    public func holds(_ donation: Donation) -> Bool {
        identities[donation.kind]?.contains(donation.identity) ?? false
    }
}

/// An app's share of the history.
public struct DonorShare: Hashable, Sendable {
    /// Its donations.
    public var donations: Int
    /// Bytes of text in them: identifiers, and once for equal ones the parameters. Of the order of what is on disk.
    public var bytes: Int

    /// Makes a share.
    public init(donations: Int = 0, bytes: Int = 0) {
        self.donations = donations
        self.bytes = bytes
    }
}

extension HistoryStore {
    /// Removes donations of one app, and where the playback of their items stood, in one transaction.
    ///
    /// It takes as long as there is to delete, however much there is besides. What was learned of them is not here; learn the rest anew. Bytes are overwritten, but for copies that only
    /// ``forget(_:)`` removes, and for names of devices and triggers, which are no app's, until the next ``prune(now:)``.
    public func delete(
        _ selection: DonationSelection, of application: String
    ) throws(HistoryError) -> DeletedDonations {
        let deleted = try write { db -> DeletedDonations in
            var deleted = DeletedDonations(count: 0, items: [])
            guard let word = try Int64.fetchOne(db, sql: "SELECT id FROM word WHERE text = ?", arguments: [application])
            else { return deleted }
            let own = "donation.action IN (SELECT id FROM action WHERE application = ?)"
            var conditions: [(sql: String, arguments: StatementArguments)] = []
            switch selection {
            case .identifiers(let identifiers):
                conditions = identifiers.map { ("donation.identifier = ? AND \(own)", [$0, word]) }
            case .groups(let groups):
                conditions = groups.map {
                    ("donation.\"group\" = (SELECT id FROM word WHERE text = ?) AND \(own)", [$0, word])
                }
            case .all: conditions = [(own, [word])]
            }
            var (actions, words): (Set<Int64>, Set<Int64>) = ([], [word])
            for condition in conditions {
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT DISTINCT action.id AS id, action.kind AS kind, action.parameters AS parameters,
                            action.combination AS combination, donation."group" AS "group"
                        FROM donation JOIN action ON action.id = donation.action WHERE \(condition.sql)
                        """, arguments: condition.arguments)
                for row in rows {
                    if let action = row.integer("id") { actions.insert(action) }
                    if let group = row.integer("group") { words.insert(group) }
                    let parameters = row.text("parameters").flatMap { Stored.value([String: String].self, json: $0) }
                    if let item = parameters?["item"] ?? parameters?["container"] { deleted.items.insert(item) }
                    if let parameters, let kind = row.text("kind") {
                        let combination = row.text("combination").flatMap { Stored.value([String].self, json: $0) }
                        let identity = combination.map { names in parameters.filter { names.contains($0.key) } }
                        deleted.identities[Donation.Kind(rawValue: kind), default: []].insert(identity ?? parameters)
                    }
                }
                try db.execute(
                    sql: "DELETE FROM donation WHERE \(condition.sql)", arguments: condition.arguments)
                deleted.count += db.changesCount
            }
            guard deleted.count > 0 else { return deleted }
            if selection == .all {
                try db.execute(sql: "DELETE FROM resumePoint WHERE application = ?", arguments: [application])
            } else {
                try db.execute(
                    sql: """
                        DELETE FROM resumePoint WHERE application = ? AND item IN (SELECT value FROM json_each(?))
                        """, arguments: [application, try Stored.json(deleted.items.sorted())])
            }
            // Only the affected actions. Searching everything at each call would let one app delay the others.
            for action in actions {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM action WHERE id = ?1
                            AND NOT EXISTS (SELECT 1 FROM donation WHERE donation.action = ?1)
                        """
                ).execute(arguments: [action])
            }
            for word in words {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM word WHERE id = ?1 AND NOT isCircumstance
                            AND NOT EXISTS (SELECT 1 FROM action WHERE action.application = ?1)
                            AND NOT EXISTS (SELECT 1 FROM donation WHERE donation."group" = ?1)
                            AND NOT EXISTS (SELECT 1 FROM engagement WHERE engagement.application = ?1)
                        """
                ).execute(arguments: [word])
            }
            try Self.set(HistorySettings.unusedWordsName, to: "1", db)
            return deleted
        }
        if deleted.count > 0 { _ = try alone { try Self.emptyLog($0) } }
        return deleted
    }

    /// Returns an app's share of the history.
    public func share(of application: String) throws(HistoryError) -> DonorShare {
        try read { db in
            let word = try Int64.fetchOne(db, sql: "SELECT id FROM word WHERE text = ?", arguments: [application])
            guard let word else { return DonorShare() }
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) AS donations, total(length(CAST(identifier AS BLOB))) AS identifiers,
                        (SELECT total(length(CAST(parameters AS BLOB))) FROM action WHERE application = ?1) AS actions
                    FROM donation WHERE action IN (SELECT id FROM action WHERE application = ?1)
                    """, arguments: [word])
            func count(_ column: String) -> Int {
                row.flatMap { Double.fromDatabaseValue($0[column] as DatabaseValue) }.flatMap(Int.init(exactly:)) ?? 0
            }
            return DonorShare(donations: count("donations"), bytes: count("identifiers") + count("actions"))
        }
    }

    /// Returns an app's last recorded play with a title, by arrival; `nil` if there is none.
    ///
    /// - Parameter item: the item, as in ``HunchModel/Donation/mediaItem``; `nil` for any.
    public func lastPlay(of application: String, item: String? = nil) throws(HistoryError) -> Donation? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: Self.donationQuery + """
                    WHERE donation.id = (
                        SELECT max(donation.id) FROM action JOIN donation ON donation.action = action.id
                        WHERE action.application = (SELECT id FROM word WHERE text = ?1) AND action.kind = ?2
                            AND json_extract(action.parameters, '$.title') <> ''
                            AND (?3 IS NULL OR ?3 = coalesce(
                                json_extract(action.parameters, '$.item'),
                                json_extract(action.parameters, '$.container'))))
                    """, arguments: [application, Donation.Kind.playMedia.rawValue, item]
            ).flatMap(Self.donation)
        }
    }

    /// Returns the items among these that the app has played, as far as recorded.
    public func playedItems(of application: String, among items: [String]) throws(HistoryError) -> Set<String> {
        try read { db in
            let rows = try String.fetchAll(
                db,
                sql: """
                    SELECT parameters FROM action
                    WHERE application = (SELECT id FROM word WHERE text = ?) AND kind = ?
                    """, arguments: [application, Donation.Kind.playMedia.rawValue])
            let played = rows.compactMap { Stored.value([String: String].self, json: $0)?["item"] }
            return Set(items).intersection(played)
        }
    }
}
