internal import HunchModel

/// Finds the address of an event's call.
enum MeetingLink {
    /// The properties whose value is the address of a call: RFC 7986, and those of Google and Microsoft.
    static let properties = [
        "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MICROSOFT-ONLINEMEETINGCONFLINK",
    ]
    /// The hosts of call services. The hosts below them count, too.
    private static let hosts = [
        "meet.google.com", "zoom.us", "zoomgov.com", "teams.microsoft.com", "teams.live.com", "webex.com",
        "meet.jit.si", "whereby.com", "gotomeeting.com", "meet.goto.com", "chime.aws", "bluejeans.com",
        "call.element.io", "join.skype.com", "meetings.dialpad.com", "meet.livestorm.co", "app.gather.town",
        "visio.numerique.gouv.fr",
    ]
    /// The words in the host name of servers that organizations run themselves: BigBlueButton, Jitsi.
    private static let words: Set<Substring> = ["bbb", "bigbluebutton", "jitsi"]
    /// The characters, besides white space, that end an address in a text.
    private static let ends: Set<Character> = [
        "<", ">", "\"", "'", "(", ")", "[", "]", "{", "}", "|", "\\", "^", "`", ",", ";",
    ]

    /// Returns the first address of a known call service in a text; `nil` if there is none.
    ///
    /// - Parameter text: the location, the address or the description of an event.
    static func first(in text: String) -> String? { addresses(in: text).first(where: isMeeting) }

    /// Returns the text without web addresses.
    static func removingAddresses(from text: String) -> String {
        addresses(in: text).reduce(text) { $0.replacing($1, with: " ") }
    }

    private static func isMeeting(_ address: String) -> Bool {
        guard let host = WebAddress.host(of: address)?.lowercased() else { return false }
        let isKnown = hosts.contains { host == $0 || host.hasSuffix("." + $0) }
        // The pages of a service are no calls.
        let hasPath = address.drop { $0 != ":" }.dropFirst(3).contains("/") && address.last != "/"
        return hasPath && (isKnown || host.split(separator: ".").contains(where: words.contains))
    }

    private static func addresses(in text: String) -> [String] {
        var addresses: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "http") {
            let address = rest[start.lowerBound...].prefix { !ends.contains($0) && !$0.isWhitespace }
            rest = rest[start.lowerBound...].dropFirst(max(address.count, 4))
            guard address.utf8.count <= Activity.Limit.url, WebAddress.host(of: String(address)) != nil else {
                continue
            }
            // A full stop ends the sentence rather than the address.
            addresses.append(String(address.last == "." ? address.dropLast() : address))
        }
        return addresses
    }
}
