import FoundationEssentials
import Glibc
import HunchModel
import TestSupport
import Testing

@testable import Calendars

/// Where iCalendar files are looked for.
@Suite("Calendar files") struct CalendarFilesTests {
    private func listing(in home: TemporaryHome) -> CalendarFiles.Listing {
        CalendarFiles(environment: home.environment).listing()
    }

    @Test("The usual folders and those of khal, vdirsyncer and KDE are listed once, without other files")
    func folders() async throws {
        try await withTemporaryHome { home in
            let directory = home.directory
            let settings = [
                "config/khal/config": "[calendars]\n[[home]]\npath = ~/khal/*\n",
                "config/vdirsyncer/config": "[storage a]\ntype = \"filesystem\"\npath = \"\(directory.path)/sync\"\n",
                "config/akonadi_ical_resource_0rc": "[General]\nPath[$e]=$HOME/kde/std.ics\n",
                "config/akonadi_icaldir_resource_1rc": "[General]\nPath=file://\(directory.path)/kde dir\n",
                "config/akonadi_imap_resource_2rc": "[General]\nPath=\(directory.path)/imap\n",
            ]
            for (file, text) in settings { try directory.write(text, to: file) }
            let files = [
                ".calendars/a.ics", ".calendars/deep/b.ICS", "data/calendars/c.ics", "khal/work/d.ics", "sync/e.ics",
                "kde/std.ics", "kde dir/f.ics", "data/korganizer/std.ics",
            ]
            for file in files { try directory.write("", to: file) }
            for file in ["sync/card.vcf", ".calendars/.hidden/g.ics", "imap/h.ics", "kde/other.ics", "i.ics"] {
                try directory.write("", to: file)
            }
            #expect(Set(listing(in: home).files) == Set(files.map { directory.file($0) }))
            #expect(listing(in: home).files.count == files.count)
        }
    }

