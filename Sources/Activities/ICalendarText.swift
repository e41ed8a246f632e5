package import FoundationEssentials
internal import Glibc
package import HunchModel

/// The text of an iCalendar file with one event (RFC 5545).
package struct ICalendarText: CustomStringConvertible {
    /// The file, with its line ends (CR, LF).
    package let description: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - identifier: the unique identifier of the event. A calendar replaces an event with the same identifier.
    ///   - now: the date at which the file is made.
    package init(_ event: CalendarEvent, identifier: String, now: Date) {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Hunch//Hunch//EN", "BEGIN:VEVENT", "UID:\(identifier)",
            "DTSTAMP:\(Self.utc(now))",
        ]
        let days = [event.start, event.end ?? event.start.addingTimeInterval(86_400)].map(Self.localDay)
        // An event from midnight to midnight lasts all day.
        if let first = days[0], let last = days[1] {
            lines += ["DTSTART;VALUE=DATE:\(first)", "DTEND;VALUE=DATE:\(last)"]
        } else {
            lines.append("DTSTART:\(Self.utc(event.start))")
            if let end = event.end, end > event.start { lines.append("DTEND:\(Self.utc(end))") }
        }
        lines.append("SUMMARY:\(Self.escaped(event.title))")
        if let place = event.place {
            let words = [place.name ?? place.query, place.address?.singleLine].compactMap(\.self).filter { !$0.isEmpty }
            if !words.isEmpty { lines.append("LOCATION:\(Self.escaped(words.joined(separator: ", ")))") }
            if let coordinate = place.coordinate { lines.append("GEO:\(coordinate.latitude);\(coordinate.longitude)") }
        }
        if let page = event.webPageURL { lines.append("URL:\(page.filter { !$0.isNewline })") }
        lines += ["END:VEVENT", "END:VCALENDAR"]
        description = lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case _ where character.isNewline: escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// Breaks a line into pieces of at most 75 bytes (RFC 5545, 3.1).
    private static func folded(_ line: String) -> String {
        var pieces: [String] = []
        var rest = line.unicodeScalars[...]
        while !rest.isEmpty {
            // The space at the start of a later piece counts, too.
            let piece = String(rest).cut(toBytes: pieces.isEmpty ? 75 : 74)
            rest = rest.dropFirst(piece.unicodeScalars.count)
            pieces.append(piece)
        }
        return pieces.joined(separator: "\r\n ")
    }

    private static func utc(_ date: Date) -> String {
        var seconds = time_t(clamping: date.timeIntervalSince1970, .down)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return day(parts) + "T" + digits(parts.tm_hour) + digits(parts.tm_min) + digits(parts.tm_sec) + "Z"
    }

    /// Returns the day that begins at an instant on the local clock; `nil` if none does.
    private static func localDay(_ date: Date) -> String? {
        var seconds = time_t(clamping: date.timeIntervalSince1970, .down)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts.tm_hour == 0 && parts.tm_min == 0 && parts.tm_sec == 0 ? day(parts) : nil
    }

    private static func day(_ parts: tm) -> String {
        let year = String(parts.tm_year + 1_900)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + digits(parts.tm_mon + 1)
            + digits(parts.tm_mday)
    }

    private static func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
