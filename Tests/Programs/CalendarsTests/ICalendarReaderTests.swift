import Calendars
import FoundationEssentials
import HunchModel
import Testing

/// Reading events from iCalendar texts (RFC 5545).
@Suite struct ICalendarReaderTests {
    private let day = 86_400.0

    /// Returns the events of a calendar with some lines within two weeks from 2026-11-23 (a Monday).
    private func events(_ lines: String, days: Double = 14, of addresses: Set<String> = []) -> [CalendarEvent] {
        var reader = ICalendarReader(
            from: date("2026-11-23T00:00Z"), until: date("2026-11-23T00:00Z").addingTimeInterval(days * day))
        return reader.events(in: Self.text(lines), of: addresses)
    }

    private static func text(_ lines: String) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + lines.replacing("\n", with: "\r\n") + "\r\nEND:VCALENDAR\r\n"
    }

    private func date(_ text: String) -> Date { WrittenTime(text)?.date ?? .distantPast }

    private func event(_ lines: String, start: String = "DTSTART:20261124T100000Z") -> String {
        "BEGIN:VEVENT\nUID:1\n\(start)\nSUMMARY:Dentist\n\(lines)\nEND:VEVENT"
    }

    @Test("An event has title, time, place and address")
    func single() throws {
        let found = try #require(
            events(
                event(
                    """
                    DTEND:20261124T103000Z
                    LOCATION:Unter den Linden 77\\, Berlin
                    URL:https://dentist.example/visit
                    DESCRIPTION:Bring the card
                    """)
            ).first)
        #expect(found.title == "Dentist")
        #expect(found.start == date("2026-11-24T10:00Z") && found.end == date("2026-11-24T10:30Z"))
        #expect(found.place == MapItem(query: "Unter den Linden 77, Berlin"))
        #expect(found.webPageURL == "https://dentist.example/visit")
        #expect(found.meetingURL == nil && !found.isAllDay)
    }

    @Test("A time in a zone keeps its time of day in winter and summer")
    func zones() {
        let weekly = event("RRULE:FREQ=WEEKLY", start: "DTSTART;TZID=Europe/Berlin:20260601T180000")
        #expect(events(weekly).map(\.start) == [date("2026-11-23T17:00Z"), date("2026-11-30T17:00Z")])
        let own = zoneDefinition("Office")
        let inOffice = event("", start: "DTSTART;TZID=Office:20261124T100000")
        #expect(events(own + "\n" + inOffice).map(\.start) == [date("2026-11-24T05:00Z")])
    }

    @Test("Occurrences, also moved ones, share the series, and a single event has none")
    func series() {
        let weekly = event("RRULE:FREQ=WEEKLY", start: "DTSTART:20261124T100000Z")
        let moved = event("RECURRENCE-ID:20261201T100000Z", start: "DTSTART:20261202T090000Z")
        let other = event("RDATE:20261125T100000Z").replacing("UID:1", with: "UID:2")
        let found = events([weekly, moved, other].joined(separator: "\n"))
        #expect(found.count == 4 && Set(found.map(\.series)).count == 2 && !found.contains { $0.series == nil })
        #expect(events(event("")).map(\.series) == [nil])
    }

    @Test("A time without a zone is on the local clock")
    func floating() {
        #expect(events(event("", start: "DTSTART:20261124T100000")).map(\.start) == [date("2026-11-24T10:00")])
    }

    @Test("A day begins at local midnight and is not a time of day")
    func days() {
        let found = events(event("RRULE:FREQ=DAILY;COUNT=3", start: "DTSTART;VALUE=DATE:20261124"))
        #expect(found.map(\.start) == ["24", "25", "26"].map { date("2026-11-\($0)T00:00") })
        #expect(found.map(\.isAllDay) == [true, true, true])
    }

    @Test("Excluded days of a series do not occur, added ones do")
    func exceptions() {
        let lines = """
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE;TZID=Europe/Berlin:20261125T090000
            RDATE;TZID=Europe/Berlin:20261201T090000
            """
        let found = events(event(lines, start: "DTSTART;TZID=Europe/Berlin:20261124T090000"))
        #expect(
            found.map(\.start)
                == ["2026-11-24", "2026-11-26", "2026-11-27", "2026-12-01"].map { date($0 + "T08:00Z") })
    }

    @Test("A moved occurrence replaces the one of the series")
    func moved() {
        let series = event("RRULE:FREQ=DAILY;COUNT=3", start: "DTSTART;TZID=Europe/Berlin:20261124T090000")
        let moved = """
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;TZID=Europe/Berlin:20261125T090000
            DTSTART;TZID=Europe/Berlin:20261125T140000
            SUMMARY:Dentist moved
            END:VEVENT
            """
        let found = events(series + "\n" + moved).sorted { $0.start < $1.start }
        #expect(found.map(\.title) == ["Dentist", "Dentist moved", "Dentist"])
        #expect(found[1].start == date("2026-11-25T13:00Z"))
        let cancelled = moved.replacing("SUMMARY", with: "STATUS:CANCELLED\nSUMMARY")
        #expect(events(series + "\n" + cancelled).count == 2)
    }

    @Test("A change of this and all later occurrences moves them by the same time")
    func movedFromNowOn() {
        let series = event("RRULE:FREQ=WEEKLY", start: "DTSTART;TZID=Europe/Berlin:20261102T090000")
        let moved = """
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261123T090000
            DTSTART;TZID=Europe/Berlin:20261123T140000
            SUMMARY:Dentist moved
            END:VEVENT
            """
        let found = events(series + "\n" + moved)
        #expect(Set(found.map(\.title)) == ["Dentist moved"])
        #expect(found.map(\.start).sorted() == [date("2026-11-23T13:00Z"), date("2026-11-30T13:00Z")])
    }

    @Test("Whole days exclude the occurrences of that day")
    func excludedDays() {
        let lines = "RRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20261125"
        let found = events(event(lines, start: "DTSTART;TZID=Europe/Berlin:20261124T090000"))
        #expect(found.map(\.start) == [date("2026-11-24T08:00Z"), date("2026-11-26T08:00Z")])
    }

    @Test("Values that the bus does not take are left out, and the event stays")
    func bounds() throws {
        let address = "https://a.example/" + String(repeating: "a", count: 5_000)
        let lines = Array(repeating: String(repeating: "x", count: 900), count: 10).joined(separator: "\\n")
        let found = try #require(events(event("URL:\(address)\nDTEND:99991231T235959Z\nLOCATION:\(lines)")).first)
        #expect(found.webPageURL == nil && (found.place?.query?.utf8.count ?? 0) <= 1_024)
        let nested = String(repeating: "BEGIN:VEVENT\n", count: 10_000)
        #expect(events(nested).isEmpty)
    }

    @Test("Cancelled and declined events are left out")
    func declined() {
        #expect(events(event("STATUS:CANCELLED")).isEmpty)
        let invitation = event(
            "ATTENDEE;PARTSTAT=DECLINED:mailto:Me@example.org\nATTENDEE;PARTSTAT=ACCEPTED:mailto:b@x.org")
        #expect(events(invitation, of: ["me@example.org"]).isEmpty)
        #expect(events(invitation, of: ["b@x.org"]).count == 1)
    }

    @Test(
        "The address of a call is found where calendars write it",
        arguments: [
            "CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://talk.example/room",
            "X-GOOGLE-CONFERENCE:https://talk.example/room",
            "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK:https://talk.example/room",
            "LOCATION:https://meet.google.com/abc-defg-hij", "URL:https://company.zoom.us/j/123?pwd=a",
            "DESCRIPTION:Zoom here:\\nhttps://zoom.us/j/111?pwd=x\\nMeeting ID: 111",
            "DESCRIPTION:Join at https://teams.microsoft.com/l/meetup-join/19%3a. Thank you",
            "DESCRIPTION:<a href=\"https://meet.jit.si/OurRoom\">here</a>",
            "LOCATION:Room 5\\, https://bbb.uni.example/b/x-y",
        ])
    func calls(line: String) throws {
        let found = try #require(events(event(line)).first)
        let meeting = try #require(found.meetingURL)
        #expect(line.contains(meeting) && !meeting.hasSuffix(".") && !meeting.contains("Meeting"))
        #expect(found.webPageURL == nil)
        #expect(found.place == (line.contains("Room 5") ? MapItem(query: "Room 5") : nil))
    }

    @Test("The password of a call stays in its address alone")
    func passwords() throws {
        let line = "LOCATION:Room 5\\, https://zoom.us/j/1?pwd=secret (Passcode: 4711)"
        let titled = event(line).replacing("SUMMARY:Dentist", with: "SUMMARY:Weekly https://zoom.us/j/1?pwd=secret")
        let found = try #require(events(titled).first)
        #expect(found.title == "Weekly https://zoom.us/j/1" && found.place == MapItem(query: "Room 5"))
        #expect(found.meetingURL == "https://zoom.us/j/1?pwd=secret")
        let untitled = event(line).replacing("SUMMARY:Dentist\n", with: "")
        #expect(try #require(events(untitled).first).title == "Room 5, https://zoom.us/j/1 (Passcode: 4711)")
    }

    @Test(
        "The label of a call is not a place",
        arguments: [
            ("Zoom: https://zoom.us/j/1", nil), ("meet.google.com/abc-defg-hij", nil),
            ("Raum 5\\, zoom.us/j/123", "Raum 5"),
            ("Raum 5 / Link zur Videokonferenz: https://zoom.us/j/1", "Raum 5"),
            ("Rathaus\\, Saal 2\\nTeams: https://teams.microsoft.com/l/meetup-join/1", "Rathaus, Saal 2"),
        ] as [(String, String?)])
    func label(location: String, place: String?) throws {
        let found = try #require(events(event("LOCATION:\(location)")).first)
        #expect(found.place == place.map { MapItem(query: $0) } && found.meetingURL != nil)
    }

    @Test("Other addresses are not calls", arguments: ["https://zoom.us/", "https://example.org/zoom.us/j/1"])
    func pages(address: String) throws {
        let found = try #require(events(event("DESCRIPTION:\(address)")).first)
        #expect(found.meetingURL == nil)
    }

    @Test("A place has the name of its first line and the position that Apple or GEO gives")
    func places() throws {
        let apple = event(
            """
            LOCATION:Café Einstein\\nUnter den Linden 42\\n10117 Berlin
            X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Café Einstein":geo:52.517,13.384
            """)
        let point = try Coordinate(latitude: 52.517, longitude: 13.384)
        #expect(events(apple).first?.place == MapItem(name: "Café Einstein", coordinate: point))
        let lines = event("LOCATION:Café Einstein\\nUnter den Linden 42\\n10117 Berlin")
        #expect(
            events(lines).first?.place == MapItem(name: "Café Einstein", query: "Unter den Linden 42, 10117 Berlin"))
        #expect(
            events(event("LOCATION:Café Einstein\nGEO:52.517;13.384")).first?.place
                == MapItem(name: "Café Einstein", coordinate: point))
        #expect(events(event("GEO:200;13")).first?.place == nil)
    }

    @Test("Events without a calendar around them and several calendars are read")
    func pieces() {
        var reader = ICalendarReader(from: date("2026-11-23T00:00Z"), until: date("2026-12-07T00:00Z"))
        let bare = event("").replacing("\n", with: "\r\n") + "\r\n"
        #expect(reader.events(in: bare).count == 1)
        #expect(
            reader.events(in: Self.text(event("")) + Self.text(event("").replacing("UID:1", with: "UID:2"))).count == 2)
    }

    @Test(
        "Texts that are not a calendar have no events",
        arguments: ["", "Hello", "BEGIN:VCALENDAR", "BEGIN:VEVENT\r\nEND:VEVENT"])
    func rubbish(text: String) {
        var reader = ICalendarReader(from: .distantPast, until: .distantFuture)
        #expect(reader.events(in: text).isEmpty)
    }

    @Test(
        "A series by the hour or minute has its times of the day",
        arguments: [
            ("20261101T093000Z", "HOURLY;INTERVAL=5", ["01:30", "06:30", "11:30", "16:30", "21:30"]),
            ("20261123T210000Z", "HOURLY;COUNT=2", ["21:00", "22:00"]),
            ("20261122T000000Z", "MINUTELY;INTERVAL=90;UNTIL=20261123T050000Z", ["00:00", "01:30", "03:00", "04:30"]),
            ("20261101T090000Z", "HOURLY;BYHOUR=9,17;BYDAY=MO,TU", ["09:00", "17:00"]),
            ("20261101T090000Z", "MINUTELY;INTERVAL=20;BYHOUR=9", ["09:00", "09:20", "09:40"]),
            ("20261120T080000Z", "HOURLY;INTERVAL=48", []), ("20261119T080000Z", "HOURLY;INTERVAL=48", ["08:00"]),
        ] as [(String, String, [String])])
    func hourly(start: String, rule: String, times: [String]) {
        let found = events(event("RRULE:FREQ=\(rule)", start: "DTSTART:\(start)"), days: 1)
        #expect(found.map(\.start) == times.map { date("2026-11-23T\($0)Z") })
    }

    @Test("A series by the hour keeps its clock in winter and summer")
    func hourlyInZone() {
        let doses = event("RRULE:FREQ=HOURLY;INTERVAL=6", start: "DTSTART;TZID=Europe/Berlin:20261001T100000")
        let times = ["03:00", "09:00", "15:00", "21:00"]
        #expect(events(doses, days: 1).map(\.start) == times.map { date("2026-11-23T\($0)Z") })
    }

    @Test(
        "A series has at most 24 times a day, and 500 in all",
        arguments: [
            ("HOURLY", 1.0, 24), ("MINUTELY", 1, 24), ("HOURLY", 14, 336), ("MINUTELY", 14, 336), ("HOURLY", 30, 500),
            ("DAILY;BYHOUR=9,10;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", 2, 48), ("SECONDLY", 14, 1),
        ] as [(String, Double, Int)])
    func frequent(rule: String, days: Double, count: Int) {
        // Midnight on the local clock, so that each day is a whole one.
        let start = date("2026-11-23T00:00")
        var reader = ICalendarReader(from: start, until: start.addingTimeInterval(days * day))
        let found = reader.events(in: Self.text(event("RRULE:FREQ=\(rule)", start: "DTSTART:20261123T000000")))
        #expect(found.count == count)
    }

    @Test("Of rules in other calendars, only days of a year are read")
    func otherCalendars() {
        let rule = "RRULE:FREQ=YEARLY;RSCALE=CHINESE;BYMONTH=10;BYMONTHDAY=15"
        let festival = event(rule, start: "DTSTART:20250101T090000Z")
        #expect(events(festival, days: 30).map(\.start) == [date("2026-11-23T09:00Z")])
        for rule in ["MONTHLY;BYMONTHDAY=1", "YEARLY;BYDAY=MO", "YEARLY;INTERVAL=2", "YEARLY;BYMONTH=1L"] {
            let event = event("RRULE:FREQ=\(rule);RSCALE=CHINESE", start: "DTSTART:20261124T090000Z")
            #expect(events(event).map(\.start) == [date("2026-11-24T09:00Z")])
        }
    }

    @Test(
        "A rule that never ends or never occurs ends the reading", .timeLimit(.minutes(5)),
        arguments: [
            "RRULE:FREQ=MINUTELY", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=HOURLY;BYYEARDAY=366",
            "RRULE:FREQ=MONTHLY;BYDAY=6MO", "RRULE:FREQ=HOURLY;COUNT=900000000;BYMONTH=2;BYMONTHDAY=30",
            "RRULE:FREQ=YEARLY;RSCALE=CHINESE;BYDAY=6MO;BYMONTH=5", "RRULE:FREQ=MONTHLY;RSCALE=CHINESE;BYDAY=6MO",
            "RRULE:FREQ=YEARLY;RSCALE=GREGORIAN;RSCALE=CHINESE;BYMONTH=12L;BYMONTHDAY=1",
            "RRU\n LE:FREQ=YEARLY;RSCALE=CHINESE;BYDAY=6MO;BYMONTH=5", "RRULE:FREQ=MINUTELY;RSCALE=CHINESE;BYMONTH=5L",
            "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=0,1,2,3,4,5,6,7;BYMINUTE=0,1,2,3,4,5,6,7;BYSECOND=0,1,2,3",
            "RRULE:FREQ=SECONDLY", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
            "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
            "RRULE:FREQ=YEARLY;INTERVAL=0", "RRULE:FREQ=WEEKLY;UNTIL=00000000", "RRULE:FREQ=DAILY",
            "RRULE:FREQ=DAILY\nEXRULE:FREQ=SECONDLY;BYSECOND=1", "RRULE:FREQ=DAILY;COUNT=900000000",
            "RRULE:FREQ=DAILY;COUNT=900000000;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3",
        ])
    func hostile(rule: String) {
        let long = event(rule, start: "DTSTART:00010101T000000Z")
        #expect(events(String(repeating: long + "\n", count: 20)).count <= 20 * 500)
    }
}
