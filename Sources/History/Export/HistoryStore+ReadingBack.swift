public import FoundationEssentials
internal import GRDB
public import HunchModel

extension HistoryStore {
    /// Takes a whole export in, in one transaction: all of it or nothing.
    ///
    /// Afterwards an export of a history that was empty before has the same lines again, but for these: whether Hunch is on
    /// and whether it is paused stay as they are; permissions are not taken, since only the person gives them: of scripts and
    /// apps, to record a category, or to keep longer; and rows of apps that are excluded, and of kinds that are not
    /// recorded, are left out. What is there already is not taken twice:
    /// a donation with the same action, date and identifier, an engagement with the same suggestion, outcome and date, the
    /// newer one of two resume points, a muted pair, and whatever the app has announced in the same list since. Places
    /// where the person stays, and stays there, are only taken where none was known before.
    ///
    /// - Parameters:
    ///   - descriptor: of a file that ``exportPage(_:limit:now:)`` has written, read from its beginning; stays open.
    ///   - now: the clock, for pauses and to refuse dates more than a day ahead.
    /// - Throws: ``HistoryError`` `notRecording` when nothing is recorded now; `invalidInput` with the number of the line for
    ///   one that is broken, and for an export that is not whole. Nothing was taken then.
    public func readBack(from descriptor: CInt, now: Date) throws(HistoryError) -> ReadBackReceipt {
        var file = try ExportFile(descriptor)
        return try write { db in
            var reading = try ReadingBack(db, now: now, withheld: withholdingReason)
            var number = 1
            do throws(HistoryError) {
                while let line = try file.next() {
                    do {
                        try reading.take(line, db)
                    } catch let error as DatabaseError {
                        throw HistoryError(error, path: path)
                    } catch let error as HistoryError {
                        throw error
                    } catch {
                        throw .invalidInput("it is not a JSON object with the keys of its type")
                    }
                    number += 1
                }
                try reading.checkIsWhole()
            } catch {
                guard error.code == .invalidInput else { throw error }
                throw HistoryError.invalidInput("line \(number): \(error.message); nothing was read back")
            }
            try Self.trim("donation", to: HistoryLimits.donations, db)
            try Self.trim("engagement", to: HistoryLimits.engagements, db)
            try Self.trimResumePoints(db)
            try Self.trimStays(db)
            return reading.receipt
        }
    }
}

/// Where reading an export back stands.
private struct ReadingBack {
    private(set) var receipt = ReadBackReceipt()
    private let now: Date
    private var settings: HistorySettings
    private var excluded: Set<String>
    private var lines = 0
    private var isWhole = false
    /// The last rows from before: what comes from the file itself is not there already.
    private let lastDonation, lastEngagement: Int64
    /// The lists that apps have announced before, as `LIST APPLICATION`.
    private let announced: Set<String>
    private var positions: [String: Int] = [:]
    /// Whether places where the person stays were known before: the numbers of others mean other places.
    private let hadPlaces: Bool

    private struct Head: Decodable { let type: String }

    init(_ db: Database, now: Date, withheld: String?) throws {
        self.now = now
        settings = try HistorySettings(db)
        excluded = try HistoryStore.exclusions(db)
        let reason: String? =
            switch settings.refusal(at: now) {
            case nil: withheld
            case .paused?: "Hunch is paused; “hunch resume” ends that"
            default: "Hunch is off; “hunch enable” switches it on"
            }
        if let reason {
            throw HistoryError(
                .notRecording, "nothing is recorded now, so nothing was read back: \(reason)")
        }
        func last(_ table: String) throws -> Int64 {
            try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        }
        (lastDonation, lastEngagement) = (try last("donation"), try last("engagement"))
        hadPlaces = try Int64.fetchOne(db, sql: "SELECT 1 FROM place LIMIT 1") != nil
        announced = Set(
            try String.fetchAll(db, sql: "SELECT DISTINCT list || ' ' || application FROM announcement"))
    }

    func checkIsWhole() throws(HistoryError) {
        guard isWhole else { throw .invalidInput("the last line is missing, so the export was cut short") }
    }

    /// Takes a line in.
    ///
    /// - Throws: ``HistoryError`` for what may not be, `DatabaseError`, and what the decoder throws.
    mutating func take(_ line: Data, _ db: Database) throws {
        let type = try JSONDecoder().decode(Head.self, from: line).type
        guard !isWhole else { throw HistoryError.invalidInput("it follows the last line of the export") }
        guard (type == "export") == (lines == 0) else {
            throw HistoryError.invalidInput("an export has one first line, of the type “export”")
        }
        if type == "end" {
            guard try decode(ExportLine.End.self, line).lines == lines else {
                throw HistoryError.invalidInput("\(lines) lines come before the last one, which tells another number")
            }
            isWhole = true
            return
        }
        lines += 1
        if type == "export" {
            guard try decode(ExportLine.Export.self, line).version <= ExportLine.version else {
                throw HistoryError.invalidInput("the export is of a newer version of Hunch; update Hunch")
            }
            return
        }
        if try takeRow(type, line, db) { receipt.taken[type, default: 0] += 1 }
    }

