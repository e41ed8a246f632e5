import Calendars
import FoundationEssentials
import Glibc
import TestSupport
import Testing

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

    @Test("A setting that names the home folder or no folder lists nothing")
    func everything() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("path = ~/\npath = /\npath = relative\npath =\n", to: "config/khal/config")
            try home.directory.write("", to: "a.ics")
            #expect(listing(in: home).files.isEmpty && listing(in: home).folders.isEmpty)
        }
    }
}
