import Coordinates
import HunchModel
import Localization
import MapLinks

/// A link that shares a message: share links of Telegram, WhatsApp and other networks, and `mailto:` and `sms:` with
/// a text. The message is parsed like any other text, but only a link or a coordinate in it counts.
///
/// Sources: https://core.telegram.org/widgets/share, https://faq.whatsapp.com/5913398998672934, RFC 6068 and RFC 5724.
struct MessageLinkRule: PlaceRule {
    let name = "message"

    /// The first path components of share links, by host; empty for any path.
    private static let paths: [String: Set<String>] = [
        "t.me": ["share"], "telegram.me": ["share"], "wa.me": [], "api.whatsapp.com": ["send"],
        "web.whatsapp.com": ["send"], "twitter.com": ["intent", "share"], "x.com": ["intent", "share"],
        "facebook.com": ["sharer", "sharer.php"], "line.me": ["r"], "social-plugins.line.me": ["lineit"],
    ]
    private static let schemes: Set<String> = ["mailto", "sms", "smsto", "whatsapp", "tg", "viber"]
    private static let texts = ["text", "body"]
    private static let links = ["url", "u"]

    private let rules: [any PlaceRule]

    /// Creates the rule.
    ///
    /// - Parameter rules: the rules for the message. Places have the name of the rule that reads them.
    init(_ rules: [any PlaceRule]) {
        self.rules = rules + [SharedTextRule(rules), GenericLinkRule(), UnknownLinkRule(), SharedCoordinateRule()]
    }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let link = input.link, let text = try Self.message(of: link) else { return nil }
        let message = try PlaceInput(checking: text)
        for rule in rules {
            if let place = try rule.place(in: message) { return place }
        }
        throw PlaceError(.notAPlace, localized("the message in the link has no place; give the place alone"))
    }

    /// Returns the shared text and link on separate lines; `nil` for other links.
    private static func message(of link: Link) throws(PlaceError) -> String? {
        if link.isWeb {
            guard let words = paths[link.host] else { return nil }
            guard words.isEmpty || link.segments.first.map({ words.contains($0.lowercased()) }) == true else {
                return nil
            }
        } else if !schemes.contains(link.scheme) {
            return nil
        }
        var lines: [String] = []
        // In texts of web links, a "+" is a space. In `mailto:` and other schemes and in shared links, it is a plus
        // sign.
        for name in texts {
            guard let value = link.query.raw(name) else { continue }
            lines.append(try PercentEncoding.decode(value, plusIsSpace: link.isWeb))
        }
        for name in links {
            guard let value = link.query.raw(name) else { continue }
            lines.append(try PercentEncoding.decode(value))
        }
        let message = lines.joined(separator: "\n").trimmed
        return message.isEmpty ? nil : message
    }
}
