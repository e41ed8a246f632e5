public import FoundationEssentials
internal import GRDB
public import HunchModel

extension HistoryStore {
    /// The next lines of an export, as ``ExportLine`` has them.
    ///
    /// Each page is read by itself, so that a reader that takes its time keeps nothing from being forgotten.
    ///
    /// - Parameters:
    ///   - cursor: where the export stands; moves on.
    ///   - limit: the most rows in a page.
    ///   - now: told in the first line.
    /// - Returns: whole lines in UTF-8; `nil` after the last.
    public func exportPage(
        _ cursor: inout ExportCursor, limit: Int = 256, now: Date
    ) throws(HistoryError) -> [UInt8]? {
        var next = cursor
        let page = try read { db -> [UInt8]? in
            var writer = LineWriter()
            while writer.lines == 0 {
                switch next.section {
                case .head:
                    try Self.writeHead(db, now, &writer)
                    next.beginNextSection()
                case .donations: try Self.writeDonations(db, &next, max(limit, 1), &writer)
                case .engagements: try Self.writeEngagements(db, &next, max(limit, 1), &writer)
                case .resumePoints: try Self.writeResumePoints(db, &next, max(limit, 1), &writer)
                case .mutedPairs:
                    try Self.writeMutedPairs(db, &writer)
                    next.beginNextSection()
                case .announcements:
                    try Self.writeAnnouncements(db, &writer)
                    next.beginNextSection()
                case .seenPlaces:
                    try Self.writeSeenPlaces(db, &writer)
                    next.beginNextSection()
                case .whereabouts:
                    try Self.writeWhereabouts(db, &writer)
                    next.beginNextSection()
                case .end:
                    guard next.lines >= 0 else { return nil }
                    try writer.add(ExportLine.End(lines: next.lines))
                    next.lines = -1
                    return writer.bytes
                }
            }
            next.lines += writer.lines
            return writer.bytes
        }
        cursor = next
        return page
    }

    private static func writeHead(_ db: Database, _ now: Date, _ writer: inout LineWriter) throws {
        let settings = try HistorySettings(db)
        try writer.add(ExportLine.Export(date: ExportLine.text(of: Stored.milliseconds(now))))
        try writer.add(
            ExportLine.Settings(
                enabled: settings.isEnabled,
                pausedUntil: settings.pausedUntil.map { ExportLine.text(of: Stored.milliseconds($0)) },
                retentionDays: settings.retentionDays,
                categories: Dictionary(
                    uniqueKeysWithValues: PrivacyCategory.allCases.map {
                        ($0.rawValue, settings.allowedCategories.contains($0))
                    })))
        for application in try exclusions(db).sorted() {
            try writer.add(ExportLine.Exclusion(application: application))
        }
        for name in try scripts(db).sorted() { try writer.add(ExportLine.Script(name: name)) }
        for application in try readers(db).sorted() { try writer.add(ExportLine.Reader(application: application)) }
        for (device, policy) in try policies(db).sorted(by: { $0.key < $1.key }) {
            try writer.add(ExportLine.DevicePolicyLine(device: device, policy: policy))
        }
    }

