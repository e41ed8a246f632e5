import MapLinks

extension PlaceInput {
    /// The link within a link: Android's `intent:`, and redirection pages such as those of mail programs and consent
    /// dialogs. Returns the input itself if it is neither, or if the inner link is broken.
    var unwrapped: PlaceInput {
        guard let link, let inside = Self.target(of: link), let input = try? PlaceInput(checking: inside),
            input.link != nil
        else { return self }
        return input
    }

    private static func target(of link: Link) -> String? {
        if link.scheme == "intent" { return intent(link) }
        guard link.isWeb else { return nil }
        let target: String?
        switch link.host {
        case "l.facebook.com", "lm.facebook.com", "l.instagram.com": target = try? link.query.text("u")
        case _ where link.host.hasPrefix("consent.") && GoogleRule.isGoogle(String(link.host.dropFirst(8))) == false:
            target = try? link.query.text("continue")
        // The long form of a short link.
        case "maps.app.goo.gl": target = try? link.query.text("link")
        // The link of the page that is shown if the app is not installed.
        case "link.ingress.com": target = try? link.query.text("ofl")
        case "out.reddit.com": target = try? link.query.text("url")
        case _ where link.isWithin("safelinks.protection.outlook.com"): target = try? link.query.text("url")
        case _ where GoogleRule.isGoogle(link.host) == false && link.pathBegins("url"):
            target = try? link.query.text("q", "url")
        default: return nil
        }
        // A text without a scheme would be a search. Decoding has turned each "+" of the inner link into a space.
        return target.flatMap { $0.contains("://") || $0.hasPrefix("geo:") ? $0.replacing(" ", with: "+") : nil }
    }

    /// Returns the link of `intent://HOST/PATH#Intent;scheme=https;package=…;end`; Android's `Intent.toUri`.
    private static func intent(_ link: Link) -> String? {
        guard link.fragment.hasPrefix("Intent;") else { return nil }
        let scheme = link.fragment.split(separator: ";").first { $0.hasPrefix("scheme=") }?.dropFirst(7)
        guard let scheme else { return nil }
        return link.text(withScheme: String(scheme))
    }
}
