internal import History
internal import FoundationEssentials
internal import GRDB
internal import HunchModel
internal import Localization

/// The import of the user's settings.
extension HistoryImport {
    mutating func take(_ line: ExportLine.Settings, _ db: Database) throws -> Bool {
        let before = settings
        guard HistoryLimits.retentionDays.contains(line.retentionDays) else {
            throw HistoryError.invalidInput(localized("“retentionDays” is outside %1", HistoryLimits.retentionDays))
        }
        let days = min(line.retentionDays, before.retentionDays)
        try HistoryStore.set(HistorySettings.retentionName, to: "\(days)", db)
        for category in PrivacyCategory.allCases where line.categories[category.rawValue] == false {
            try HistoryStore.set(HistorySettings.categoryName(category), to: nil, db)
        }
        let switches = line.switches ?? [:]
        for setting in UserSetting.allCases where switches[setting.rawValue] == false {
            try HistoryStore.set(setting.rawValue, to: nil, db)
        }
        settings = try HistorySettings(db)
        oldest = try HistoryStore.oldestKept(settings, now: now, db)
        let isWider =
            line.retentionDays > before.retentionDays
            || UserSetting.allCases.contains { switches[$0.rawValue] == true && !before.switchedOn.contains($0) }
            || PrivacyCategory.allCases.contains {
                line.categories[$0.rawValue] == true && !before.allowedCategories.contains($0)
            }
        if isWider { receipt.permissions += 1 }
        if settings != before { return true }
        return isWider ? false : isKnown()
    }

    mutating func take(_ line: ExportLine.Exclusion, _ db: Database) throws -> Bool {
        try HistoryLimits.check(line.app.rawValue, "app", limit: HistoryLimits.application)
        guard try NameList.exclusions.set(line.app, isListed: true, db) else { return isKnown() }
        excluded.insert(line.app)
        return true
    }

    mutating func take(_ line: ExportLine.DevicePolicyLine, _ db: Database) throws -> Bool {
        try HistoryLimits.check(line.device.rawValue, "device", limit: HistoryLimits.circumstance)
        guard try HistoryStore.policies(db)[line.device] == nil else { return isKnown() }
        try HistoryStore.insert(line.policy, of: line.device, db)
        return true
    }
}

extension HistoryImport {
    mutating func take(_ line: ExportLine.OwnPlaceLine, _ db: Database) throws -> Bool {
        try HistoryLimits.check(line.name, localized("name of a place"), limit: HistoryLimits.ownPlaceName)
        guard try HistoryStore.ownPlaces(db)[line.name] == nil else { return isKnown() }
        return try HistoryStore.insert(line.place, named: line.name, db)
    }
}

/// The import of recorded rows.
extension HistoryImport {
    /// Imports a row unless it is withheld, too old or already exists. Returns whether it was imported.
    ///
    /// - Parameter isThere: a query for an existing row, or `nil` if there can be none.
    private mutating func take(
        _ row: some Recordable, _ db: Database,
        unless isThere: (sql: String, arguments: () throws -> StatementArguments)?
    ) throws -> Bool {
        try row.check(now: now)
        guard !isWithheld(row.application, row.withheldAs), !isTooOld(row.date) else { return false }
        if let isThere {
            let query = try db.cachedStatement(sql: isThere.sql)
            if try Int.fetchOne(query, arguments: isThere.arguments()) != nil { return isKnown() }
        }
        try row.insert(db)
        return true
    }

    mutating func take(_ line: ExportLine.DonationLine, _ db: Database) throws -> Bool {
        let donation = try Donation(line)
        let last = lastDonation
        guard last > 0 else { return try take(donation, db, unless: nil) }
        let sql = "SELECT 1 FROM donation WHERE action = ? AND date = ? AND identifier IS ? AND id <= ? LIMIT 1"
        return try take(
            donation, db,
            unless: (
                sql,
                {
                    [
                        try HistoryStore.action(of: donation, db), donation.date.milliseconds,
                        donation.identifier, last,
                    ]
                }
            ))
    }

    mutating func take(_ line: ExportLine.EngagementLine, _ db: Database) throws -> Bool {
        guard let outcome = Engagement.Outcome(rawValue: line.outcome) else {
            throw HistoryError.invalidInput(localized("“%1” is unknown", "outcome"))
        }
        var read = Engagement(
            suggestion: line.suggestion, application: line.app, kind: Suggestion.Kind(rawValue: line.kind),
            outcome: outcome,
            date: try ExportLine.date(line.date), context: line.context ?? Context(), subject: line.subject,
            wasRequested: line.requested ?? false, item: line.item)
        read.isPardoned = line.pardoned ?? false
        let engagement = read
        let last = lastEngagement
        guard last > 0 else { return try take(engagement, db, unless: nil) }
        let sql = "SELECT 1 FROM engagement WHERE date = ? AND suggestion = ? AND outcome = ? AND id <= ? LIMIT 1"
        return try take(
            engagement, db,
            unless: (
                sql,
                {
                    [engagement.date.milliseconds, engagement.suggestion, outcome.rawValue, last]
                }
            ))
    }