    /// Takes a row in, and tells whether it did. A table that is exported has its line here.
    private mutating func takeRow(_ type: String, _ line: Data, _ db: Database) throws -> Bool {
        switch type {
        case "settings": try take(decode(ExportLine.Settings.self, line), db)
        case "exclusion": try take(decode(ExportLine.Exclusion.self, line), db)
        case "script": try isAllowed(HistoryStore.scripts(db).contains(decode(ExportLine.Script.self, line).name))
        case "reader":
            try isAllowed(HistoryStore.readers(db).contains(decode(ExportLine.Reader.self, line).application))
        case "devicePolicy": try take(decode(ExportLine.DevicePolicyLine.self, line), db)
        case "donation": try take(decode(ExportLine.DonationLine.self, line), db)
        case "engagement": try take(decode(ExportLine.EngagementLine.self, line), db)
        case "resumePoint": try take(decode(ExportLine.ResumePointLine.self, line), db)
        case "mutedPair": try take(decode(ExportLine.MutedPairLine.self, line), db)
        case "announcement": try take(decode(ExportLine.AnnouncementLine.self, line), db)
        case "place": try take(decode(ExportLine.PlaceLine.self, line), db)
        case "stay": try take(decode(ExportLine.StayLine.self, line), db)
        case "seenPlace": try take(decode(ExportLine.SeenPlaceLine.self, line), db)
        default: isUnknown()
        }
    }

    private func decode<Line: Decodable>(_ type: Line.Type, _ line: Data) throws -> Line {
        try JSONDecoder().decode(type, from: line)
    }

    // MARK: What becomes of a row

    private mutating func isUnknown() -> Bool {
        receipt.unknown += 1
        return false
    }

    private mutating func isKnown() -> Bool {
        receipt.known += 1
        return false
    }

    /// Whether a permission is there already: no file gives one.
    private mutating func isAllowed(_ isAllowed: Bool) -> Bool {
        if isAllowed { return isKnown() }
        receipt.permissions += 1
        return false
    }

    private mutating func isWithheld(_ application: String, _ kind: String) -> Bool {
        guard settings.reasonToWithhold(application, kind, excluded) != nil else { return false }
        receipt.withheld += 1
        return true
    }

    // MARK: What the person set

    private mutating func take(_ line: ExportLine.Settings, _ db: Database) throws -> Bool {
        let before = settings
        guard HistoryLimits.retentionDays.contains(line.retentionDays) else {
            throw HistoryError.invalidInput("“retentionDays” is outside \(HistoryLimits.retentionDays)")
        }
        let days = min(line.retentionDays, before.retentionDays)
        try HistoryStore.set(HistorySettings.retentionName, to: "\(days)", db)
        for category in PrivacyCategory.allCases where line.categories[category.rawValue] == false {
            try HistoryStore.set(HistorySettings.categoryName(category), to: nil, db)
        }
        settings = try HistorySettings(db)
        let isWider =
            line.retentionDays > before.retentionDays
            || PrivacyCategory.allCases.contains {
                line.categories[$0.rawValue] == true && !before.allowedCategories.contains($0)
            }
        if isWider { receipt.permissions += 1 }
        if settings != before { return true }
        return isWider ? false : isKnown()
    }

    private mutating func take(_ line: ExportLine.Exclusion, _ db: Database) throws -> Bool {
        try HistoryLimits.check(line.application, "application", limit: HistoryLimits.application)
        guard !excluded.contains(line.application) else { return isKnown() }
        guard excluded.count < HistoryLimits.exclusions else {
            throw HistoryError.invalidInput("\(excluded.count) apps are excluded, which is the limit")
        }
        try db.execute(sql: "INSERT INTO exclusion VALUES (?)", arguments: [line.application])
        excluded.insert(line.application)
        return true
    }

    private mutating func take(_ line: ExportLine.DevicePolicyLine, _ db: Database) throws -> Bool {
        try HistoryLimits.check(line.device, "device", limit: HistoryLimits.circumstance)
        guard try HistoryStore.policies(db)[line.device] == nil else { return isKnown() }
        try HistoryStore.insert(line.policy, of: line.device, db)
        return true
    }

    // MARK: What was recorded

    private mutating func take(_ line: ExportLine.DonationLine, _ db: Database) throws -> Bool {
        let donation = try Donation(line)
        try donation.check(now: now)
        guard !isWithheld(donation.application, donation.kind.rawValue) else { return false }
        if lastDonation > 0 {
            let query = try db.cachedStatement(
                sql: "SELECT 1 FROM donation WHERE action = ? AND date = ? AND identifier IS ? AND id <= ? LIMIT 1")
            let key: StatementArguments = [
                try HistoryStore.action(of: donation, db), Stored.milliseconds(donation.date), donation.identifier,
                lastDonation,
            ]
            if try Int.fetchOne(query, arguments: key) != nil { return isKnown() }
        }
        try HistoryStore.insert(donation, db)
        return true
    }

