import Calendars
import FoundationEssentials
import HunchModel
import Testing

/// The names of time zones as programs write and define them.
@Suite("Time zones as programs write them") struct WrittenZoneTests {
    private func found(_ start: String, zone: String = "") -> CalendarEvent? {
        let first = date("2026-11-23T00:00Z")
        var reader = ICalendarReader(from: first, until: first.addingTimeInterval(365 * 86_400))
        return reader.events(
            in: "BEGIN:VCALENDAR\n\(zone)\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\n\(start)\nEND:VEVENT\nEND:VCALENDAR\n"
        ).first
    }

    private func date(_ text: String) -> Date { WrittenTime(text)?.date ?? .distantPast }

    @Test(
        "The cities after an offset tell the summer time in any language",
        arguments: [
            ("(UTC+01:00) Brüssel, Kopenhagen, Madrid, Paris", "07:00"), ("(GMT+01:00) Paris, Madrid", "07:00"),
            ("(UTC+01:00) Belgrad, Bratislava (Pressburg), Budapest, Prag", "07:00"), ("(UTC+01:00) Rom", "07:00"),
            ("(GMT+01:00) Sarajevo/Warsaw/Zagreb", "07:00"), ("(UTC+02:00) Athen, Bukarest", "06:00"),
            ("(UTC+02:00) Atenas, Bucarest", "06:00"), ("(UTC+02:00) Helsinki, Kiew, Riga, Tallinn", "06:00"),
            ("(UTC+02:00) E. Europe", "06:00"), ("(UTC-08:00) Pacific Zeit (USA & Kanada)", "16:00"),
            ("(UTC-05:00) Est (É.-U. et Canada)", "13:00"), ("(UTC-05:00) New York", "13:00"),
            ("(UTC+00:00) Lissabon", "08:00"), ("(UTC-07:00) Arizona", "16:00"), ("(UTC-06:00) Saskatchewan", "15:00"),
            ("(UTC+02:00) Harare, Pretoria", "07:00"), ("(UTC-03:00) City of Buenos Aires", "12:00"),
            ("(UTC+03:00) Kuwait, Riad", "06:00"), ("(UTC+10:00) Guam, Port Moresby", "23:00"),
            ("(UTC-02:00) Koordinierte Weltzeit-02", "11:00"), ("(UTC) Temps universel coordonné", "09:00"),
            ("(UTC+05.30) Calcutta", "03:30"), ("GMT-0500", "14:00"), ("GMT+01:00 Berlin", "07:00"),
        ])
    func cities(name: String, time: String) {
        let found = found("DTSTART;TZID=\"\(name)\":20270714T090000")
        let start = date("2027-07-\(time == "23:00" ? 13 : 14)T\(time)Z")
        #expect(found?.start == start && found?.unknownZone == nil, "\(String(describing: found))")
    }

    @Test(
        "Unknown cities are reported where other places have summer time",
        arguments: ["(UTC+01:00) Atlantis", "(UTC-05:00) Paris", "GMT+1 Office"])
    func unknownCities(name: String) {
        let found = found("DTSTART;TZID=\"\(name)\":20270714T090000")
        #expect(found?.unknownZone == name && found?.start == date("2027-07-14T09:00"))
    }

    @Test(
        "A definition without an observance leaves the zone to its name",
        arguments: [
            ("Tokyo Standard Time", "", "00:00"), ("Nowhere", "", nil),
            ("Nowhere", "X-LIC-LOCATION:Asia/Tokyo\n", "00:00"),
            ("Nowhere", "BEGIN:STANDARD\nTZOFFSETFROM:+0900\nTZOFFSETTO:+0900\nEND:STANDARD\n", nil),
            ("Nowhere", "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETTO:+0900\nEND:STANDARD\n", nil),
        ] as [(String, String, String?)])
    func incomplete(name: String, lines: String, time: String?) {
        let zone = "BEGIN:VTIMEZONE\nTZID:\(name)\n\(lines)END:VTIMEZONE"
        let found = found("DTSTART;TZID=\(name):20261214T090000", zone: zone)
        #expect(found?.start == date("2026-12-14T" + (time.map { $0 + "Z" } ?? "09:00")))
        #expect(found?.unknownZone == (time == nil ? name : nil))
    }

    @Test(
        "Colons, blanks and quotation marks in the name of a zone",
        arguments: [
            ("GMT+03:00", "06:00"), ("UTC+03:00", "06:00"), ("-05:00", "14:00"), (" Asia/Tokyo", "00:00"),
            ("tzone://Microsoft/Utc", "09:00"), ("\"tzone://Microsoft/Utc\"", "09:00"),
            ("/freeassociation.sourceforge.net/UTC", "09:00"), ("/freeassociation.sourceforge.net/Tzfile/UTC", "09:00"),
        ])
    func marks(name: String, time: String) {
        let found = found("DTSTART;TZID=\(name):20261214T090000")
        #expect(found?.start == date("2026-12-14T\(time)Z") && found?.unknownZone == nil)
    }

    @Test(
        "A definition is found though its name is written otherwise",
        arguments: [
            ("Plain\\, Zone", "Plain\\, Zone"), ("\"House, Place\"", "\"House, Place\""),
            ("\"House, Garden\"", "House\\, Garden"), ("(UTC+05:00) A\\, B: C", "(UTC+05:00) A\\, B: C"),
            (" Plain", "Plain "),
        ])
    func definitions(used: String, defined: String) {
        let zone = zoneDefinition(defined)
        let found = found("DTSTART;TZID=\(used):20261214T090000", zone: zone)
        #expect(found?.start == date("2026-12-14T04:00Z") && found?.unknownZone == nil)
    }
}
