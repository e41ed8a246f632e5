import Testing

@testable import DataFiles

/// Which addresses, names and titles are those of calls. Those of known services in invitations are in `LinkedEventTests`.
@Suite("Video call services") struct CallServicesTests {
    private static let own = """
        [Acme]
        Hosts=konf.example.org;
        Names=Plausch;
        Apps=plausch;
        Schemes=plausch;
        Titles=* · Acme;
        [Town]
        HostWords=meet*;
        OwnPaths=room/;
        """

    private let services = CallServices(
        DataTable(OwnDataFiles([.init(path: "video-calls.conf", text: own)])))

    @Test("The user's own servers are recognised in addition to those of Hunch")
    func servers() {
        #expect(services.isCall("https://konf.example.org/weekly") && services.isCall("https://a.konf.example.org/x"))
        #expect(!services.isCall("https://konf.example.org/") && services.contains("https://konf.example.org/"))
        #expect(!services.isCall("https://konf.example.org/static/help.html"))
        #expect(!services.contains("https://example.org/weekly"))
        #expect(
            services.isCall("https://meeting.example.net/room/1") && !services.isCall("https://a.example.net/room/1"))
        #expect(!services.isCall("https://meeting.example.net/") && !services.contains("https://meeting.example.net/x"))
        #expect(services.isCall("https://zoom.us/j/123") && services.isCall("https://jitsi.example.com/x"))
        #expect(services.names.isSuperset(of: ["plausch", "zoom meeting"]))
        #expect(services.apps.isSuperset(of: ["plausch", "teams"]) && services.schemes.contains("plausch"))
        #expect(services.isTitle("Weekly · Acme") && !services.isTitle("Acme") && services.isTitle("Google Meet"))
    }

    @Test("Pages of a service are not calls, but belong to it")
    func pages() {
        for address in [
            "https://zoom.us/pricing", "https://discord.gg/abc", "https://hangouts.google.com/x",
            "https://teams.microsoft.com/v2/", "https://meet.google.com/",
        ] { #expect(!services.isCall(address) && services.contains(address), "\(address)") }
        for address in ["https://g.co/maps/x", "https://app.slack.com/client/T1", "https://example.org/call/center"] {
            #expect(!services.contains(address), "\(address)")
        }
        #expect(services.isCall("https://app.slack.com/huddle/T1/C1") && services.isCall("https://g.co/meet/weekly"))
        #expect(services.isCall("https://video.example.edu/html5client/join?sessionToken=a1"))
        #expect(services.isPhonePage("https://tel.meet/abc") && !services.isPhonePage("https://meet.google.com/abc"))
    }
}
