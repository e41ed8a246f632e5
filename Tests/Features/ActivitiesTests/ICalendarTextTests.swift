import Activities
import FoundationEssentials
import HunchModel
import Testing

@Suite("iCalendar files of events")
struct ICalendarTextTests {
    private func lines(_ event: CalendarEvent) -> [String] {
        ICalendarText(event, identifier: "e1@hunch", now: Date(timeIntervalSince1970: 1_763_000_000)).description
            .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("An event has its times in UTC, its place and its page")
    func event() throws {
        // 2025-11-13T02:13:21Z is midnight in no time zone.
        let start = Date(timeIntervalSince1970: 1_763_000_001)
        let place = MapItem(
            name: "Hall; 2", coordinate: try Coordinate(latitude: 1.5, longitude: -2),
            address: PostalAddress(city: "Oslo"))
        let event = CalendarEvent(
            title: "Talk, with\nquestions", start: start, end: start.addingTimeInterval(60), place: place,
            webPageURL: "https://example.org/talk")
        #expect(
            lines(event) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Hunch//Hunch//EN", "BEGIN:VEVENT", "UID:e1@hunch",
                "DTSTAMP:20251113T021320Z", "DTSTART:20251113T021321Z", "DTEND:20251113T021421Z",
                #"SUMMARY:Talk\, with\nquestions"#, #"LOCATION:Hall\; 2\, Oslo"#, "GEO:1.500000;-2.000000",
                "URL:https://example.org/talk", "END:VEVENT", "END:VCALENDAR", "",
            ])
    }

    @Test("An event from midnight to midnight lasts all day")
    func allDay() throws {
        let start = try #require(WrittenTime("2026-12-24")?.date)
        #expect(lines(CalendarEvent(title: "Feast", start: start)).contains("DTSTART;VALUE=DATE:20261224"))
        #expect(lines(CalendarEvent(title: "Feast", start: start)).contains("DTEND;VALUE=DATE:20261225"))
        let evening = start.addingTimeInterval(3_600 * 20)
        #expect(
            !lines(CalendarEvent(title: "Feast", start: start, end: evening)).contains { $0.contains("VALUE=DATE") })
    }

    @Test("Long lines are folded at 75 bytes, and not within a character", arguments: ["x", "ä", "👩‍👩‍👧‍👦"])
    func folding(character: String) {
        let title = String(repeating: character, count: 200)
        let lines = lines(CalendarEvent(title: title, start: Date(timeIntervalSince1970: 1)))
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        // By scalars, because a space and a following joiner are one character.
        var summary = ""
        for line in lines.drop(while: { !$0.hasPrefix("SUMMARY") }) {
            guard summary.isEmpty || line.unicodeScalars.first == " " else { break }
            summary.unicodeScalars += line.unicodeScalars.dropFirst(summary.isEmpty ? 0 : 1)
        }
        #expect(summary == "SUMMARY:\(title)")
    }

    @Test("A reminder is a task with an alarm, due on its day")
    func reminder() throws {
        let date = try #require(WrittenTime("2026-12-24T09:00")?.date)
        let reminder = Reminder(
            title: "Yank Sing; dim sum", date: date, place: MapItem(name: "Yank Sing"),
            webPageURL: "https://example.org/a,b")
        let text = ICalendarText(reminder, identifier: "r1@hunch", now: Date(timeIntervalSince1970: 1_763_000_000))
        let utc = date.ISO8601Format().filter { $0 != "-" && $0 != ":" }
        let lines = [
            "BEGIN:VTODO", "UID:r1@hunch", "DTSTAMP:20251113T021320Z", "DUE;VALUE=DATE:20261224",
            #"SUMMARY:Yank Sing\; dim sum"#, "LOCATION:Yank Sing", "URL:https://example.org/a,b",
            #"DESCRIPTION:https://example.org/a\,b"#, "BEGIN:VALARM", "ACTION:DISPLAY",
            #"DESCRIPTION:Yank Sing\; dim sum"#, "TRIGGER;VALUE=DATE-TIME:\(utc)", "END:VALARM", "END:VTODO", "",
        ]
        #expect(text.component == lines.joined(separator: "\r\n"))
        #expect(text.description.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
        #expect(text.description.hasSuffix("END:VTODO\r\nEND:VCALENDAR\r\n"))
    }
}
