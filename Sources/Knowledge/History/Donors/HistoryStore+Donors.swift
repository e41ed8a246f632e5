internal import FoundationEssentials
internal import GRDB
public import HunchModel

/// A selection of an app's donations to delete.
public enum DonationSelection: Hashable, Sendable {
    /// Donations with one of these identifiers.
    case identifiers([String])
    /// Donations in one of these groups.
    case groups([String])
    /// All donations.
    case all
}

/// The donations deleted for an app.
public struct DeletedDonations: Hashable, Sendable {
    /// The number of donations.
    public var count: Int
    /// The media items or containers of the donations. See ``HunchModel/Donation/mediaItem``.
    public var items: Set<String>
    /// The identities of the donations, by kind. See ``HunchModel/Donation/identity``.
    var identities: [Donation.Kind: Set<[String: String]>] = [:]

    /// Whether an equivalent of `donation` was deleted.
    public func holds(_ donation: Donation) -> Bool {
        identities[donation.kind]?.contains(donation.identity) ?? false
    }
}

/// The part of the store that belongs to an app.
public struct DonorShare: Hashable, Sendable {
    /// The number of donations.
    public var donations: Int
    /// Bytes of text in the donations: identifiers, and parameters once per action. Approximates the space on disk.
    public var bytes: Int

    /// Creates a share.
    public init(donations: Int = 0, bytes: Int = 0) {
        self.donations = donations
        self.bytes = bytes
    }
}

extension HistoryStore {
    /// Removes donations of one app and the resume points of their items, in one transaction.
    ///
    /// The time depends on the number of rows to delete, not on the size of the history. The learner is not updated, so
    /// train it again from the rest. The bytes are overwritten, except for copies that only ``forget(_:)`` removes.
    /// Names of devices and triggers belong to no app and stay until the next ``prune(now:)``.
    ///
    /// - Parameter kind: the kind of the donations; `nil` for any.
    public func delete(
        _ selection: DonationSelection, of application: AppID, kind: Donation.Kind? = nil
    ) throws(HistoryError) -> DeletedDonations {
        let deleted = try write { db -> DeletedDonations in
            var deleted = DeletedDonations(count: 0, items: [])
            guard let word = try Int64.fetchOne(db, sql: "SELECT id FROM word WHERE text = ?", arguments: [application])
            else { return deleted }
            let own = "donation.action IN (SELECT id FROM action WHERE application = ? AND ifnull(kind = ?, TRUE))"
            let owner: StatementArguments = [word, kind?.rawValue]
            var conditions: [(sql: String, arguments: StatementArguments)] = []
            switch selection {
            case .identifiers(let identifiers):
                conditions = identifiers.map { ("donation.identifier = ? AND \(own)", [$0] + owner) }
            case .groups(let groups):
                conditions = groups.map {
                    ("donation.\"group\" = (SELECT id FROM word WHERE text = ?) AND \(own)", [$0] + owner)
                }
            case .all: conditions = [(own, owner)]
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
            try Self.deleteSuggestedItems(of: application, db)
            if selection == .all, kind == nil {
                try db.execute(sql: "DELETE FROM resumePoint WHERE application = ?", arguments: [application])
            } else {
                try db.execute(
                    sql: """
                        DELETE FROM resumePoint WHERE application = ? AND item IN (SELECT value FROM json_each(?))
                        """, arguments: [application, try Stored.json(deleted.items.sorted())])
            }
            // Only clean up affected actions and words. Scanning all tables each time would let one app block others.
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

    /// Removes what suggestions named of an app's content, without regard to what it deletes: its suggestions are then
    /// listed by the name of the app.
    static func deleteSuggestedItems(of application: AppID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM suggestedItem WHERE application = ?", arguments: [application])
    }

    /// Returns the part of the store that belongs to an app.
    public func share(of application: AppID) throws(HistoryError) -> DonorShare {
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

    /// Returns an app's last play by arrival that has a title, or `nil` if none is recorded.
    ///
    /// - Parameter item: the item to look for, as in ``HunchModel/Donation/mediaItem``, or `nil` for any.
    public func lastPlay(of application: AppID, item: String? = nil) throws(HistoryError) -> Donation? {
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

    /// Returns those of an app's `items` that were recorded as played.
    public func playedItems(of application: AppID, among items: [String]) throws(HistoryError) -> Set<String> {
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