    @Test(
        "Files in other character encodings are read",
        arguments: [
            (String.Encoding.isoLatin1, [UInt8]()), (.windowsCP1252, []), (.utf8, [0xEF, 0xBB, 0xBF]),
            (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]), (.utf16LittleEndian, []),
            (.utf16BigEndian, []),
        ])
    func encodings(encoding: String.Encoding, mark: [UInt8]) async throws {
        try await withTemporaryHome { home in
            let calendar =
                "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261210T090000Z\r\nSUMMARY:Café\r\n"
                + "LOCATION:Łódź\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
            // Latin-1 has no Polish letters.
            let isNarrow = [.isoLatin1, .windowsCP1252].contains(encoding)
            let text = isNarrow ? calendar.replacing("Łódź", with: "Köln") : calendar
            let bytes = try mark + Array(#require(text.data(using: encoding)))
            try home.directory.write(bytes, to: "data/calendars/a.ics")
            var listing = listing(in: home)
            let texts = CalendarFiles(environment: home.environment).texts(&listing)
            let start = Date(timeIntervalSince1970: 1_796_000_000)
            var reader = ICalendarReader(from: start, until: start.addingTimeInterval(86_400 * 60))
            let found = texts.flatMap { reader.events(in: $0.text) }
            #expect(found.map(\.title) == ["Café"])
            #expect(found.first?.place?.query == (isNarrow ? "Köln" : "Łódź"))
        }
    }

    @Test("A setting that names the home folder or no folder lists nothing")
    func everything() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("path = ~/\npath = /\npath = relative\npath =\n", to: "config/khal/config")
            try home.directory.write("", to: "a.ics")
            #expect(listing(in: home).files.isEmpty && listing(in: home).folders.isEmpty)
        }
    }

    private func calendar(_ method: String, _ lines: String..., start: String = "20261210T090000Z") -> String {
        let event = ["BEGIN:VEVENT", "UID:1", "SUMMARY:Dentist", "DTSTART:\(start)"] + lines + ["END:VEVENT"]
        return (["BEGIN:VCALENDAR", "METHOD:\(method)"] + event + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    /// Returns the starts of the events in some files, as day and hour in December 2026.
    private func starts(_ files: [String: String]) async throws -> [String] {
        try await withTemporaryHome { home in
            for (name, text) in files { try home.directory.write(text, to: "data/calendars/\(name)") }
            var listing = listing(in: home)
            let texts = CalendarFiles(environment: home.environment).texts(&listing)
            let start = Date(timeIntervalSince1970: 1_796_000_000)
            return CalendarReaderService.events(in: texts, from: start, until: start.addingTimeInterval(86_400 * 30))
                .map { String($0.start.ISO8601Format().dropFirst(8).cut(toBytes: 5)) }
        }
    }

    @Test(
        "The newest version counts, in any file of its folder",
        arguments: [
            (["SEQUENCE:0"], ["SEQUENCE:1"]), ([], ["SEQUENCE:2", "DTSTAMP:20261101T080000Z"]),
            (["SEQUENCE:1", "DTSTAMP:20261101T080000Z"], ["SEQUENCE:1", "DTSTAMP:20261102T080000Z"]),
            (["LAST-MODIFIED:20261101T080000Z"], ["LAST-MODIFIED:20261101T090000Z"]),
            (["SEQUENCE:1", "DTSTAMP:20261105T080000Z"], ["SEQUENCE:2", "DTSTAMP:20261101T080000Z"]),
        ] as [([String], [String])])
    func updates(old: [String], new: [String]) async throws {
        let invitation = calendar("REQUEST", old.joined(separator: "\r\n"))
        let update = calendar("REQUEST", new.joined(separator: "\r\n"), start: "20261212T100000Z")
        for names in [("a.ics", "b.ics"), ("b.ics", "a.ics")] {
            #expect(try await starts([names.0: invitation, names.1: update]) == ["12T10"])
        }
        // Other folders are other calendars.
        #expect(try await starts(["home/a.ics": invitation, "work/b.ics": update]) == ["10T09", "12T10"])
    }

    @Test(
        "Two events with one title and start are one only if all properties that both have agree",
        arguments: [
            ("LOCATION:https://meet.jit.si/A", "LOCATION:https://meet.jit.si/B", 2),
            ("LOCATION:https://meet.jit.si/A", "LOCATION:https://meet.jit.si/A", 1),
            ("LOCATION:Torstraße 1\\, Berlin", "LOCATION:Unter den Linden 77\\, Berlin", 2),
            ("LOCATION:Torstraße 1\\, Berlin", "DESCRIPTION:Bring tea", 1),
            ("LOCATION:https://meet.jit.si/A", "LOCATION:Torstraße 1\\, Berlin", 1),
        ])
    func twins(one: String, other: String, count: Int) async throws {
        let files = ["home/a.ics": calendar("PUBLISH", one), "work/b.ics": calendar("PUBLISH", other)]
        #expect(try await starts(files).count == count)
    }

    @Test(
        "A cancellation in another file removes the event",
        arguments: [
            ("CANCEL", ["SEQUENCE:1"]), ("CANCEL", []), ("PUBLISH", ["STATUS:CANCELLED"]),
            ("REQUEST", ["STATUS:CANCELED", "SEQUENCE:3"]), ("CANCEL", ["DTSTAMP:20261102T080000Z"]),
        ] as [(String, [String])])
    func cancellations(method: String, lines: [String]) async throws {
        let cancellation = calendar(method, lines.joined(separator: "\r\n"))
        for names in [("invite.ics", "cancel.ics"), ("a.ics", "b.ics")] {
            #expect(try await starts([names.0: calendar("REQUEST"), names.1: cancellation]).isEmpty)
        }
    }

    @Test("A file may change one occurrence of another file's series")
    func occurrences() async throws {
        let series = calendar("REQUEST", "RRULE:FREQ=DAILY;COUNT=3")
        let id = "RECURRENCE-ID:20261211T090000Z"
        let moved = calendar("REQUEST", id, "SEQUENCE:1", start: "20261211T150000Z")
        let cancelled = calendar("CANCEL", id, "SEQUENCE:2", start: "20261211T090000Z")
        #expect(try await starts(["c.ics": series, "b.ics": moved]) == ["10T09", "11T15", "12T09"])
        #expect(try await starts(["c.ics": series, "a.ics": cancelled, "b.ics": moved]) == ["10T09", "12T09"])
        // Cancelling the series afterwards cancels what was moved.
        let end = calendar("CANCEL", "SEQUENCE:3")
        #expect(try await starts(["c.ics": series, "b.ics": moved, "d.ics": end]).isEmpty)
    }

    @Test("Each file has its own time zones and folded lines")
    func zonesOfFiles() async throws {
        func text(_ offset: String, _ sequence: Int, _ identifier: String) -> String {
            let zone = """
                BEGIN:VTIMEZONE
                TZID:Customized Time Zone
                BEGIN:STANDARD
                DTSTART:16010101T000000
                TZOFFSETFROM:\(offset)
                TZOFFSETTO:\(offset)
                END:STANDARD
                END:VTIMEZONE
                BEGIN:VEVENT
                SEQUENCE:\(sequence)
                """
            return calendar("REQUEST").replacing("DTSTART:", with: "DTSTART;TZID=Customized Time Zone:")
                .replacing("090000Z", with: "090000").replacing("BEGIN:VEVENT", with: zone)
                .replacing("UID:1", with: "UID:\(identifier)")
        }
        let files = ["a.ics": text("+0500", 1, "0400\r\n 0000"), "b.ics": text("-0300", 2, "040\n\t00000")]
        #expect(try await starts(files) == ["10T12"])
        let others = ["a.ics": text("+0500", 1, "1"), "b.ics": text("-0300", 2, "2")]
        #expect(try await starts(others) == ["10T04", "10T12"])
    }

    @Test("Files with a common identifier are read together")
    func groups() {
        func text(_ identifiers: [String], padding: String = "") -> CalendarText {
            CalendarText(text: padding + identifiers.map { "UID:\($0)\n" }.joined(), folder: "/calendars")
        }
        let chained = CalendarText.groups([text(["1"]), text(["2"]), text(["3"]), text(["2", "1"])])
        #expect(chained.map(\.count).sorted() == [1, 3])
        #expect(CalendarText.groups([text([]), text([])]).count == 2)
        let long = String(repeating: "X-A:\(String(repeating: "a", count: 995))\n", count: 6_000)
        let many = String(repeating: "X:1\n", count: 250_000)
        for padding in [long, many] {
            let large = text(["1"], padding: padding)
            #expect(CalendarText.groups([large, text(["1"]), large]).map(\.count).sorted() == [1, 2])
        }
        #expect(CalendarText.groups([CalendarText(text: "UID:1\n"), CalendarText(text: "UID:1\n")]).count == 2)
    }
}
