internal import History
internal import FoundationEssentials
internal import GRDB
internal import HunchModel

/// The lines of each type, with the keys that ``ExportLine`` documents.
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
        let switches: [String: Bool]?
    }

    struct Exclusion: Codable {
        var type = "exclusion"
        let app: AppID
    }

    struct Script: Codable {
        var type = "script"
        let name: String
    }

    struct Reader: Codable {
        var type = "reader"
        let app: AppID
    }

    struct PlaceAccessLine: Codable {
        var type = "placeAccess"
        let app: AppID
        let allowed: Bool

        /// Whether the user has decided so already.
        func isDecision(in known: [AppID: Bool]) -> Bool { known[app] == allowed }
    }

    struct DevicePolicyLine: Codable {
        var type = "devicePolicy"
        let device: AudioDevice.ID
        let policy: DevicePolicy
    }

    struct OwnPlaceLine: Codable {
        var type = "ownPlace"
        let name: String
        let place: MapItem
    }

    struct AnnouncementLine: Codable {
        var type = "announcement"
        let app: AppID
        let list: String
        let item: Announcement
        let date: String
    }

    struct EngagementLine: Codable {
        var type = "engagement"
        let suggestion: String
        let app: AppID
        let kind, outcome, date: String
        let context: Context?
        let subject: SuggestionSubject?
        let requested, pardoned: Bool?
        let item: SuggestedItem?
    }

    struct ResumePointLine: Codable {
        var type = "resumePoint"
        let device: AudioDevice.ID
        let app: AppID
        let item: String?
        let info: NowPlayingInfo
        let pausedByDisconnect: Bool
        let date: String
    }

    struct SeenPlaceLine: Codable {
        var type = "seenPlace"
        let app: AppID
        let place: MapItem
        let content, related, group: String?
        let date: String
        let offered: String?
        let reservation: ReservationLine?
    }

    struct ReservationLine: Codable {
        let title, start: String
        let end: String?
        let allDay: Bool?
        let url, reservation, booking: String?
    }

    struct MutedPairLine: Codable {
        var type = "mutedPair"
        let trigger: String
        let app: AppID
        let kind: String?
        let subject: SuggestionSubject?
        let date: String
    }

    struct PlaceLine: Codable {
        var type = "place"
        let number: Int
        let word: String
        let latitude, longitude: Double
        let date: String
    }

    struct StayLine: Codable {
        var type = "stay"
        let place: Int
        let begin, end: String
    }

    struct End: Codable {
        var type = "end"
        let lines: Int
    }

    static func text(of date: Date) -> String { text(of: date.milliseconds) }
}

extension ExportLine.Settings {
    init(_ settings: HistorySettings) {
        self.init(
            enabled: settings.isEnabled, pausedUntil: settings.pausedUntil.map(ExportLine.text),
            retentionDays: settings.retentionDays,
            categories: Dictionary(
                uniqueKeysWithValues: PrivacyCategory.allCases.map {
                    ($0.rawValue, settings.allowedCategories.contains($0))
                }),
            switches: Dictionary(
                uniqueKeysWithValues: UserSetting.allCases.map { ($0.rawValue, settings.switchedOn.contains($0)) }))
    }
}

extension ExportLine.AnnouncementLine {
    init?(_ row: Row) {
        guard let application: AppID = row.identifier("application"), let list = row.text("list"),
            let date = row.date("date"),
            let item = row.text("item").flatMap({ Stored.value(Announcement.self, json: $0) })
        else { return nil }
        self.init(app: application, list: list, item: item, date: ExportLine.text(of: date))
    }
}

extension ExportLine.EngagementLine {
    init(_ engagement: Engagement) {
        self.init(
            suggestion: engagement.suggestion, app: engagement.application, kind: engagement.kind.rawValue,
            outcome: engagement.outcome.rawValue, date: ExportLine.text(of: engagement.date),
            context: engagement.context == Context() ? nil : engagement.context, subject: engagement.subject,
            requested: engagement.wasRequested ? true : nil, pardoned: engagement.isPardoned ? true : nil,
            // Once for each suggestion: they all begin with it.
            item: engagement.outcome == .shown ? engagement.item : nil)
    }
}

extension ExportLine.ResumePointLine {
    init(_ point: ResumePoint) {
        self.init(
            device: point.device, app: point.application, item: point.item, info: point.info,
            pausedByDisconnect: point.pausedByDisconnect, date: ExportLine.text(of: point.date))
    }
}

extension ExportLine.SeenPlaceLine {
    init(_ place: SeenPlace) {
        self.init(
            app: place.application, place: place.place, content: place.content, related: place.related,
            group: place.group, date: ExportLine.text(of: place.date), offered: place.offered.map(ExportLine.text),
            reservation: place.reservation.map(ExportLine.ReservationLine.init))
    }
}

extension ExportLine.ReservationLine {
    init(_ event: CalendarEvent) {
        self.init(
            title: event.title, start: ExportLine.text(of: event.start), end: event.end.map(ExportLine.text),
            allDay: event.isAllDay ? true : nil, url: event.webPageURL, reservation: event.reservation,
            booking: event.booking)
    }

    /// Returns the reservation.
    ///
    /// - Throws: `HistoryError` for a text that is not a date.
    func event() throws(HistoryError) -> CalendarEvent {
        CalendarEvent(
            title: title, start: try ExportLine.date(start),
            end: try end.map { text throws(HistoryError) in try ExportLine.date(text) },
            isAllDay: allDay ?? false, webPageURL: url, reservation: reservation, booking: booking)
    }
}

extension ExportLine.MutedPairLine {
    init(_ pair: MutedPair) {
        self.init(
            trigger: pair.storedTrigger, app: pair.application, kind: pair.pair.kind.rawValue,
            subject: pair.pair.subject, date: ExportLine.text(of: pair.date))
    }
}

extension ExportLine.PlaceLine {
    init(_ place: KnownPlace) {
        self.init(
            number: place.number, word: place.word, latitude: place.coordinate.latitude,
            longitude: place.coordinate.longitude, date: ExportLine.text(of: place.date))
    }
}

extension ExportLine.StayLine {
    init(_ stay: Stay) {
        self.init(
            place: stay.place, begin: ExportLine.text(of: stay.begin), end: ExportLine.text(of: stay.end))
    }
}
