import Calendars
import FoundationEssentials
import Glibc
import HunchModel
import Testing

/// Calendars as programs write them, beyond RFC 5545.
@Suite("Calendars as programs write them", .timeLimit(.minutes(15))) struct WrittenCalendarTests {
    private func events(_ text: String, days: Double = 60) -> [CalendarEvent] {
        let start = date("2026-11-23T00:00Z")
        var reader = ICalendarReader(from: start, until: start.addingTimeInterval(days * 86_400))
        return reader.events(in: text)
    }

    private func calendar(_ lines: String, method: String = "PUBLISH") -> String {
        "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:\(method)\n\(lines)\nEND:VCALENDAR\n"
    }

    private func event(_ lines: String, uid: String = "1", start: String = "DTSTART:20261210T090000Z") -> String {
        "BEGIN:VEVENT\nUID:\(uid)\nSUMMARY:Dentist\n\(start)\n\(lines)\nEND:VEVENT"
    }

    private func found(_ lines: String, start: String = "DTSTART:20261210T090000Z") -> CalendarEvent? {
        events(calendar(event(lines, start: start))).first
    }

    private func date(_ text: String) -> Date { WrittenTime(text)?.date ?? .distantPast }

    /// Returns the day of a date on the local clock.
    private func day(_ date: Date) -> String {
        var time = time_t(clamping: date.timeIntervalSince1970, .down)
        var parts = tm()
        localtime_r(&time, &parts)
        return "\(parts.tm_mon + 1)-\(parts.tm_mday)"
    }

    @Test(
        "Zones without a definition are known by their other names",
        arguments: [
            ("Eastern Standard Time", "14:00"), ("W. Europe Standard Time", "08:00"), ("Tokyo Standard Time", "00:00"),
            ("Eastern Standard Time 1", "14:00"), ("/mozilla.org/20070129_1/America/New_York", "14:00"),
            ("/freeassociation.sourceforge.net/Europe/Berlin", "08:00"), ("america/new_york", "14:00"),
            ("EUROPE/BERLIN", "08:00"), ("\"(UTC-05:00) Eastern Time (US & Canada)\"", "14:00"),
            ("\"(UTC+05:30) Chennai, Kolkata, Mumbai\"", "03:30"), ("GMT-0500", "14:00"), ("UTC+2", "07:00"),
            ("\"(UTC-05:00) Indiana (East)\"", "14:00"), ("\"(UTC+02:00) Cairo\"", "07:00"), ("GMT", "09:00"),
            ("GMT Standard Time", "09:00"), ("India Standard Time", "03:30"), ("GMT+0530", "03:30"),
            ("GMT+0545", "03:15"), ("GMT-0330", "12:30"), ("\"UTC-03:30\"", "12:30"), ("\"UTC+05:30\"", "03:30"),
            ("\"GMT+5:30\"", "03:30"), ("\"(UTC+05:45) Somewhere\"", "03:15"), ("+0100", "08:00"),
            ("\"-08:00\"", "17:00"), ("/mozilla.org/20050126_1/US/Eastern", "14:00"),
            ("\"Eastern Time (US & Canada)\"", "14:00"),
        ])
    func zones(name: String, time: String) {
        let found = found("", start: "DTSTART;TZID=\(name):20261210T090000")
        #expect(
            found?.start == date("2026-12-10T\(time)Z") && found?.unknownZone == nil, "\(String(describing: found))")
    }

    @Test(
        "The names of the zone database are known in lower case",
        arguments: [
            "US/Pacific", "America/Port-au-Prince", "Europe/Isle_of_Man", "Antarctica/DumontDUrville", "Australia/ACT",
            "Etc/GMT+5", "EST5EDT", "CET",
        ])
    func lowerCase(name: String) throws {
        let known = try #require(found("", start: "DTSTART;TZID=\(name):20261210T090000"))
        let lower = found("", start: "DTSTART;TZID=\(name.lowercased()):20261210T090000")
        #expect(lower?.start == known.start && lower?.unknownZone == nil && known.unknownZone == nil)
    }

    @Test("A series in a zone of half an hour keeps its time of day")
    func halfHours() {
        let series = event("RRULE:FREQ=DAILY;COUNT=2", start: "DTSTART;TZID=GMT-0330:20261210T220000")
        #expect(events(calendar(series)).map(\.start) == ["2026-12-11T01:30Z", "2026-12-12T01:30Z"].map(date))
    }

    @Test("An unknown zone is reported, and the time is on the local clock")
    func unknownZone() {
        for zone in ["Office Berlin", "UTC-14", "GMT+2575", "-08h"] {
            let found = found("", start: "DTSTART;TZID=\(zone):20261210T090000")
            #expect(found?.unknownZone == zone && found?.start == date("2026-12-10T09:00"))
        }
    }

    @Test("A zone may be defined in another calendar of the file")
    func zoneElsewhere() {
        let zone = zoneDefinition("Office")
        let text = calendar(zone) + calendar(event("", start: "DTSTART;TZID=Office:20261210T090000"))
        #expect(events(text).map(\.start) == [date("2026-12-10T04:00Z")])
    }

    @Test("A zone that would change every second is read at once")
    func frequentZone() {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:X
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:+0500
            TZOFFSETTO:-0200
            RRULE:FREQ=SECONDLY;RSCALE=CHINESE;SKIP=FORWARD
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
            END:STANDARD
            END:VTIMEZONE
            """
        #expect(events(calendar(zone + "\n" + event("", start: "DTSTART;TZID=X:20261210T090000"))).count == 1)
    }

    @Test(
        "The position is read in every notation",
        arguments: [
            "GEO:51.33701,6.52919", "GEO:51.33701\\;6.52919", "GEO:51.33701\\,6.52919",
            "LOCATION:https://www.google.com/maps?q=51.33701\\,6.52919",
            "LOCATION:https://maps.apple.com/?ll=51.33701\\,6.52919",
            "LOCATION:Hut\\n https://www.openstreetmap.org/?mlat=51.33701&mlon=6.52919",
            "LOCATION:51.33701\\, 6.52919", "LOCATION:geo:51.33701\\,6.52919",
            "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=\"Hut\":geo:51.33701,6.52919",
            "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:51.33701\\,6.52919",
        ])
    func position(lines: String) throws {
        #expect(try found(lines)?.place?.coordinate == Coordinate(latitude: 51.33701, longitude: 6.52919))
    }

    @Test("Words next to a position are kept, and so is a place next to 0;0")
    func words() {
        #expect(found("GEO:0;0\nLOCATION:Krefeld")?.place == MapItem(query: "Krefeld"))
        let place = found("LOCATION:Alpine Hut\\nhttps://www.google.com/maps?q=51.33701\\,6.52919")?.place
        #expect(place?.name == "Alpine Hut")
        for position in ["geo:51.33701\\,6.52919", "51.33701\\, 6.52919"] {
            #expect(found("LOCATION:\(position)")?.place?.name == nil)
        }
        #expect(found("LOCATION:Hut\nGEO:51.33701;6.52919")?.place?.name == "Hut")
        let titled = found("X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=\"Hut\\, Valley\":geo:51.3,6.5")?.place
        #expect(titled?.name == "Hut, Valley")
        let small = found("x-apple-structured-location;value=uri;x-title=\"Hut\":GEO:51.3,6.5")?.place
        #expect(small?.name == "Hut" && small?.coordinate != nil)
        let quoted = found("X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=^'Hut^'^nValley ^^:geo:51.3,6.5")?.place
        #expect(quoted?.name == "\"Hut\" Valley ^")
    }

    @Test("Added dates have their own zone, or are periods")
    func addedDates() {
        let berlin = "DTSTART;TZID=Europe/Berlin:20261201T090000"
        let own = event("DURATION:PT1H\nRDATE;TZID=America/New_York:20261212T090000", start: berlin)
        #expect(events(calendar(own)).map(\.start) == [date("2026-12-01T08:00Z"), date("2026-12-12T14:00Z")])
        let period = event("RDATE;VALUE=PERIOD:20261212T090000Z/PT2H", start: "DTSTART:20261201T090000Z")
        #expect(events(calendar(period)).map(\.start) == [date("2026-12-01T09:00Z"), date("2026-12-12T09:00Z")])
    }

    @Test(
        "A period has its own end",
        arguments: [
            ":20261212T090000Z/PT2H", ":20261212T090000Z/20261212T110000Z",
            ";TZID=Asia/Tokyo:20261212T180000/20261212T200000", ";TZID=Asia/Tokyo:20261212T180000/PT2H",
        ])
    func periods(value: String) {
        let own = event("DURATION:PT30M\nRDATE;VALUE=PERIOD\(value)", start: "DTSTART:20261201T090000Z")
        let found = events(calendar(own))
        #expect(found.map(\.start) == [date("2026-12-01T09:00Z"), date("2026-12-12T09:00Z")])
        #expect(found.map(\.end) == [date("2026-12-01T09:30Z"), date("2026-12-12T11:00Z")])
    }

    @Test(
        "A replacement may name its occurrence in another zone or type",
        arguments: [";TZID=GMT Standard Time:20261217T000000", ";VALUE=DATE:20261217", ":20261217T120000Z"])
    func replacements(named: String) {
        let series = event(
            "RRULE:FREQ=WEEKLY;UNTIL=20270116T230000Z;INTERVAL=2;BYDAY=TH", start: "DTSTART;VALUE=DATE:20261203")
        let other = event("RECURRENCE-ID\(named)", start: "DTSTART;VALUE=DATE:20261218")
        let days = events(calendar(series + "\n" + other)).map { day($0.start) }
        #expect(days == ["12-3", "12-18", "12-31", "1-14"])
    }

    @Test("A replacement hides one occurrence of its day only")
    func oneOfADay() {
        let evening = event("RRULE:FREQ=DAILY;COUNT=3", start: "DTSTART;TZID=America/New_York:20261209T200000")
        let moved = event("RECURRENCE-ID:20261211T010000Z", start: "DTSTART:20261211T020000Z")
        let starts = ["2026-12-10T01:00Z", "2026-12-11T02:00Z", "2026-12-12T01:00Z"].map(date)
        #expect(events(calendar(evening + "\n" + moved)).map(\.start) == starts)
        let twice = event("RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,15")
        let later = event("RECURRENCE-ID:20261210T090000Z", start: "DTSTART:20261210T100000Z")
        #expect(
            events(calendar(twice + "\n" + later)).map(\.start)
                == ["2026-12-10T10:00Z", "2026-12-10T15:00Z"].map(date))
    }

    @Test("Cancelling a series cancels its moved occurrences")
    func cancelledSeries() {
        let series = event("RRULE:FREQ=DAILY;COUNT=3\nSEQUENCE:1")
        let moved = event("RECURRENCE-ID:20261211T090000Z\nSEQUENCE:1", start: "DTSTART:20261211T110000Z")
        let cancelled = calendar(event("RRULE:FREQ=DAILY;COUNT=3\nSEQUENCE:2"), method: "CANCEL")
        #expect(events(calendar(series + "\n" + moved) + cancelled).isEmpty)
    }

    @Test("The newest of several versions counts")
    func versions() {
        let old = event("SEQUENCE:1\nDTSTAMP:20261101T000000Z")
        let new = event("SEQUENCE:2\nDTSTAMP:20261102T000000Z", start: "DTSTART:20261211T090000Z")
        for text in [old + "\n" + new, new + "\n" + old] {
            #expect(events(calendar(text)).map(\.start) == [date("2026-12-11T09:00Z")])
        }
    }

    @Test(
        "Of several versions of a moved occurrence the newest counts, named by day or by time",
        arguments: [
            ("RECURRENCE-ID;VALUE=DATE:20261211", "RECURRENCE-ID:20261211T090000Z"),
            ("RECURRENCE-ID:20261211T090000Z", "RECURRENCE-ID;VALUE=DATE:20261211"),
            ("RECURRENCE-ID:20261211T090000Z", "RECURRENCE-ID;TZID=Europe/Berlin:20261211T100000"),
            ("RECURRENCE-ID;VALUE=DATE:20261211", "RECURRENCE-ID;VALUE=DATE:20261211"),
        ])
    func movedVersions(old: String, new: String) {
        let series = event("RRULE:FREQ=DAILY;COUNT=3")
        let first = event("\(old)\nSEQUENCE:1", start: "DTSTART:20261211T150000Z")
        let second = event("\(new)\nSEQUENCE:2", start: "DTSTART:20261211T170000Z")
        let expected = ["2026-12-10T09:00Z", "2026-12-11T17:00Z", "2026-12-12T09:00Z"].map(date)
        for text in ["\(series)\n\(first)\n\(second)", "\(second)\n\(series)\n\(first)"] {
            #expect(events(calendar(text)).map(\.start) == expected)
        }
    }

    @Test("A cancellation removes the event, however it is written")
    func cancellations() {
        #expect(events(calendar(event("STATUS:CANCELED"))).isEmpty)
        #expect(events(calendar(event("STATUS:CANCELLED"))).isEmpty)
        let cancelled = calendar(event("SEQUENCE:2"), method: "CANCEL")
        #expect(events(calendar(event("SEQUENCE:1")) + cancelled).isEmpty)
        #expect(events(cancelled + calendar(event("", uid: "2"))).count == 1)
        let series = event("RRULE:FREQ=DAILY;COUNT=3")
        let one = event("RECURRENCE-ID:20261211T090000Z", start: "DTSTART:20261211T090000Z")
        #expect(events(calendar(series) + calendar(one, method: "CANCEL")).count == 2)
    }

    @Test(
        "Unusual rules keep the series",
        arguments: [
            ("FREQ=WEEKLY;UNTIL=20261230T000000Z;COUNT=10", 3), ("FREQ=WEEKLY;COUNT=2;UNTIL=20270201T000000Z", 2),
            ("FREQ=WEEKLY;COUNT=-1;UNTIL=20261230T000000Z", 3), ("FREQ=WEEKLY;BYDAY=TH,;COUNT=3", 3),
            ("FREQ=WEEKLY;BYDAY=;COUNT=2", 2), ("FREQ=DAILY;INTERVAL=;COUNT=2", 2),
            ("FREQ=WEEKLY;INTERVAL=0;COUNT=3", 3), ("FREQ=WEEKLY;INTERVAL=-1;COUNT=3", 3),
            ("FREQ=WEEKLY;X-FOO=1;COUNT=3", 3), ("FREQ=WEEKLY;EXCEPTION=x;COUNT=3", 3),
            ("FREQ=WEEKLY; BYDAY=TH;COUNT=3", 3), ("FREQ=WEEKLY;BYDAY=TH;BYDAY=TH;COUNT=3", 3),
            ("FREQ=WEEKLY;BYDAY=+TH;COUNT=3", 3), ("FREQ=WEEKLY;BYDAY=TH FR;COUNT=3", 3),
            ("RRULE:FREQ=WEEKLY;COUNT=3", 3), ("FREQ=WEEKLY;COUNT=3.0", 3), ("FREQ=WEEKLY;COUNT=\"3\"", 3),
            ("FREQ=WEEKLY;BYDAY=2TH;COUNT=3", 3), ("FREQ=WEEKLY;UNTIL=20261224", 3),
            ("freq=weekly;byday=th;count=3", 3), ("FREQ=WEEKLY;UNTIL=2026-12-24", 3),
            ("FREQ=WEEKLY;UNTIL=2026-12-24T09:00:00Z", 3),
        ])
    func rules(rule: String, count: Int) {
        let days = events(calendar(event("RRULE:\(rule)"))).map { day($0.start) }
        #expect(days.count == count && (!rule.contains("WEEKLY;BYDAY=2") || days == ["12-10", "12-17", "12-24"]))
    }

    @Test(
        "Microsoft's property makes an event from midnight to midnight last whole days",
        arguments: [
            ("20261210T000000Z", "DTEND:20261211T000000Z", "TRUE", true), ("20261210T000000Z", "", "TRUE", true),
            ("20261210T000000", "DURATION:P1D", "TRUE", true), ("20261210T000000Z", "", "FALSE", false),
            ("20261210T090000Z", "DTEND:20261210T100000Z", "TRUE", false), ("20261210T090000Z", "", "TRUE", false),
            ("20261210T000000Z", "DTEND:20261210T010000Z", "TRUE", false),
        ])
    func markedDays(start: String, end: String, mark: String, isAllDay: Bool) {
        for name in ["CDO", "MSNCALENDAR"] {
            let found = found("\(end)\nX-MICROSOFT-\(name)-ALLDAYEVENT:\(mark)", start: "DTSTART:\(start)")
            #expect(found?.isAllDay == isAllDay)
        }
    }

    @Test("A whole day by Microsoft's property is a day in its zone")
    func wholeDays() {
        let tokyo = found("X-MICROSOFT-CDO-ALLDAYEVENT:TRUE", start: "DTSTART;TZID=Asia/Tokyo:20261210T000000")
        #expect(tokyo.map { day($0.start) } == "12-10")
    }

    @Test("The call may be in the description as HTML alone")
    func html() {
        let lines = "X-ALT-DESC;FMTTYPE=text/html:<p><a href=\"https://zoom.us/j/123?a=1&amp;b=2\">Join</a></p>"
        #expect(found(lines)?.meetingURL == "https://zoom.us/j/123?a=1&b=2")
    }

    @Test(
        "Calendars of version 1.0 are quoted-printable in any character encoding",
        arguments: [
            ("LOCATION;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 M=C3=BCller", "Café Müller"),
            ("LOCATION;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9 M=FCller", "Café Müller"),
            ("LOCATION;ENCODING=QUOTED-PRINTABLE;CHARSET=windows-1251:=CC=EE=F1=EA=E2=E0", "Москва"),
            ("LOCATION;CHARSET=SHIFT_JIS;ENCODING=quoted-printable:=93=8C=8B=9E", "東京"),
            ("LOCATION;QUOTED-PRINTABLE:Stra=DFe 1", "Straße 1"),
            ("LOCATION;CHARSET=GB2312;ENCODING=QUOTED-PRINTABLE:=B1=B1=BE=A9", "北京"),
            ("location;encoding=quoted-printable;charset=utf-8:=C5=81=C3=B3d=C5=BA", "Łódź"),
            ("LOCATION;ENCODING=QUOTED-PRINTABLE:Main =\nHall =\nNorth", "Main Hall North"),
            ("LOCATION;ENCODING=QUOTED-PRINTABLE:Caf=C3=\r\n=A9", "Café"),
            ("LOCATION;LANGUAGE=de;ENCODING=QUOTED-PRINTABLE:Raum 3=2C Haus B", "Raum 3, Haus B"),
            ("LOCATION;ENCODING=QUOTED-PRINTABLE:1 = one", "1 = one"),
        ])
    func quotedPrintable(line: String, words: String) {
        let text = calendar(event(line)).replacing("VERSION:2.0", with: "VERSION:1.0")
        #expect(events(text).first?.place == MapItem(query: words))
        #expect(events(text).first?.title == "Dentist")
    }

    @Test("A quoted-printable title has one line, and the properties after it are read")
    func quotedTitle() {
        let text = calendar(
            "BEGIN:VEVENT\nDTSTART:20261210T090000Z\nSUMMARY;ENCODING=QUOTED-PRINTABLE:Zahn=\n=C3=A4rztin=0D=0ADr. X"
                + "\nLOCATION:Ulm\nEND:VEVENT")
        #expect(events(text).first?.title == "Zahnärztin Dr. X" && events(text).first?.place == MapItem(query: "Ulm"))
    }

    @Test(
        "Midnights exclude days of a series of days",
        arguments: [
            "EXDATE:20261211T000000Z", "EXDATE;TZID=Europe/Berlin:20261211T000000", "EXDATE:20261211T000000",
            "EXDATE;VALUE=DATE:20261211",
        ])
    func excludedDays(line: String) {
        let found = events(
            calendar(event("RRULE:FREQ=DAILY;COUNT=3\n\(line)", start: "DTSTART;VALUE=DATE:20261210")))
        #expect(found.map { day($0.start) } == ["12-10", "12-12"])
    }

    @Test("Lines may end with a carriage return alone")
    func carriageReturns() {
        let text = calendar(event("LOCATION:Ulm")).replacing("\n", with: "\r")
        #expect(events(text).first?.place == MapItem(query: "Ulm"))
    }
}
