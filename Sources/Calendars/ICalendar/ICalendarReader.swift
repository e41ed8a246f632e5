internal import CICal
package import FoundationEssentials
package import HunchModel

/// Reads the coming events of iCalendar texts (RFC 5545).
///
/// Only title, time, place, address and call of an event are read. Of its description, only the address of a call is.
package struct ICalendarReader {
    /// The maximum size of a text in bytes.
    package static let maximumSize = 10 << 20
    /// The maximum number of past occurrences that are counted for all texts of a reader together: about five seconds.
    private static let maximumSteps = 4_000_000
    private static let textLimit = 1_024

    /// The years that dates on the bus may have, 1970 to 9999.
    private static let years = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    private let start: Date
    private let end: Date
    private var steps = Self.maximumSteps

    /// - Parameters:
    ///   - start: the earliest start of an event.
    ///   - end: the date before which it starts.
    package init(from start: Date, until end: Date) {
        self.start = max(start, Self.years.lowerBound)
        self.end = min(end, Self.years.upperBound)
    }

    /// Returns the events of a text that begin within the time. Cancelled and declined ones are left out.
    ///
    /// - Parameters:
    ///   - text: one or several calendars, or events without one.
    ///   - addresses: the mail addresses of the person, in lower case, for declined invitations.
    package mutating func events(in text: String, of addresses: Set<String> = []) -> [CalendarEvent] {
        guard text.utf8.count <= Self.maximumSize, let component = ICalendarComponent(text) else { return [] }
        var series: [ICalendarEvent] = []
        var replacements: [String: [Date: ICalendarEvent]] = [:]
        var found: [CalendarEvent?] = []
        component.forEachEvent { event in
            guard let replaced = event.replacedStart else { return series.append(event) }
            replacements[event.uid, default: [:]][replaced] = event
            if let start = event.start, (self.start..<self.end).contains(start.date) {
                found.append(self.event(event, at: start.date, isAllDay: start.isDay, of: addresses))
            }
        }
        for event in series {
            let replaced = replacements[event.uid] ?? [:]
            // A change of all later occurrences moves them by the same time.
            let changes = replaced.filter { $0.value.replacesLaterOnes }.sorted { $0.key < $1.key }
            let moves = changes.compactMap { change in
                change.value.start.map {
                    (from: change.key, by: $0.date.timeIntervalSince(change.key), event: change.value)
                }
            }
            let widest = moves.map { abs($0.by) }.max() ?? 0
            let occurrences = event.starts(
                from: start.addingTimeInterval(-widest), until: end.addingTimeInterval(widest), steps: &steps)
            for occurrence in occurrences where replaced[occurrence.date] == nil {
                let move = moves.last { $0.from <= occurrence.date }
                let date = occurrence.date.addingTimeInterval(move?.by ?? 0)
                guard (start..<end).contains(date) else { continue }
                found.append(self.event(move?.event ?? event, at: date, isAllDay: occurrence.isDay, of: addresses))
            }
        }
        return found.compactMap(\.self)
    }

    private func event(
        _ event: ICalendarEvent, at start: Date, isAllDay: Bool, of addresses: Set<String>
    ) -> CalendarEvent? {
        guard !event.isCancelled, !event.isDeclined(by: addresses),
            // An event without a title is called by its place.
            let title = [ICAL_SUMMARY_PROPERTY, ICAL_LOCATION_PROPERTY].lazy.compactMap({
                event.text($0).flatMap(Self.line)
            })
            .first
        else { return nil }
        let location = event.text(ICAL_LOCATION_PROPERTY)
        let url = event.text(ICAL_URL_PROPERTY).flatMap { Self.isPage($0) ? $0 : nil }
        let meeting =
            event.values(named: MeetingLink.properties).map(\.value).first(where: Self.isPage)
            ?? [location, url, event.text(ICAL_DESCRIPTION_PROPERTY)].compactMap { $0.flatMap(MeetingLink.first) }.first
        return CalendarEvent(
            title: title, start: start, end: event.length.map { start.addingTimeInterval($0) }.flatMap(Self.valid),
            isAllDay: isAllDay, place: place(of: event, location), webPageURL: url == meeting ? nil : url,
            meetingURL: meeting)
    }

    private static func isPage(_ address: String) -> Bool {
        address.utf8.count <= Activity.Limit.url && WebAddress.host(of: address) != nil
    }

    private static func valid(_ date: Date) -> Date? { years.contains(date) ? date : nil }

    /// Returns the place of an event. Apple's programs write the position into a property of their own.
    private func place(of event: ICalendarEvent, _ location: String?) -> MapItem? {
        // The first line is the name, if an address follows.
        var lines = (location.map(MeetingLink.removingAddresses) ?? "").split(whereSeparator: \.isNewline)
            .compactMap { Self.line(String($0)) }
        let structured = event.values(named: ["X-APPLE-STRUCTURED-LOCATION"]).first
        let position = (structured?.value).flatMap(Self.coordinate) ?? event.coordinate
        let name = structured?.title.flatMap(Self.line) ?? (lines.count > 1 || position != nil ? lines.first : nil)
        if lines.first == name { lines = Array(lines.dropFirst()) }
        let query = lines.joined(separator: ", ").cut(toBytes: Self.textLimit)
        let place = MapItem(
            name: name, coordinate: position,
            query: position == nil ? (query.isEmpty ? name : query) : nil)
        return place == MapItem() ? nil : place
    }

    /// Returns the position of `geo:52.5,13.4`.
    private static func coordinate(_ text: String) -> Coordinate? {
        guard text.lowercased().hasPrefix("geo:") else { return nil }
        let numbers = text.dropFirst(4).prefix { $0 != ";" && $0 != "?" }.split(separator: ",").compactMap {
            Double($0)
        }
        guard numbers.count >= 2 else { return nil }
        return try? Coordinate(latitude: numbers[0], longitude: numbers[1])
    }

    /// Returns a text on one line, of at most 1,024 bytes; `nil` for an empty one.
    private static func line(_ text: String) -> String? {
        let words = text.cut(toBytes: textLimit).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ").trimmingCommas
    }
}

extension String {
    /// The text without commas and blanks at its ends, which remain when an address is removed.
    fileprivate var trimmingCommas: String? {
        let kept = drop { $0 == "," || $0 == ";" || $0 == " " }
        guard let last = kept.lastIndex(where: { $0 != "," && $0 != ";" && $0 != " " }) else { return nil }
        return String(kept[...last])
    }
}
