internal import HunchModel

/// What has the form of a link and was not understood: refused, since no gazetteer knows links.
struct UnknownLinkRule: PlaceRule {
    let name = "unknownLink"

    /// Hosts whose links are only names for other links, which their servers tell.
    private static let shorteners: Set<String> = [
        "maps.app.goo.gl", "goo.gl", "g.co", "bit.ly", "t.co", "tinyurl.com", "maps.apple", "her.is", "binged.it",
    ]
    /// Schemes that name a person, a call or a program, never a place.
    private static let placelessSchemes: Set<String> = [
        "mailto", "tel", "sms", "sip", "sips", "xmpp", "data", "javascript",
    ]

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let isWeb = input.text.prefix(4).lowercased() == "www."
        guard input.scheme != nil || isWeb else { return nil }
        let authority = input.body.hasPrefix("//") ? input.body.dropFirst(2) : isWeb ? input.body : nil
        // "Paris: the city" has a colon, not a scheme.
        guard authority != nil || !input.body.isEmpty && !input.text.prefix(200).contains(where: \.isWhitespace) else {
            return nil
        }
        if let scheme = input.scheme, Self.placelessSchemes.contains(scheme) {
            throw PlaceError(.notAPlace, "a \(scheme): link names no place")
        }
        let host = authority.map { $0.prefix(253).prefix { !"/?#:".contains($0) }.lowercased() }
        if let host, Self.shorteners.contains(host) {
            throw PlaceError(.needsNetwork, "the link leads through \(host), which only the network can follow")
        }
        let kind = host.flatMap { $0.isEmpty ? nil : "to \($0)" } ?? "with the scheme \(input.scheme ?? "")"
        throw PlaceError(.unsupportedLink, "links \(kind) are not understood; give coordinates, an address or a name")
    }
}
