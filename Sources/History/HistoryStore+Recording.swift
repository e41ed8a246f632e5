public import FoundationEssentials
internal import GRDB
public import HunchModel

extension HistoryStore {
    /// Records what was done. See ``record(_:now:)-(Array<Donation>,_)``.
    @discardableResult
    public func record(_ donation: Donation, now: Date) throws(HistoryError) -> RecordOutcome {
        try record([donation], now: now).first ?? .notEnabled
    }

    /// Records what was done, in order, in one transaction with one sync.
    ///
    /// Afterwards every donation with the outcome `recorded` is on disk, and the newest ``HistoryLimits/donations`` are
    /// kept. Dates are kept to the millisecond.
    ///
    /// - Parameters:
    ///   - donations: at most ``HistoryLimits/batch``.
    ///   - now: the clock, for pauses and to refuse dates more than a day ahead.
    /// - Returns: one outcome for each donation, in their order.
    /// - Throws: ``HistoryError`` when nothing was written: `invalidInput` for too large a batch, `diskFull`, `busy`, ….
    @discardableResult
    public func record(_ donations: [Donation], now: Date) throws(HistoryError) -> [RecordOutcome] {
        try recordBatch(
            donations, now: now, subject: { ($0.application, $0.kind.rawValue) },
            check: { donation throws(HistoryError) in try donation.check(now: now) }
        ) { db, donation in
            try Self.insert(donation, db)
        } trim: { db in
            try Self.trim("donation", to: HistoryLimits.donations, db)
        }
    }

    /// Records what became of a suggestion. See ``record(_:now:)-(Array<Engagement>,_)``.
    @discardableResult
    public func record(_ engagement: Engagement, now: Date) throws(HistoryError) -> RecordOutcome {
        try record([engagement], now: now).first ?? .notEnabled
    }

    /// Records what became of suggestions, as donations are recorded. The newest ``HistoryLimits/engagements`` are kept.
    @discardableResult
    public func record(_ engagements: [Engagement], now: Date) throws(HistoryError) -> [RecordOutcome] {
        try recordBatch(
            engagements, now: now, subject: { ($0.application, $0.kind) },
            check: { item throws(HistoryError) in try item.check(now: now) }
        ) { db, engagement in
            try Self.insert(engagement, db)
        } trim: { db in
            try Self.trim("engagement", to: HistoryLimits.engagements, db)
        }
    }

    /// Remembers where playback stands, in place of what was known of this device and app. The newest
    /// ``HistoryLimits/resumePoints`` are kept.
    @discardableResult
    public func remember(_ point: ResumePoint, now: Date) throws(HistoryError) -> RecordOutcome {
        let check = { (point: ResumePoint) throws(HistoryError) in try point.check(now: now) }
        return try recordBatch([point], now: now, subject: { ($0.application, "") }, check: check) { db, point in
            try Self.insert(point, db)
        } trim: { db in
            try Self.trimResumePoints(db)
        }.first ?? .notEnabled
    }

