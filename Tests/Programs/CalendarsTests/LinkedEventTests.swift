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
        "Properties with the call are restored, and pages with numbers are not calls",
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

    @Test(
        "The address of the call is distinguished from pages about it",
        arguments: [
            ("https://zoom.us/j/123456789?pwd=a", true), ("https://us02web.zoom.us/wc/join/1", true),
            ("https://zoom.us/meeting/abc/ics?icsToken=1", false), ("https://zoom.us/pricing", false),
            ("HTTPS://zoom.com/j/123", true), ("https://teams.microsoft.com/l/meetup-join/19%3ameeting_a/0", true),
            ("https://teams.microsoft.com/meetingOptions/?organizerId=1", false),
            ("https://teams.cloud.microsoft/meet/123?p=a", true), ("https://teams.live.com/meet/93", true),
            ("https://example.webex.com/meet/name", true), ("https://example.webex.com/example/j.php?MTID=m1", true),
            ("https://meet.google.com/abc-defg-hij", true), ("https://meet.google.com/", false),
            ("https://meet.jit.si/Room", true), ("https://cloud.example.org/call/a8bc3xyz", true),
            ("https://cloud.example.org/index.php/call/a8bc3xyz", true),
            ("https://bbb.example.org/b/ann-x4k-2jz", true),
            ("https://meet.example.org/b/ann-x4k-2jz", true), ("https://facetime.apple.com/join#v=1&p=a", true),
            ("https://example.org/call/center", false), ("https://meet.jit.si/SupportTeam", true),
            ("https://meet.jit.si/Telecom", true), ("https://hotel.example/rooms/deluxe101", false),
            ("https://example.org/b/12345678", false), ("https://teams.microsoft.com/v2/", false),
            ("https://zoom.us/meeting/register/tZ0kd", false),
            ("https://bbb.example.org/playback/presentation/2.3/a1b2", false),
            ("https://example.org/files/index.php/call/pqrs1234", true), ("https://example.org/nc/call/pqrs1234", true),
            ("https://nextcloud.example.org/call/mnbvcxzk", true),
            ("https://example.org/index.php/call/mnbvcxzk", true),
            ("https://example.org/call/pqrs2345tuvw", true), ("https://example.org/call/customers", false),
            ("https://example.org/call/customer2024", false), ("https://example.org/index.php/call/", false),
            ("https://cloud.example.org/index.php/apps/bbb/b/pQrSTU456", true),
            ("https://cloud.example.org/apps/bbb/b/pQrSTU456", true),
            ("https://example.edu/moodle/mod/bigbluebuttonbn/view.php?id=45", true),
            ("https://example.edu/mod/bigbluebuttonbn/index.php", false), ("https://g.co/meet/weekly", true),
            ("https://a.webex.com/webappng/sites/a/dashboard/pmr/ann", true),
            ("https://a.webex.com/webappng/sites/a/dashboard/home", false),
            ("https://meetings.webex.com/collabs/meetings/join?uuid=M2", true), ("https://meet.ffmuc.net/Club", true),
            ("https://jitsi.org/downloads/", false), ("https://jitsi.github.io/handbook/", false),
            ("https://jitsi.example.org/Club", true), ("https://meet.google.com/about", false),
            ("https://meet.google.com/new", false),
        ])
    func calls(address: String, isCall: Bool) {
        let description = "DESCRIPTION:Options https://teams.microsoft.com/meetingOptions/?a=1\\nJoin \(address)"
        #expect(found(description)?.meetingURL == (isCall ? address : nil))
    }

    @Test(
        "Rewritten addresses of calls are restored",
        arguments: [
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F123&data=05",
            "https://eur01.safelinks.protection.outlook.com/ap/t-5/?url=https%3A%2F%2Fzoom.us%2Fj%2F123&amp;data=0",
            "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html"
                + "?url=https%3A%2F%2Fzoom.us%2Fj%2F123&locale=en-us",
            "https://urldefense.proofpoint.com/v1/url?u=https://zoom.us/j/123&k=a",
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__zoom.us_j_123&d=DwMF",
            "https://urldefense.com/v3/__https://zoom.us/j/123__;!!abc!def$",
            "https://urldefense.us/v3/__https:/zoom.us/j/123__;!!abc!def$",
            "https://urldefense.com/v3/__https:/*zoom.us/j/123__;Lw!!abc!def$",
            "https://urldefense.com/v3/__https:**Azoom.us/j/123__;Ly8!!abc!def$",
            "https://usg01.safelinks.protection.office365.us/?url=https%3A%2F%2Fzoom.us%2Fj%2F123&data=05",
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2F"
                + "zoom.us%2Fj%2F123__%3B!!abc!def%24&data=05",
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__eur01.safelinks.protection.outlook.com_-3Furl-3D"
                + "https-253A-252F-252Fzoom.us-252Fj-252F123-26data-3D05&d=Dw",
        ])
    func rewritten(address: String) {
        #expect(found("DESCRIPTION:Join \(address) now")?.meetingURL == "https://zoom.us/j/123")
    }

    @Test("The characters that urldefense replaced are restored")
    func replaced() {
        let rewritten =
            "https://urldefense.com/v3/__https://teams.microsoft.com/l/meetup-join/19*3ameeting_NDk0*40thread.v2/0"
            + "?context=*7b*22Tid*22*3a*22x*22*7d__;JSUlJSUlJSUl!!AbC!xyz$"
        #expect(
            found("DESCRIPTION:Join \(rewritten)")?.meetingURL
                == "https://teams.microsoft.com/l/meetup-join/19%3ameeting_NDk0%40thread.v2/0"
                + "?context=%7b%22Tid%22%3a%22x%22%7d")
        // A character is missing.
        #expect(found("DESCRIPTION:\(rewritten.replacing("JSUlJSUlJSUl", with: "JSUl"))")?.meetingURL == nil)
    }
}
