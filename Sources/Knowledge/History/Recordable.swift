package import FoundationEssentials
package import GRDB
package import HunchModel
internal import Localization

/// A record of an app with a date, as recorded in batches.
package protocol Recordable {
    /// Desktop identifier of the app.
    var application: AppID { get }
    /// The kind that decides the privacy category. Empty if the record has no category.
    var withheldAs: String { get }
    var date: Date { get }

    /// Throws if a value of the record is not acceptable.
    func check(now: Date) throws(HistoryError)
    func insert(_ db: Database) throws
    /// Removes the oldest rows of the table beyond its limit.
    static func trim(_ db: Database) throws
}

extension Donation: Recordable {
    package var withheldAs: String { kind.rawValue }

    package func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        try HistoryLimits.check(kind.rawValue, "kind", limit: HistoryLimits.kind)
        guard parameters.count <= HistoryLimits.parameterCount else {
            throw .invalidInput(
                localized("%1 parameters; the limit is %2", parameters.count, HistoryLimits.parameterCount))
        }
        for (name, value) in parameters {
            try HistoryLimits.check(name, localized("parameter name"), limit: HistoryLimits.parameterName)
            let limit = HistoryLimits.parameterValue
            try HistoryLimits.check(
                value, localized("value of the parameter %1", name), limit: limit, mayBeEmpty: true)
        }
        if let combination {
            guard !combination.isEmpty, combination.count <= parameters.count,
                combination.allSatisfy({ parameters[$0] != nil })
            else { throw .invalidInput(localized("the combination must name one or more of the parameters")) }
        }
        try HistoryLimits.check(identifier, "identifier", limit: HistoryLimits.identifier)
        try HistoryLimits.check(group, "group", limit: HistoryLimits.identifier)
        try context.check()
        try date.check(now: now)
    }

    package func insert(_ db: Database) throws {
        let action = try HistoryStore.action(of: self, db)
        try db.cachedStatement(
            sql: """
                INSERT INTO donation (action, date, trigger, device, hour, weekday, identifier, "group", further)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            action, date.milliseconds, try db.circumstance(context.trigger?.description),
            try db.circumstance(context.device?.rawValue), context.hour, context.weekday, identifier,
            try db.word(group),
            try db.circumstance(context.storedFurther),
        ])
    }

    package static func trim(_ db: Database) throws {
        try HistoryStore.trim("donation", to: HistoryLimits.donations, db)
    }
}

extension Engagement: Recordable {
    package var withheldAs: String { kind.rawValue }

    package func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(suggestion, "suggestion", limit: HistoryLimits.suggestion)
        try HistoryLimits.check(item?.application.rawValue, "app", limit: HistoryLimits.application)
        try HistoryLimits.check(item?.title, "title", limit: SuggestedItem.titleLimit, mayBeEmpty: true)
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        try HistoryLimits.check(kind.rawValue, "kind", limit: HistoryLimits.kind)
        try HistoryLimits.check(subject?.name, "subject", limit: HistoryLimits.subject)
        try context.check()
        try date.check(now: now)
    }

    package func insert(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO engagement
                    (suggestion, application, kind, outcome, date, trigger, device, hour, weekday, further, subject,
                    wasRequested, isPardoned)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            suggestion, try db.word(application.rawValue), kind.rawValue, outcome.rawValue, date.milliseconds,
            try db.circumstance(context.trigger?.description), try db.circumstance(context.device?.rawValue),
            context.hour,
            context.weekday,
            try db.circumstance(context.storedFurther), try subject.map { try Stored.json($0) }, wasRequested,
            isPardoned,
        ])
        guard let item, try !NameList.exclusions.names(db).contains(item.application) else { return }
        let json = try Stored.json(item)
        // Without its name, the suggestion is still worth recording.
        guard json.utf8.count <= HistoryLimits.suggestedItem else { return }
        try db.execute(
            sql: "INSERT OR IGNORE INTO suggestedItem VALUES (?, ?, ?, ?)",
            arguments: [suggestion, item.application, json, date.milliseconds])
    }

    package static func trim(_ db: Database) throws {
        try HistoryStore.trim("engagement", to: HistoryLimits.engagements, db)
        try db.execute(
            sql: """
                DELETE FROM suggestedItem WHERE suggestion IN (
                    SELECT suggestion FROM suggestedItem ORDER BY date DESC, suggestion LIMIT -1 OFFSET ?)
                """, arguments: [HistoryLimits.suggestedItems])
    }
}

extension ResumePoint: Recordable {
    package var withheldAs: String { "" }

    package func check(now: Date) throws(HistoryError) {
        try HistoryLimits.check(device.rawValue, "device", limit: HistoryLimits.circumstance)
        try HistoryLimits.check(application.rawValue, "app", limit: HistoryLimits.application)
        try HistoryLimits.check(item, "item", limit: HistoryLimits.item)
        let info: String
        do {
            info = try Stored.json(self.info)
        } catch {
            throw HistoryError(
                .invalidInput, localized("the now-playing info cannot be written"), underlying: error)
        }
        try HistoryLimits.check(info, localized("now-playing info"), limit: HistoryLimits.nowPlaying)
        try date.check(now: now)
    }

    /// Inserts the row, replacing that of the same device and app.
    package func insert(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO resumePoint VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                device, application, item, try Stored.json(info), pausedByDisconnect, date.milliseconds,
            ])
    }

    package static func trim(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM resumePoint WHERE (device, application) IN (
                    SELECT device, application FROM resumePoint ORDER BY date DESC, device LIMIT -1 OFFSET ?)
                """, arguments: [HistoryLimits.resumePoints])
    }
}
