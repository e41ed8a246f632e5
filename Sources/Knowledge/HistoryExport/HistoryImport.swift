internal import History
internal import FoundationEssentials
internal import GRDB
internal import HunchModel
internal import Localization

/// The state of an import.
struct HistoryImport {
    var receipt = ImportReceipt()
    let now: Date
    var settings: HistorySettings
    /// The date before which nothing is kept.
    var oldest: Date
    var excluded: Set<AppID>
    private var lines = 0
    private var isWhole = false
    /// The last row numbers before the import. Rows from the file itself do not count as existing.
    let lastDonation, lastEngagement: Int64
    /// The lists that apps announced before, as `LIST APPLICATION`.
    let announced: Set<String>
    var positions: [String: Int] = [:]
    /// Whether there were known places of the user before. Their numbers would conflict with those of the file.
    let hadPlaces: Bool

    private struct Head: Decodable { let type: String }

    init(_ db: Database, now: Date, _ veto: RecordingVeto?) throws {
        self.now = now
        settings = try HistorySettings(db)
        oldest = try HistoryStore.oldestKept(settings, now: now, db)
        excluded = try NameList.exclusions.names(db)
        let reason: String? =
            switch settings.refusal(at: now) {
            case nil: veto?.description
            case .paused?: localized("Hunch is paused; “hunch unpause” ends that")
            default: localized("Hunch is off; “hunch enable” switches it on")
            }
        if let reason {
            throw HistoryError(
                .notRecording, localized("nothing is recorded now, so nothing was imported: %1", reason))
        }
        func last(_ table: String) throws -> Int64 {
            try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        }
        (lastDonation, lastEngagement) = (try last("donation"), try last("engagement"))
        hadPlaces = try Int64.fetchOne(db, sql: "SELECT 1 FROM place LIMIT 1") != nil
        announced = Set(
            try String.fetchAll(db, sql: "SELECT DISTINCT list || ' ' || application FROM announcement"))
    }

    /// Returns the receipt after the last line. Places without stays were removed and count as too old.
    func finished(_ db: Database) throws -> ImportReceipt {
        var receipt = receipt
        guard let places = receipt.taken["place"], !hadPlaces else { return receipt }
        let kept = try Int.fetchOne(db, sql: "SELECT count(*) FROM place") ?? 0
        receipt.taken["place"] = kept > 0 ? kept : nil
        receipt.tooOld += places - kept
        return receipt
    }

    func checkIsWhole() throws(HistoryError) {
        guard isWhole else {
            throw .invalidInput(localized("the last line is missing, so the export was cut short"))
        }
    }

    /// Imports a line.
    ///
    /// - Throws: ``HistoryError`` for an invalid line, `DatabaseError`, or the error of the decoder.
    mutating func take(_ line: Data, _ db: Database) throws {
        let type = try JSONDecoder().decode(Head.self, from: line).type
        guard !isWhole else {
            throw HistoryError.invalidInput(localized("it comes after the line of the type “end”"))
        }
        guard (type == "export") == (lines == 0) else {
            throw HistoryError.invalidInput(localized("an export must begin with one line of the type “export”"))
        }
        if type == "end" {
            guard try decode(ExportLine.End.self, line).lines == lines else {
                throw HistoryError.invalidInput(
                    localized("the last line does not state %1, the number of lines before it", lines))
            }
            isWhole = true
            return
        }
        lines += 1
        if type == "export" {
            guard try decode(ExportLine.Export.self, line).version <= ExportLine.version else {
                throw HistoryError.invalidInput(localized("the export is of a newer version of Hunch; update Hunch"))
            }
            return
        }
        if try takeRow(type, line, db) { receipt.taken[type, default: 0] += 1 }
    }

    /// Imports a row and returns whether it did. Every exported table needs a case here.
    private mutating func takeRow(_ type: String, _ line: Data, _ db: Database) throws -> Bool {
        switch type {
        case "settings": try take(decode(ExportLine.Settings.self, line), db)
        case "exclusion": try take(decode(ExportLine.Exclusion.self, line), db)
        case "script": try isAllowed(NameList.scripts.names(db).contains(decode(ExportLine.Script.self, line).name))
        case "reader":
            try isAllowed(NameList.readers.names(db).contains(decode(ExportLine.Reader.self, line).app))
        case "placeAccess":
            try isAllowed(decode(ExportLine.PlaceAccessLine.self, line).isDecision(in: HistoryStore.placeAccess(db)))
        case "devicePolicy": try take(decode(ExportLine.DevicePolicyLine.self, line), db)
        case "ownPlace": try take(decode(ExportLine.OwnPlaceLine.self, line), db)
        case "donation": try take(decode(ExportLine.DonationLine.self, line), db)
        case "engagement": try take(decode(ExportLine.EngagementLine.self, line), db)
        case "resumePoint": try take(decode(ExportLine.ResumePointLine.self, line), db)
        case "mutedPair": try take(decode(ExportLine.MutedPairLine.self, line), db)
        case "announcement": try take(decode(ExportLine.AnnouncementLine.self, line), db)
        case "place": try take(decode(ExportLine.PlaceLine.self, line), db)
        case "stay": try take(decode(ExportLine.StayLine.self, line), db)
        case "seenPlace": try take(decode(ExportLine.SeenPlaceLine.self, line), db)
        case "item", "opened": isContent()
        default: isUnknown()
        }
    }

    private enum AppKey: CodingKey { case app }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        // The name in older exports.
        decoder.keyDecodingStrategy = .custom { path in
            path.count == 1 && path[0].stringValue == "application" ? AppKey.app : path[path.count - 1]
        }
        return decoder
    }()

    private func decode<Line: Decodable>(_ type: Line.Type, _ line: Data) throws -> Line {
        try Self.decoder.decode(type, from: line)
    }

    // MARK: Outcomes of a row

    private mutating func isUnknown() -> Bool {
        receipt.unknown += 1
        return false
    }

    private mutating func isContent() -> Bool {
        receipt.content += 1
        return false
    }

    mutating func isKnown() -> Bool {
        receipt.known += 1
        return false
    }

    /// Counts a permission as existing or skipped. A file never grants one.
    private mutating func isAllowed(_ isAllowed: Bool) -> Bool {
        if isAllowed { return isKnown() }
        receipt.permissions += 1
        return false
    }

    /// Returns whether a row is older than the retention period, and counts it.
    mutating func isTooOld(_ date: Date) -> Bool {
        guard date.milliseconds < oldest.milliseconds else { return false }
        receipt.tooOld += 1
        return true
    }

    /// Returns whether a row of an app and a kind is withheld, and counts it.
    mutating func isWithheld(_ application: AppID, _ kind: String) -> Bool {
        guard settings.reasonToWithhold(application, kind, excluded) != nil else { return false }
        receipt.withheld += 1
        return true
    }
}
