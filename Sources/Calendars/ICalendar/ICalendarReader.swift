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

    private let start: Date
    private let end: Date
    /// The mail addresses of the person, in lower case, for declined invitations.
    private let addresses: Set<String>
    private var steps = Self.maximumSteps

    /// - Parameters:
    ///   - start: the earliest start of an event.
    ///   - end: the date before which it starts.
    package init(from start: Date, until end: Date, addresses: Set<String> = []) {
        (self.start, self.end, self.addresses) = (start, end, addresses)
    }

    /// Returns the events of a text that begin within the time. Cancelled and declined ones are left out.
    ///
    /// - Parameter text: one or several calendars, or events without one.
    package mutating func events(in text: String) -> [CalendarEvent] {
        guard text.utf8.count <= Self.maximumSize, let component = ICalendarComponent(text) else { return [] }
        var series: [ICalendarEvent] = []
        var replaced: [String: Set<Date>] = [:]
        var found: [CalendarEvent] = []
        component.forEachEvent { event in
            guard let start = event.replacedStart else { return series.append(event) }
            replaced[event.uid, default: []].insert(start)
            if let start = event.start, (self.start..<self.end).contains(start.date) {
                found += [self.event(event, at: start)].compactMap(\.self)
            }
        }
        for event in series {
            let others = replaced[event.uid] ?? []
            for start in event.starts(from: start, until: end, steps: &steps) where !others.contains(start.date) {
                found += [self.event(event, at: start)].compactMap(\.self)
            }
        }
        return found
    }

    private func event(_ event: ICalendarEvent, at start: ICalendarTime) -> CalendarEvent? {
        guard !event.isCancelled, !event.isDeclined(by: addresses),
            let title = event.text(ICAL_SUMMARY_PROPERTY).flatMap(Self.line)
        else { return nil }
        let location = event.text(ICAL_LOCATION_PROPERTY)
        let url = event.text(ICAL_URL_PROPERTY).flatMap { WebAddress.host(of: $0) == nil ? nil : $0 }
        let meeting =
            event.values(named: MeetingLink.properties).map(\.value).first { WebAddress.host(of: $0) != nil }
            ?? [location, url, event.text(ICAL_DESCRIPTION_PROPERTY)].compactMap { $0.flatMap(MeetingLink.first) }.first
        return CalendarEvent(
            title: title, start: start.date, end: event.length.map { start.date.addingTimeInterval($0) },
            isAllDay: start.isDay, place: place(of: event, location), webPageURL: url == meeting ? nil : url,
            meetingURL: meeting)
    }

    /// Returns the place of an event. Apple's programs write the position into a property of their own.
    private func place(of event: ICalendarEvent, _ location: String?) -> MapItem? {
        // The first line is the name, if an address follows.
        var lines = (location.map(MeetingLink.removingAddresses) ?? "").split(whereSeparator: \.isNewline)
            .compactMap { Self.line(String($0)) }
        let structured = event.values(named: ["X-APPLE-STRUCTURED-LOCATION"]).first
        let position = (structured?.value).flatMap(Self.coordinate) ?? event.coordinate
        let name = structured?.title.flatMap(Self.line) ?? (lines.count > 1 || position != nil ? lines.first : nil)
        if lines.first == name { lines = Array(lines.dropFirst()) }
        let query = lines.joined(separator: ", ")
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
