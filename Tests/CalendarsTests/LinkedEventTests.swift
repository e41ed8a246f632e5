import Calendars
import FoundationEssentials
import HunchModel
import Testing

/// The links of events: to their places and calls.
@Suite("Links of events") struct LinkedEventTests {
    private func found(_ lines: String) -> CalendarEvent? {
        let start = Date(timeIntervalSince1970: 1_795_392_000)
        var reader = ICalendarReader(from: start, until: start.addingTimeInterval(60 * 86_400))
        return reader.events(
            in: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:20261210T090000Z\n\(lines)\n"
                + "END:VEVENT\nEND:VCALENDAR\n"
        ).first
    }

    @Test(
        "Parentheses belong to an address if they begin in it",
        arguments: [
            ("https://maps.google.com/maps?q=48.1374\\,11.5755+(Marienplatz)", "Marienplatz"),
            ("(https://maps.google.com/maps?q=48.1374\\,11.5755)", nil),
            ("<https://maps.google.com/maps?q=48.1374\\,11.5755>", nil),
        ] as [(String, String?)])
    func parentheses(location: String, name: String?) {
        let place = found("LOCATION:\(location)")?.place
        #expect(place?.coordinate?.latitude == 48.1374 && place?.name == name, "\(String(describing: place))")
    }

    @Test(
        "Properties with the call are restored, and pages with numbers are none",
        arguments: [
            "CONFERENCE;VALUE=URI:https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F123&d=0",
            "CONFERENCE;VALUE=URI:https://tel.meet/abc-defg-hij\nDESCRIPTION:https://zoom.us/j/123",
            "DESCRIPTION:https://global.gotomeeting.com/install/1 or https://zoom.us/j/123",
            "DESCRIPTION:https://meet.jit.si/static/dialInInfo.html?room=a or (https://zoom.us/j/123)",
            "DESCRIPTION:https://a.webex.com/webappng/sites/a/recording/play/b or https://zoom.us/j/123",
            "DESCRIPTION:https://urldefense.com/v3/__https://zoom.us/j/*23__;MQ!!A!b$",
        ])
    func properties(lines: String) {
        #expect(found(lines)?.meetingURL == "https://zoom.us/j/123")
    }

    @Test("Characters that urldefense replaced may have several bytes")
    func characters() {
        let address = "https://urldefense.com/v3/__https://meet.jit.si/B*ro**A__;w7xhYg!!A!b$"
        #expect(found("DESCRIPTION:\(address)")?.meetingURL == "https://meet.jit.si/Büroab")
    }
}
