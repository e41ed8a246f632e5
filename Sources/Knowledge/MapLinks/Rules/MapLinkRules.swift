/// The rules for the links of map apps, web maps and other publishers, in the order of evaluation.
package enum MapLinkRules {
    package static let all: [any PlaceRule] = [
        GoogleRule(), AppleRule(), OpenStreetMapRule(), OsmAndRule(), OrganicMapsRule(), HereRule(), BingRule(),
        WazeRule(), YandexRule(), MapyRule(), PublisherRules(),
    ]
}