    private static func writeDonations(
        _ db: Database, _ cursor: inout ExportCursor, _ limit: Int, _ writer: inout LineWriter
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT donation.id AS id, app.text AS application, action.kind AS kind, action.parameters AS parameters,
                    action.combination AS combination, donation.date AS date, trigger.text AS trigger,
                    device.text AS device, hour, weekday, identifier, "group".text AS "group", further.text AS further
                FROM donation JOIN action ON action.id = donation.action JOIN word AS app ON app.id = action.application
                    LEFT JOIN word AS trigger ON trigger.id = donation.trigger
                    LEFT JOIN word AS device ON device.id = donation.device
                    LEFT JOIN word AS "group" ON "group".id = donation."group"
                    LEFT JOIN word AS further ON further.id = donation.further
                WHERE donation.id > ? ORDER BY donation.id LIMIT ?
                """, arguments: [cursor.row, limit])
        for row in rows {
            cursor.row = row.integer("id") ?? cursor.row
            // What cannot be read, as in a file whose bytes changed, is passed over; the others still count.
            guard let application = row.text("application"), let kind = row.text("kind"),
                let date = row.integer("date"), let json = row.text("parameters"),
                let parameters = Stored.value([String: String].self, json: json)
            else { continue }
            let context = Context(row: row)
            let combination = row.text("combination").flatMap { Stored.value([String].self, json: $0) }
            try writer.add(
                ExportLine.DonationLine(
                    application: application, kind: kind, parameters: parameters,
                    combination: ExportLine.DonationLine.combination(combination, of: parameters),
                    date: ExportLine.text(of: date),
                    context: context == Context() ? nil : context, identifier: row.text("identifier"),
                    group: row.text("group")))
        }
        if rows.count < limit { cursor.beginNextSection() }
    }

    private static func writeEngagements(
        _ db: Database, _ cursor: inout ExportCursor, _ limit: Int, _ writer: inout LineWriter
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT engagement.id AS id, suggestion, app.text AS application, kind, outcome, date,
                    trigger.text AS trigger, device.text AS device, hour, weekday, further.text AS further
                FROM engagement JOIN word AS app ON app.id = engagement.application
                    LEFT JOIN word AS trigger ON trigger.id = engagement.trigger
                    LEFT JOIN word AS device ON device.id = engagement.device
                    LEFT JOIN word AS further ON further.id = engagement.further
                WHERE engagement.id > ? ORDER BY engagement.id LIMIT ?
                """, arguments: [cursor.row, limit])
        for row in rows {
            cursor.row = row.integer("id") ?? cursor.row
            guard let suggestion = row.text("suggestion"), let application = row.text("application"),
                let kind = row.text("kind"), let outcome = row.text("outcome"), let date = row.integer("date")
            else { continue }
            let context = Context(row: row)
            try writer.add(
                ExportLine.EngagementLine(
                    suggestion: suggestion, application: application, kind: kind, outcome: outcome,
                    date: ExportLine.text(of: date), context: context == Context() ? nil : context))
        }
        if rows.count < limit { cursor.beginNextSection() }
    }

    private static func writeResumePoints(
        _ db: Database, _ cursor: inout ExportCursor, _ limit: Int, _ writer: inout LineWriter
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM resumePoint WHERE (device, application) > (?, ?) ORDER BY device, application LIMIT ?
                """, arguments: [cursor.device, cursor.application, limit])
        for row in rows {
            guard let device = row.text("device"), let application = row.text("application") else { continue }
            (cursor.device, cursor.application) = (device, application)
            guard let date = row.integer("date"), let json = row.text("info"),
                let info = Stored.value(NowPlayingInfo.self, json: json)
            else { continue }
            try writer.add(
                ExportLine.ResumePointLine(
                    device: device, application: application, item: row.text("item"), info: info,
                    pausedByDisconnect: row.integer("pausedByDisconnect") == 1, date: ExportLine.text(of: date)))
        }
        if rows.count < limit { cursor.beginNextSection() }
    }

    private static func writeMutedPairs(_ db: Database, _ writer: inout LineWriter) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT trigger, application, date FROM mutedPair ORDER BY trigger, application")
        for row in rows {
            guard let trigger = row.text("trigger"), let application = row.text("application"),
                let date = row.integer("date")
            else { continue }
            try writer.add(
                ExportLine.MutedPairLine(
                    trigger: trigger, application: application, date: ExportLine.text(of: date)))
        }
    }
}

extension HistoryStore {
    private static func writeAnnouncements(_ db: Database, _ writer: inout LineWriter) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT application, list, item, date FROM announcement ORDER BY list, application, position")
        for row in rows {
            guard let application = row.text("application"), let list = row.text("list"),
                let date = row.integer("date"),
                let item = row.text("item").flatMap({ Stored.value(Announcement.self, json: $0) })
            else { continue }
            try writer.add(
                ExportLine.AnnouncementLine(
                    application: application, list: list, item: item, date: ExportLine.text(of: date)))
        }
    }

    private static func writeSeenPlaces(_ db: Database, _ writer: inout LineWriter) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM seenPlace ORDER BY date, application, key")
        for place in rows.compactMap(seenPlace) {
            try writer.add(
                ExportLine.SeenPlaceLine(
                    application: place.application, place: place.place, content: place.content, related: place.related,
                    group: place.group, date: ExportLine.text(of: Stored.milliseconds(place.date)),
                    offered: place.offered.map { ExportLine.text(of: Stored.milliseconds($0)) }))
        }
    }
}

/// Gathers the lines of a page.
struct LineWriter {
    var bytes: [UInt8] = []
    var lines = 0

    mutating func add(_ line: some Encodable) throws {
        bytes += Array(ExportLine.harmless(try Stored.json(line)).utf8)
        bytes.append(UInt8(ascii: "\n"))
        lines += 1
    }
}

/// The lines of each type, with the keys that ``ExportLine`` tells.
extension ExportLine {
    struct Export: Codable {
        var type = "export"
        var version = ExportLine.version
        let date: String
    }

    struct Settings: Codable {
        var type = "settings"
        let enabled: Bool
        let pausedUntil: String?
        let retentionDays: Int
        let categories: [String: Bool]
    }

    struct Exclusion: Codable {
        var type = "exclusion"
        let application: String
    }

    struct Script: Codable {
        var type = "script"
        let name: String
    }

    struct Reader: Codable {
        var type = "reader"
        let application: String
    }

    struct DevicePolicyLine: Codable {
        var type = "devicePolicy"
        let device: String
        let policy: DevicePolicy
    }

    struct AnnouncementLine: Codable {
        var type = "announcement"
        let application, list: String
        let item: Announcement
        let date: String
    }

    struct EngagementLine: Codable {
        var type = "engagement"
        let suggestion, application, kind, outcome, date: String
        let context: Context?
    }

    struct ResumePointLine: Codable {
        var type = "resumePoint"
        let device, application: String
        let item: String?
        let info: NowPlayingInfo
        let pausedByDisconnect: Bool
        let date: String
    }

    struct SeenPlaceLine: Codable {
        var type = "seenPlace"
        let application: String
        let place: MapItem
        let content, related, group: String?
        let date: String
        let offered: String?
    }

    struct MutedPairLine: Codable {
        var type = "mutedPair"
        let trigger, application, date: String
    }

    struct End: Codable {
        var type = "end"
        let lines: Int
    }
}
