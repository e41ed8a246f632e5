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
}
