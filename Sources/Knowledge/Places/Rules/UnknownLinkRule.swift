internal import Coordinates
internal import DataFiles
internal import HunchModel
internal import Localization
internal import MapLinks

/// Rejects links that no other rule supports, because they cannot be geocoded.
struct UnknownLinkRule: PlaceRule {
    let name = "unknownLink"

    /// Schemes of persons or programs, never of places.
    private static let placelessSchemes: Set<String> = [
        "mailto", "tel", "sms", "sip", "sips", "xmpp", "data", "javascript", "callto", "matrix", "tg", "about",
    ]

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let isWeb = input.text.head(4).lowercased() == "www."
        if let link = input.link { try check(link, input.scheme == nil ? "https://" + input.text : input.text) }
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

    private func check(_ link: Link, _ address: String) throws(PlaceError) {
        if Self.placelessSchemes.contains(link.scheme) || CallServices.known.schemes.contains(link.scheme) {
            throw PlaceError(
                .notAPlace, localized("a %1: link is not a place; give coordinates, an address or a name", link.scheme))
        }
        guard link.isWeb else { return }
        if ShortLinks.hosts.contains(link.host) {
            throw PlaceError.short(link.host)
        }
        if CallServices.known.contains(address) {
            throw PlaceError(
                .notAPlace, localized("the link leads to a meeting at %1, which is not a place", link.host))
        }
    }
}
