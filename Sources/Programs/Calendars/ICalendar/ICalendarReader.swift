internal import CICal
package import FoundationEssentials
package import HunchModel
internal import MapLinks
internal import Places

/// Reads the coming events of iCalendar texts (RFC 5545).
///
/// Only title, time, place, address and call of an event are read. Of its description, only the address of a call is.
package struct ICalendarReader {
    /// The maximum size of the texts that are read together, in bytes.
    package static let maximumSize = 10 << 20
    /// The maximum time for expanding the rules of all texts of a reader together, in microseconds.
    private static let maximumEffort = 4_000_000
    private static let textLimit = 1_024

    /// The years that dates on the bus may have, 1970 to 9999.
    private static let years = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    private let start: Date
    private let end: Date
    private var effort = Self.maximumEffort

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
    ///   - addresses: the mail addresses of the user, in lower case, for declined invitations.
    package mutating func events(in text: String, of addresses: Set<String> = []) -> [CalendarEvent] {
        events(in: [text], of: addresses)
    }

    /// Returns the events of texts as if they were one: an update or a cancellation may be in a different text from its
    /// event.
    package mutating func events(in texts: [String], of addresses: Set<String> = []) -> [CalendarEvent] {
        guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumSize else { return [] }
        let components = ICalendarComponents(texts)
        var series: [ICalendarEvent] = []
        var replacements: [String: [ICalendarEvent]] = [:]
        components.forEachEvent { event in
            if event.replacedStart == nil {
                series.append(event)
            } else {
                replacements[event.uid, default: []].append(event)
            }
        }
        var found: [CalendarEvent?] = []
        let newest = Self.newest(series)
        // Cancelling a series cancels its moved occurrences, too, unless one was written again later.
        var cancelled: [String: Int32] = [:]
        for event in newest where event.isCancelled && !event.uid.isEmpty {
            cancelled[event.uid] = event.version.sequence
        }
        for replacement in replacements.values.flatMap(Self.newest) {
            guard let start = replacement.start, (self.start..<self.end).contains(start.date),
                replacement.version.sequence > cancelled[replacement.uid] ?? -1
            else { continue }
            found.append(event(replacement, at: start, inPlaceOf: replacement.replacedStart?.date, of: addresses))
        }
        for event in newest {
            let own = replacements[event.uid] ?? []
            let moves = Self.moves(of: own)
            let widest = moves.map { abs($0.by) }.max() ?? 0
            let occurrences = event.starts(
                from: start.addingTimeInterval(-widest), until: end.addingTimeInterval(widest), effort: &effort)
            let replaced = ReplacedStarts(own, of: occurrences)
            for occurrence in occurrences where !replaced.contain(occurrence) {
                let move = moves.last { $0.from <= occurrence.date }
                let date = occurrence.date.addingTimeInterval(move?.by ?? 0)
                guard (start..<end).contains(date) else { continue }
                let (last, time) = (move?.event ?? event, occurrence.moved(to: date))
                found.append(self.event(last, at: time, inPlaceOf: occurrence.date, of: addresses))
            }
        }
        return found.compactMap(\.self).sorted { $0.start < $1.start }
    }

    /// Returns the newest version of each event, in the order of the texts. Each change sends an invitation again.
    private static func newest(_ events: [ICalendarEvent]) -> [ICalendarEvent] {
        var kept: [ICalendarEvent] = []
        var places: [String: Int] = [:]
        // Some programs name the day of an occurrence, and others its time.
        let namedByDay = Set(events.filter { $0.replacedStart?.isDay == true }.map(\.uid))
        for event in events {
            let uid = event.uid
            let replaced = event.replacedStart.map { namedByDay.contains(uid) ? $0.localDay : $0.date }
            let key = "\(uid)\n\(replaced?.timeIntervalSince1970 ?? 0)"
            guard !uid.isEmpty, let place = places[key] else {
                places[key] = kept.count
                kept.append(event)
                continue
            }
            if event.version >= kept[place].version { kept[place] = event }
        }
        return kept
    }

    /// Returns the changes of all later occurrences, each with the time by which it moves them, the earliest first.
    private static func moves(
        of replacements: [ICalendarEvent]
    ) -> [(from: Date, by: Double, event: ICalendarEvent)] {
        replacements.filter(\.replacesLaterOnes).compactMap { change in
            guard let from = change.replacedStart?.date, let start = change.start else { return nil }
            return (from, start.date.timeIntervalSince(from), change)
        }.sorted { $0.from < $1.from }
    }

    /// - Parameter original: the start by the rule of the series.
    private func event(
        _ event: ICalendarEvent, at time: ICalendarTime, inPlaceOf original: Date?, of addresses: Set<String>
    ) -> CalendarEvent? {
        let isAllDay = time.isDay || event.isMarkedAsDay
        // Microsoft's programs write such a day as midnight in the zone of its author.
        let start = isAllDay && !time.isDay ? time.localDay : time.date
        guard !event.isCancelled, !event.isDeclined(by: addresses),
            // An event without a title is called by its place.
            let title = [ICAL_SUMMARY_PROPERTY, ICAL_LOCATION_PROPERTY].lazy.compactMap({
                event.text($0).map(WebAddress.withoutSecrets).flatMap(Self.line)
            })
            .first
        else { return nil }
        let location = event.text(ICAL_LOCATION_PROPERTY)
        let url = event.text(ICAL_URL_PROPERTY).flatMap { Self.isPage($0) ? $0 : nil }
        let meeting =
            event.values(named: MeetingLink.properties).lazy.compactMap { MeetingLink.call(inProperty: $0.value) }
            .first(where: Self.isPage)
            ?? ([location, url, event.text(ICAL_DESCRIPTION_PROPERTY)]
            + event.values(named: ["X-ALT-DESC"]).map(\.value)).lazy.compactMap { $0.flatMap(MeetingLink.first) }.first
        var result = CalendarEvent(
            title: title, start: start,
            end: (time.length ?? event.length).map { start.addingTimeInterval($0) }.flatMap(Self.valid),
            isAllDay: isAllDay, place: place(of: event, location),
            webPageURL: url == meeting ? nil : url, meetingURL: meeting)
        result.series = event.series
        result.occurrence = event.occurrence(at: original)
        result.unknownZone = event.unknownZone.flatMap(Self.line)
        return result
    }

    private static func isPage(_ address: String) -> Bool {
        address.utf8.count <= Activity.Limit.url && WebAddress.host(of: address) != nil
    }

    private static func valid(_ date: Date) -> Date? { years.contains(date) ? date : nil }

    /// Returns the place of an event. Apple's programs write the position into a property of their own.
    private func place(of event: ICalendarEvent, _ location: String?) -> MapItem? {
        // The first line is the name, if an address follows.
        var lines = (location.map(MeetingLink.removingAddresses) ?? "").split(whereSeparator: \.isNewline)
            .compactMap { Self.line(Self.withoutPassword(String($0))) }
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        let structured = event.values(named: ["X-APPLE-STRUCTURED-LOCATION"]).first
        let linked = location.flatMap(Self.linkedPlace)
        let position = (structured?.value).flatMap(Self.coordinate) ?? event.coordinate ?? linked?.coordinate
        // A position is not a name.
        if position != nil { lines.removeAll(where: Self.isPosition) }
        let title = structured?.title.map { $0.replacing("\\n", with: " ").replacing("\\", with: "") }
        let name =
            title.flatMap(Self.line) ?? linked?.name ?? (lines.count > 1 || position != nil ? lines.first : nil)
        if lines.first == name { lines = Array(lines.dropFirst()) }
        let query = lines.joined(separator: ", ").cut(toBytes: Self.textLimit)
        let words = query.isEmpty ? linked?.query ?? name : query
        let place = MapItem(
            name: position == nil && name == words ? nil : name, coordinate: position,
            query: position == nil ? words : nil)
        return place == MapItem() ? nil : place
    }

    /// The words that come before the password of a call in its place.
    private static let passwordWords: Set<String> = [
        "passcode", "password", "pwd", "kenncode", "kennwort", "passwort", "contraseña", "wachtwoord",
    ]

    /// Returns a line of a place without the password of a call: `(Passcode: 1234)`.
    private static func withoutPassword(_ line: String) -> String {
        var isPassword = false
        return line.split(whereSeparator: \.isWhitespace).filter { word in
            if isPassword {
                isPassword = false
                return false
            }
            let name = word.drop { !$0.isLetter }.prefix { $0 != ":" }
            guard word.contains(":"), passwordWords.contains(name.lowercased()) else { return true }
            isPassword = word.last == ":"
            return false
        }.joined(separator: " ")
    }

    /// Returns the place of the first link to a map in a location, or of coordinates.
    private static func linkedPlace(_ location: String) -> MapItem? {
        let parser = PlaceParser()
        let texts = MeetingLink.addresses(in: location).filter { !MeetingLink.isMeeting($0) } + [location]
        return texts.lazy.compactMap { text -> MapItem? in
            guard let place = try? parser.parse(text.cut(toBytes: textLimit)), place.rule != "text" else { return nil }
            return place.item
        }.first
    }

    /// Returns whether a line is a position alone, such as `geo:52.5,13.4` or `52.5, 13.4`.
    private static func isPosition(_ line: String) -> Bool {
        let rules: [any PlaceRule] = [GeoRule(), CoordinateRule()]
        return rules.contains { (try? $0.place(in: PlaceInput(checking: line)))?.item.coordinate != nil }
    }

    /// Returns the position of `geo:52.5,13.4`.
    private static func coordinate(_ text: String) -> Coordinate? {
        guard text.lowercased().hasPrefix("geo:") else { return nil }
        let position = (try? PlaceParser().parse(text.replacing("\\", with: "")))?.item.coordinate
        return position?.latitude == 0 && position?.longitude == 0 ? nil : position
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

/// The occurrences of a series that other events replace.
private struct ReplacedStarts {
    private var dates: Set<Date> = []
    /// The days of those that no occurrence meets: programs write another zone, or a day for a time.
    private var days: Set<Date> = []

    init(_ replacements: [ICalendarEvent], of occurrences: [ICalendarTime]) {
        let known = Set(occurrences.map(\.date))
        for time in replacements.compactMap(\.replacedStart) {
            dates.insert(time.date)
            if !known.contains(time.date) { days.insert(time.localDay) }
        }
    }

    /// Returns whether an occurrence is replaced.
    func contain(_ time: ICalendarTime) -> Bool { dates.contains(time.date) || days.contains(time.localDay) }
}
