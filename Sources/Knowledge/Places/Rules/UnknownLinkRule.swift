internal import Coordinates
internal import HunchModel
internal import Localization
internal import MapLinks

/// Rejects links that no other rule supports, because they cannot be geocoded.
struct UnknownLinkRule: PlaceRule {
    let name = "unknownLink"

    /// Hosts of online meetings, including subdomains.
    private static let meetings = [
        "zoom.us", "zoom.com", "zoomgov.com", "meet.google.com", "teams.microsoft.com", "teams.live.com", "webex.com",
        "whereby.com", "meet.jit.si", "8x8.vc", "gotomeeting.com", "gotomeet.me", "meet.goto.com", "join.skype.com",
        "bluejeans.com", "chime.aws", "discord.gg", "discord.com", "hangouts.google.com", "bigbluebutton.org",
        "facetime.apple.com", "ringcentral.com", "starleaf.com", "gather.town", "around.co", "livestorm.co",
    ]
    /// Schemes of persons, calls or programs, never of places.
    private static let placelessSchemes: Set<String> = [
        "mailto", "tel", "sms", "sip", "sips", "xmpp", "data", "javascript", "zoommtg", "zoomus", "msteams", "facetime",
        "skype", "webexteams", "callto", "matrix", "tg", "about",
    ]

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let isWeb = input.text.head(4).lowercased() == "www."
        if let link = input.link { try check(link) }
        guard input.scheme != nil || isWeb else { return nil }
        let authority = input.body.hasPrefix("//") ? input.body.dropFirst(2) : isWeb ? input.body : nil
        // "Paris: the city" has a colon, not a scheme.
        guard authority != nil || !input.body.isEmpty && !input.text.head(200).contains(where: \.isWhitespace) else {
            return nil
        }
        if authority != nil { try input.checkLinkLength() }
        // Only in web links, the authority is a host. In app links, it means something else.
        let host = input.link.flatMap { $0.isWeb ? $0.host : nil } ?? ""
        if let scheme = input.scheme, authority?.isEmpty == true {
            throw PlaceError(
                .unsupportedLink,
                localized("the link ends after “%1://”; copy all of it, or give an address or a name", scheme))
        }
        throw PlaceError(
            .unsupportedLink,
            host.isEmpty
                ? localized(
                    "links with the scheme %1 are not supported; give coordinates, an address or a name",
                    input.scheme ?? "")
                : localized(
                    "links to %1 are not supported; give coordinates, an address or a name", host.cut(to: 253)))
    }

    private func check(_ link: Link) throws(PlaceError) {
        if Self.placelessSchemes.contains(link.scheme) {
            throw PlaceError(
                .notAPlace, localized("a %1: link is not a place; give coordinates, an address or a name", link.scheme))
        }
        guard link.isWeb else { return }
        if ShortLinks.hosts.contains(link.host) {
            throw PlaceError.short(link.host)
        }
        if Self.meetings.contains(where: { link.isWithin($0) }) {
            throw PlaceError(
                .notAPlace, localized("the link leads to a meeting at %1, which is not a place", link.host))
        }
    }
}