    private mutating func take(_ line: ExportLine.EngagementLine, _ db: Database) throws -> Bool {
        guard let outcome = Engagement.Outcome(rawValue: line.outcome) else {
            throw HistoryError.invalidInput("“outcome” is none that is known")
        }
        let engagement = Engagement(
            suggestion: line.suggestion, application: line.application, kind: line.kind, outcome: outcome,
            date: try ExportLine.date(line.date), context: line.context ?? Context())
        try engagement.check(now: now)
        guard !isWithheld(engagement.application, engagement.kind) else { return false }
        if lastEngagement > 0 {
            let query = try db.cachedStatement(
                sql: "SELECT 1 FROM engagement WHERE date = ? AND suggestion = ? AND outcome = ? AND id <= ? LIMIT 1")
            let key: StatementArguments = [
                Stored.milliseconds(engagement.date), engagement.suggestion, outcome.rawValue, lastEngagement,
            ]
            if try Int.fetchOne(query, arguments: key) != nil { return isKnown() }
        }
        try HistoryStore.insert(engagement, db)
        return true
    }

    private mutating func take(_ line: ExportLine.ResumePointLine, _ db: Database) throws -> Bool {
        let point = ResumePoint(
            device: line.device, application: line.application, item: line.item, info: line.info,
            pausedByDisconnect: line.pausedByDisconnect, date: try ExportLine.date(line.date))
        try point.check(now: now)
        guard !isWithheld(point.application, "") else { return false }
        let newer = try Int.fetchOne(
            db, sql: "SELECT 1 FROM resumePoint WHERE device = ? AND application = ? AND date >= ?",
            arguments: [point.device, point.application, Stored.milliseconds(point.date)])
        guard newer == nil else { return isKnown() }
        try HistoryStore.insert(point, db)
        return true
    }

    private mutating func take(_ line: ExportLine.MutedPairLine, _ db: Database) throws -> Bool {
        let pair = MutedPair(
            trigger: line.trigger, application: line.application, date: try ExportLine.date(line.date))
        try pair.check()
        let known = try Int.fetchOne(
            db, sql: "SELECT 1 FROM mutedPair WHERE trigger = ? AND application = ?",
            arguments: [pair.trigger, pair.application])
        guard known == nil else { return isKnown() }
        try HistoryStore.insert(pair, db)
        return true
    }

    private mutating func take(_ line: ExportLine.SeenPlaceLine, _ db: Database) throws -> Bool {
        let place = SeenPlace(
            application: line.application, place: line.place, content: line.content, related: line.related,
            group: line.group, date: try ExportLine.date(line.date), offered: try line.offered.map(ExportLine.date))
        try place.check(now: now)
        guard !isWithheld(place.application, HistoryStore.seenPlaceKind) else { return false }
        let newer = try Int.fetchOne(
            db, sql: "SELECT 1 FROM seenPlace WHERE application = ? AND key = ? AND date >= ?",
            arguments: [place.application, place.key, Stored.milliseconds(place.date)])
        guard newer == nil else { return isKnown() }
        try HistoryStore.insert(place, db)
        return true
    }

    private mutating func take(_ line: ExportLine.PlaceLine, _ db: Database) throws -> Bool {
        guard let coordinate = try? Coordinate(latitude: line.latitude, longitude: line.longitude) else {
            throw HistoryError.invalidInput("“latitude” or “longitude” is out of range")
        }
        let place = KnownPlace(
            number: line.number, coordinate: coordinate, word: line.word, date: try ExportLine.date(line.date))
        try place.check(now: now)
        guard try mayTakeStays() else { return false }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM place") ?? 0 < HistoryLimits.places else {
            throw HistoryError.invalidInput("at most \(HistoryLimits.places) places are kept")
        }
        guard try Int.fetchOne(db, sql: "SELECT 1 FROM place WHERE number = ?", arguments: [place.number]) == nil else {
            throw HistoryError.invalidInput("two places have the number \(place.number)")
        }
        try HistoryStore.insert(place, db)
        return true
    }

    private mutating func take(_ line: ExportLine.StayLine, _ db: Database) throws -> Bool {
        let stay = Stay(
            place: line.place, begin: try ExportLine.date(line.begin), end: try ExportLine.date(line.end))
        try stay.check(now: now)
        guard try mayTakeStays() else { return false }
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

    private mutating func take(_ line: ExportLine.AnnouncementLine, _ db: Database) throws -> Bool {
        guard let list = Announcement.List(rawValue: line.list) else {
            throw HistoryError.invalidInput("“list” is none that is known")
        }
        try HistoryLimits.check(line.application, "application", limit: HistoryLimits.application)
        try line.item.check()
        let date = try ExportLine.date(line.date)
        try date.check(now: now)
        guard !isWithheld(line.application, Donation.Kind.playMedia.rawValue) else { return false }
        let key = "\(list.rawValue) \(line.application)"
        guard !announced.contains(key) else { return isKnown() }
        let position = positions[key, default: 0]
        guard position < HistoryLimits.announcements else {
            throw HistoryError.invalidInput(
                "an app announces at most \(HistoryLimits.announcements) items in a list")
        }
        positions[key] = position + 1
        try HistoryStore.insert(
            line.item, at: position, of: list, line.application, date: Stored.milliseconds(date), db)
        return true
    }
}
