internal import CICal
internal import HunchModel

/// The components of iCalendar texts (RFC 5545), with all their parts. Each text has its own time zones.
///
/// libical keeps its time zones in global tables, so only one thread may use it.
struct ICalendarComponents: ~Copyable {
    private let handles: [OpaquePointer]

    /// The maximum number of lines of all texts together. libical needs about 300 bytes for each.
    static let maximumLines = 400_000
    /// The maximum depth of components in components. libical frees them one within the other.
    private static let maximumDepth = 8

    /// Parses texts. Lines that are not valid are left out, and so are texts that exceed the limits of lines and depth.
    init(_ texts: [String]) {
        var lines = 0
        handles = texts.compactMap { text in
            guard Self.isBounded(text, &lines) else { return nil }
            // NULL: no component. The text stays ours.
            return icalparser_parse_string(Self.removingKnownZones(ICalendarText(text).text))
        }
    }

    /// Returns a text without the definitions of time zones that the zone database has. Each definition costs libical a
    /// millisecond, and most programs write one into each file.
    private static func removingKnownZones(_ text: String) -> String {
        guard text.contains("BEGIN:VTIMEZONE") else { return text }
        var kept: [Substring.UTF8View] = []
        var zone: [Substring.UTF8View] = []
        var isKnown = false
        for line in text.utf8.split(separator: 0x0A) {
            let word = Substring(line.prefix(24))
            if word.hasPrefix("BEGIN:VTIMEZONE") {
                (zone, isKnown) = ([line], false)
            } else if zone.isEmpty {
                kept.append(line)
            } else {
                zone.append(line)
                if word.hasPrefix("TZID:") {
                    let name = String(Substring(line.dropFirst(5))).filter { $0 != "\r" }
                    // NULL: the database has no zone of this name. Zones belong to libical.
                    isKnown = icaltimezone_get_builtin_timezone(name) != nil
                } else if word.hasPrefix("END:VTIMEZONE") {
                    if !isKnown { kept += zone }
                    zone = []
                }
            }
        }
        kept += zone
        return kept.map { String(Substring($0)) }.joined(separator: "\n") + "\n"
    }

    private static func isBounded(_ text: String, _ lines: inout Int) -> Bool {
        var depth = 0
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            lines += 1
            let word = Substring(line.prefix(6)).uppercased()
            if word == "BEGIN:" { depth += 1 } else if word.hasPrefix("END:") { depth = max(0, depth - 1) }
            guard lines <= maximumLines, depth <= maximumDepth else { return false }
        }
        return true
    }

    deinit { for handle in handles { icalcomponent_free(handle) } }

    /// Calls a closure for each event, at any depth of calendars within calendars, such as several in one file.
    func forEachEvent(_ body: (ICalendarEvent) -> Void) {
        for handle in handles { Self.forEachEvent(of: handle, depth: 0, body) }
    }

    private static func forEachEvent(of parent: OpaquePointer, depth: Int, _ body: (ICalendarEvent) -> Void) {
        if icalcomponent_isa(parent) == ICAL_VEVENT_COMPONENT { return body(ICalendarEvent(borrowing: parent)) }
        guard depth < 3 else { return }
        // NULL: the last one was reached. The parts belong to their parent.
        var iterator = icalcomponent_begin_component(parent, ICAL_ANY_COMPONENT)
        while let part = icalcompiter_deref(&iterator) {
            forEachEvent(of: part, depth: depth + 1, body)
            icalcompiter_next(&iterator)
        }
    }
}