    mutating func take(_ line: ExportLine.ResumePointLine, _ db: Database) throws -> Bool {
        let point = ResumePoint(
            device: line.device, application: line.app, item: line.item, info: line.info,
            pausedByDisconnect: line.pausedByDisconnect, date: try ExportLine.date(line.date))
        let sql = "SELECT 1 FROM resumePoint WHERE device = ? AND application = ? AND date >= ?"
        return try take(
            point, db, unless: (sql, { [point.device, point.application, point.date.milliseconds] }))
    }

    mutating func take(_ line: ExportLine.SeenPlaceLine, _ db: Database) throws -> Bool {
        let place = SeenPlace(
            application: line.app, place: line.place, content: line.content, related: line.related,
            group: line.group, date: try ExportLine.date(line.date), offered: try line.offered.map(ExportLine.date),
            reservation: settings.allowedCategories.contains(.calendar) ? try line.reservation?.event() : nil)
        let sql = "SELECT 1 FROM seenPlace WHERE application = ? AND key = ? AND date >= ?"
        return try take(place, db, unless: (sql, { [place.application, place.key, place.date.milliseconds] }))
    }

    mutating func take(_ line: ExportLine.MutedPairLine, _ db: Database) throws -> Bool {
        // An earlier version wrote it, whose mutes of pages and appointments applied to all of them.
        if line.kind == nil, line.trigger == Trigger.appointment.description || line.trigger.hasPrefix("activity:") {
            return isKnown()
        }
        let pair = MutedPair(
            SuggestionPair(
                trigger: line.trigger.isEmpty ? nil : Trigger(line.trigger), application: line.app,
                kind: line.kind.map(Suggestion.Kind.init) ?? .media, subject: line.subject),
            date: try ExportLine.date(line.date))
        try pair.check()
        let known = try Int.fetchOne(
            db,
            sql: "SELECT 1 FROM mutedPair WHERE trigger = ? AND application = ? AND kind = ? AND subject = ?",
            arguments: pair.pair.key)
        guard known == nil else { return isKnown() }
        try HistoryStore.insert(pair, db)
        return true
    }

    mutating func take(_ line: ExportLine.PlaceLine, _ db: Database) throws -> Bool {
        guard let coordinate = try? Coordinate(latitude: line.latitude, longitude: line.longitude) else {
            throw HistoryError.invalidInput(localized("“latitude” or “longitude” is out of range"))
        }
        let place = KnownPlace(
            number: line.number, coordinate: coordinate, word: line.word, date: try ExportLine.date(line.date))
        try place.check(now: now)
        guard try mayTakeStays() else { return false }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM place") ?? 0 < HistoryLimits.places else {
            throw HistoryError.invalidInput(localized("at most %1 places are kept", HistoryLimits.places))
        }
        guard try Int.fetchOne(db, sql: "SELECT 1 FROM place WHERE number = ?", arguments: [place.number]) == nil else {
            throw HistoryError.invalidInput(localized("two places have the number %1", place.number))
        }
        try HistoryStore.insert(place, db)
        return true
    }

    mutating func take(_ line: ExportLine.StayLine, _ db: Database) throws -> Bool {
        let stay = Stay(
            place: line.place, begin: try ExportLine.date(line.begin), end: try ExportLine.date(line.end))
        try stay.check(now: now)
        guard try mayTakeStays(), !isTooOld(stay.end) else { return false }
        try HistoryStore.insert(stay, db)
        return true
    }

    private mutating func mayTakeStays() throws -> Bool {
        if hadPlaces { return isKnown() }
        guard settings.allowedCategories.contains(.location) else {
            receipt.withheld += 1
            return false
        }
        return true
    }

    mutating func take(_ line: ExportLine.AnnouncementLine, _ db: Database) throws -> Bool {
        guard let list = Announcement.List(rawValue: line.list) else {
            throw HistoryError.invalidInput(localized("“%1” is unknown", "list"))
        }
        try HistoryLimits.check(line.app.rawValue, "app", limit: HistoryLimits.application)
        try line.item.check()
        let date = try ExportLine.date(line.date)
        try date.check(now: now)
        guard !isWithheld(line.app, Donation.Kind.playMedia.rawValue), !isTooOld(date) else { return false }
        let key = "\(list.rawValue) \(line.app)"
        guard !announced.contains(key) else { return isKnown() }
        let position = positions[key, default: 0]
        guard position < HistoryLimits.announcements else {
            throw HistoryError.invalidInput(
                localized("an app announces at most %1 items in a list", HistoryLimits.announcements))
        }
        positions[key] = position + 1
        try HistoryStore.insert(
            line.item, at: position, of: list, line.app, date: date.milliseconds, db)
        return true
    }
}
