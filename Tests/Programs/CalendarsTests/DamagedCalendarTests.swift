import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Calendars

/// Calendar files that cannot be read, or only in part.
@Suite("Damaged calendars") struct DamagedCalendarTests {
    private static func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private static func event(_ start: String) -> String {
        "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:A\r\n\(start)\r\nEND:VEVENT"
    }

    @Test(
        "The first fault is found",
        arguments: [
            ("", .noCalendar), ("<html>Sign in</html>", .noCalendar), ("\u{0}\u{1}", .noCalendar),
            (
                calendar("BEGIN:VEVENT", "DTSTART:20261210T090000Z", "BEGIN:VALARM", "END:VEVENT"),
                .wrongEnd(line: 6, of: "VEVENT")
            ),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261210\nSUMM", .noEnd(of: "VEVENT")),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261210\nEND:VEVENT\n", .noEnd(of: "VCALENDAR")),
            (calendar(event("DTSTART:tomorrow")), .noStart(line: 3)), (calendar(event("X-A:1")), .noStart(line: 3)),
            (calendar(event("DTSTART:20261350T090000Z")), .noStart(line: 3)),
            (String(repeating: "\n", count: 400_001) + calendar(), .tooManyLines),
        ] as [(String, ICalendarFault)])
    func faults(text: String, fault: ICalendarFault) { #expect(ICalendarFault(in: text) == fault) }

    @Test(
        "Quirks of common programs are not reported as faults",
        arguments: [
            calendar(), calendar(event("DTSTART;VALUE=DATE:20261210")), calendar(event("DTSTART:2026-12-10T09:00:00")),
            calendar(event("DTSTART;TZID=\"A:B\":20261210T090000")), event("dtstart:20261210T090000"),
            calendar(event("DTSTART;TZID=Europe/Ber\r\n lin:20261210T090000")), "\u{FEFF}" + calendar(),
            calendar(event("DTSTART:20261210T090000Z\r\nDESCRIPTION:a\r\n BEGIN:VEVENT\r\n END:VTODO")),
            calendar(event("DTSTART:20261210")).replacing("\r\n", with: "\r"),
            calendar("METHOD:CANCEL", event("X-A:1")),
            calendar("BEGIN:VTODO", "SUMMARY:B", "END:VTODO"), calendar(event("DTSTART:20261210")) + calendar(),
            calendar(event("DTSTART:20261210\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM")),
        ])
    func sound(text: String) { #expect(ICalendarFault(in: text) == nil) }

    @Test("Each file and folder that cannot be read is named, with what to do, and the others are read")
    func files() async throws {
        try await withTemporaryHome { home in
            let directory = home.directory
            try directory.write(Self.calendar(Self.event("DTSTART:20261210T090000Z")), to: ".calendars/good.ics")
            let cut = try directory.write("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", to: ".calendars/cut.ics")
            let locked = try directory.write(Self.calendar(), to: ".calendars/my locked.ics")
            let folder = directory.file(".calendars/closed")
            try directory.write(Self.calendar(), to: ".calendars/closed/a.ics")
            for path in [locked, folder] { chmod(path, 0) }
            defer { chmod(folder, 0o700) }
            let files = CalendarFiles(environment: home.environment)
            var listing = files.listing()
            let texts = files.texts(&listing)
            #expect(texts.contains { $0.text.contains("20261210T090000Z") })
            #expect(
                listing.problems.contains(
                    "\(cut) is damaged: “END:VEVENT” is missing at its end; download or export it again, or remove it"
                ))
            // Root may read everything.
            let expected =
                geteuid() == 0
                ? []
                : [
                    "the calendar folder \(folder) cannot be opened; “chmod u+rx \(folder)” allows it",
                    "\(locked) cannot be read; “chmod u+r '\(locked)'” allows it",
                ]
            #expect(listing.problems.filter { $0.contains("chmod") } == expected)
        }
    }
}
