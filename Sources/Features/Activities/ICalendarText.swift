package import FoundationEssentials
internal import Glibc
package import HunchModel

/// The text of an event or a task in iCalendar (RFC 5545), with line ends of CR and LF.
package struct ICalendarText: CustomStringConvertible {
    /// The event or the task alone.
    package let component: String

    /// A whole file.
    package var description: String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Hunch//Hunch//EN\r\n" + component + "END:VCALENDAR\r\n"
    }

    /// Creates the text of an event.
    ///
    /// - Parameters:
    ///   - identifier: the unique identifier of the event. A calendar replaces an event with the same identifier.
    ///   - now: the date at which the text is made.
    package init(_ event: CalendarEvent, identifier: String, now: Date) {
        var lines = ["BEGIN:VEVENT", "UID:\(identifier)", "DTSTAMP:\(Self.utc(now))"]
        let end = event.end.flatMap { $0 > event.start ? $0 : nil }
        // An event from midnight to midnight lasts all day. The end is the first day after it.
        let lastDay = end.map { Self.localDay($0) } ?? Self.localDay(event.start, adding: 1)
        if let first = Self.localDay(event.start), let lastDay {
            lines += ["DTSTART;VALUE=DATE:\(first)", "DTEND;VALUE=DATE:\(lastDay)"]
        } else {
            lines.append("DTSTART:\(Self.utc(event.start))")
            if let end { lines.append("DTEND:\(Self.utc(end))") }
        }
        lines += Self.subject(event.title, event.place, event.webPageURL) + ["END:VEVENT"]
        component = Self.text(lines)
    }

    /// Creates the text of a task that is due on the day of a reminder, with an alarm at its time.
    ///
    /// - Parameters:
    ///   - identifier: the unique identifier of the task.
    ///   - now: the date at which the text is made.
    package init(_ reminder: Reminder, identifier: String, now: Date) {
        var lines = ["BEGIN:VTODO", "UID:\(identifier)", "DTSTAMP:\(Self.utc(now))"]
        lines.append("DUE;VALUE=DATE:\(Self.day(Self.local(reminder.date)))")
        lines += Self.subject(reminder.title, reminder.place, reminder.webPageURL)
        // Task apps show the description, and only some of them the address.
        if let page = reminder.webPageURL { lines.append("DESCRIPTION:\(Self.escaped(page))") }
        lines += [
            "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(Self.escaped(reminder.title))",
            "TRIGGER;VALUE=DATE-TIME:\(Self.utc(reminder.date))", "END:VALARM", "END:VTODO",
        ]
        component = Self.text(lines)
    }

    /// Returns the lines that say what it is about.
    private static func subject(_ title: String, _ place: MapItem?, _ page: String?) -> [String] {
        var lines = ["SUMMARY:\(escaped(title))"]
        if let place {
            let words = [place.name ?? place.query, place.address?.singleLine].compactMap(\.self).filter { !$0.isEmpty }
            if !words.isEmpty { lines.append("LOCATION:\(escaped(words.joined(separator: ", ")))") }
            if let coordinate = place.coordinate {
                lines.append("GEO:\(degrees(coordinate.latitude));\(degrees(coordinate.longitude))")
            }
        }
        if let page { lines.append("URL:\(page.filter { !$0.isNewline })") }
        return lines
    }

    private static func text(_ lines: [String]) -> String { lines.map { folded($0) + "\r\n" }.joined() }

    /// Escapes the separators of texts, and leaves out control characters (RFC 5545, 3.3.11).
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += ["\\", scalar]
            case "\n": escaped += ["\\", "n"]
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: continue
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Returns degrees with six decimals, because RFC 5545 allows no exponent.
    private static func degrees(_ value: Double) -> String {
        let millionths = Int(clamping: value.magnitude * 1e6)
        let fraction = String(millionths % 1_000_000)
        let sign = value < 0 && millionths > 0 ? "-" : ""
        return "\(sign)\(millionths / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
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

    /// Returns the day that begins at an instant on the local clock, or a later day; `nil` if none begins then.
    private static func localDay(_ date: Date, adding days: Int32 = 0) -> String? {
        var parts = local(date)
        guard parts.tm_hour == 0, parts.tm_min == 0, parts.tm_sec == 0 else { return nil }
        // Noon exists on every day. mktime(3) carries into the next month.
        (parts.tm_hour, parts.tm_mday, parts.tm_isdst) = (12, parts.tm_mday + days, -1)
        mktime(&parts)
        return day(parts)
    }

    private static func local(_ date: Date) -> tm {
        var seconds = time_t(clamping: date.timeIntervalSince1970, .down)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func day(_ parts: tm) -> String {
        let year = String(parts.tm_year + 1_900)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + digits(parts.tm_mon + 1)
            + digits(parts.tm_mday)
    }

    private static func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
