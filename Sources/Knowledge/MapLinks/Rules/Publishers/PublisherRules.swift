import Coordinates
import HunchModel

/// A rule for the links of a publisher, selected by hosts and schemes.
protocol PublisherRule: LinkRule {
    /// The hosts whose links it reads, including subdomains.
    var hosts: [String] { get }
    /// The schemes of the publisher's app.
    var schemes: [String] { get }
}

extension PublisherRule {
    var schemes: [String] { [] }
}

/// Finds the rules of a link's publisher by its host or scheme, so that further publishers do not slow down other
/// links.
struct PublisherRules: PlaceRule {
    /// Places have the name of the publisher's own rule.
    let name = "publisher"

    private static let all: [any PublisherRule] =
        [
            TwoGISRule(), KakaoRule(), NaverRule(), AmapRule(), BaiduRule(), TencentRule(), MagicEarthRule(),
            KagiRule(), MapQuestRule(), KomootRule(), OpenRouteServiceRule(), DigitransitRule(), GeoHackRule(),
            WikipediaRule(), GeohashRule(), UberRideRule(), CzechRailwaysRule(), PathPlannerRule(),
            QwantRule(), SwissTopoRule(), SygicRule(), ArcGISRule(), MapboxRule(), GridReferenceFinderRule(),
        ] + HafasRule.planners + GridLinkRule.all

    private static let byHost = index(\.hosts)
    private static let byScheme = index(\.schemes)

    private static func index(_ keys: KeyPath<any PublisherRule, [String]>) -> [String: [any PublisherRule]] {
        var index: [String: [any PublisherRule]] = [:]
        for rule in all {
            for key in rule[keyPath: keys] { index[key, default: []].append(rule) }
        }
        return index
    }

    /// Applies the rules of the link's publisher.
    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        // Only the server knows the target of a short link.
        guard let link = input.link, !ShortLinks.hosts.contains(link.host) else { return nil }
        let rules: [any LinkRule] =
            link.isWeb ? link.hosts.flatMap { Self.byHost[$0] ?? [] } : Self.byScheme[link.scheme] ?? []
        for rule in rules + LinkForms.standard.rules(for: link) {
            if let place = try rule.place(of: link) { return LinkTime.completed(place, by: link) }
        }
        return nil
    }
}