    static func insert(_ point: ResumePoint, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO resumePoint VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                point.device, point.application, point.item, try Stored.json(point.info), point.pausedByDisconnect,
                Stored.milliseconds(point.date),
            ])
    }

    /// Keeps the newest rows by arrival.
    static func trim(_ table: String, to limit: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(table) WHERE id <= (SELECT max(id) FROM \(table)) - ?", arguments: [limit])
    }

    static func trimResumePoints(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM resumePoint WHERE (device, application) IN (
                    SELECT device, application FROM resumePoint ORDER BY date DESC, device LIMIT -1 OFFSET ?)
                """, arguments: [HistoryLimits.resumePoints])
    }

    func recordBatch<Item>(
        _ items: [Item], now: Date, subject: (Item) -> (application: String, kind: String),
        check: (Item) throws(HistoryError) -> Void,
        insert: (Database, Item) throws -> Void, trim: (Database) throws -> Void
    ) throws(HistoryError) -> [RecordOutcome] {
        guard items.count <= HistoryLimits.batch else {
            throw .invalidInput("\(items.count) items in one call; the limit is \(HistoryLimits.batch)")
        }
        return try write { db in
            let settings = try HistorySettings(db)
            if let refusal = settings.refusal(at: now) { return items.map { _ in refusal } }
            if let reason = withholdingReason { return items.map { _ in .withheld(reason: reason) } }
            let excluded = try Self.exclusions(db)
            let outcomes = try items.map { item throws -> RecordOutcome in
                let subject = subject(item)
                if let reason = settings.reasonToWithhold(subject.application, subject.kind, excluded) {
                    return .withheld(reason: reason)
                }
                do throws(HistoryError) {
                    try check(item)
                } catch {
                    return .refused(error)
                }
                try insert(db, item)
                return .recorded
            }
            try trim(db)
            return outcomes
        }
    }

    static func insert(_ donation: Donation, _ db: Database) throws {
        let action = try action(of: donation, db)
        let context = donation.context
        try db.cachedStatement(
            sql: """
                INSERT INTO donation (action, date, trigger, device, hour, weekday, identifier, "group", further)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            action, Stored.milliseconds(donation.date), try db.circumstance(context.trigger),
            try db.circumstance(context.device),
            context.hour, context.weekday, donation.identifier, try db.word(donation.group),
            try db.circumstance(context.storedFurther),
        ])
    }

    static func action(of donation: Donation, _ db: Database) throws -> Int64 {
        let key: StatementArguments = [
            try db.word(donation.application), donation.kind.rawValue, try Stored.json(donation.parameters),
        ]
        let query = try db.cachedStatement(
            sql: "SELECT id FROM action WHERE application = ? AND kind = ? AND parameters = ?")
        if let known = try Int64.fetchOne(query, arguments: key) { return known }
        try db.cachedStatement(
            sql: "INSERT INTO action (application, kind, parameters, combination) VALUES (?, ?, ?, ?)"
        )
        .execute(arguments: key + [donation.combination.map { try Stored.json($0) }])
        return db.lastInsertedRowID
    }

    static func insert(_ engagement: Engagement, _ db: Database) throws {
        let context = engagement.context
        try db.cachedStatement(
            sql: """
                INSERT INTO engagement
                    (suggestion, application, kind, outcome, date, trigger, device, hour, weekday, further)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            engagement.suggestion, try db.word(engagement.application), engagement.kind, engagement.outcome.rawValue,
            Stored.milliseconds(engagement.date), try db.circumstance(context.trigger),
            try db.circumstance(context.device),
            context.hour, context.weekday, try db.circumstance(context.storedFurther),
        ])
    }
}

extension Donation {
    func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        try HistoryLimits.check(kind.rawValue, "kind", limit: HistoryLimits.kind)
        guard parameters.count <= HistoryLimits.parameterCount else {
            throw .invalidInput("\(parameters.count) parameters; the limit is \(HistoryLimits.parameterCount)")
        }
        for (name, value) in parameters {
            try HistoryLimits.check(name, "parameter name", limit: HistoryLimits.parameterName)
            let limit = HistoryLimits.parameterValue
            try HistoryLimits.check(value, "value of the parameter \(name)", limit: limit, mayBeEmpty: true)
        }
        if let combination {
            guard !combination.isEmpty, combination.count <= parameters.count,
                combination.allSatisfy({ parameters[$0] != nil })
            else { throw .invalidInput("the combination is not one of the parameters' names") }
        }
        try HistoryLimits.check(identifier, "identifier", limit: HistoryLimits.identifier)
        try HistoryLimits.check(group, "group", limit: HistoryLimits.identifier)
        try context.check()
        try date.check(now: now)
    }
}

extension Engagement {
    func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(suggestion, "suggestion", limit: HistoryLimits.suggestion)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        try HistoryLimits.check(kind, "kind", limit: HistoryLimits.kind)
        try context.check()
        try date.check(now: now)
    }
}

extension ResumePoint {
    func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(device, "device", limit: HistoryLimits.circumstance)
        try HistoryLimits.check(application, "application", limit: HistoryLimits.application)
        try HistoryLimits.check(item, "item", limit: HistoryLimits.item)
        let info: String
        do {
            info = try Stored.json(self.info)
        } catch {
            throw HistoryError(
                .invalidInput, "the now-playing info cannot be written", underlying: error)
        }
        try HistoryLimits.check(info, "now-playing info", limit: HistoryLimits.nowPlaying)
        try date.check(now: now)
    }
}
