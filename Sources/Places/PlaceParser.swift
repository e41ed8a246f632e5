public import HunchModel

/// Tells which place an input means, without network and without looking anything up.
///
/// ```swift
/// let place = try PlaceParser().parse("geo:37.79,-122.39?z=15")
/// place.item.coordinate   // 37.79, −122.39
/// ```
///
/// Any input is answered within a bounded time: with a place, or with a ``PlaceError``.
public struct PlaceParser: Sendable {
    /// The most bytes of UTF-8 that an input may have.
    public static let maximumLength = 1_048_576
    /// The most bytes that a link may have.
    public static let maximumLinkLength = 16_384
    /// The most bytes that a text to be geocoded may have.
    public static let maximumTextLength = 1_024

    /// The rules for links and coordinates, in the order in which they are asked.
    public static let standardRules: [any PlaceRule] = [
        GeoRule(), GeometryRule(), CoordinateRule(), PlusCodeRule(), WhatThreeWordsRule(), GoogleRule(), AppleRule(),
        OpenStreetMapRule(), OsmAndRule(), OrganicMapsRule(), HereRule(), BingRule(), WazeRule(),
        YandexRule(), MapyRule(), PublisherRules(),
    ]

    private let rules: [any PlaceRule]

    /// Makes a parser.
    ///
    /// - Parameter rules: asked in order before what is left is refused as a link or taken as a text to geocode.
    ///   A module with a link format of its own puts its rule before ``standardRules``.
    public init(rules: [any PlaceRule] = PlaceParser.standardRules) {
        self.rules =
            [RouteRule(rules)] + rules + [
                ContactCardRule(rules), MessageLinkRule(rules), SharedTextRule(rules), GenericLinkRule(),
                UnknownLinkRule(), SharedCoordinateRule(), SharedPlusCodeRule(), SharedWhatThreeWordsRule(),
                TextRule(),
            ]
    }

    /// The place that an input means.
    ///
    /// - Parameter input: a link, coordinates, or a text to geocode; at most ``maximumLength`` bytes.
    /// - Throws: ``PlaceError``, with a code that tells what the input is and a message that tells what to do.
    public func parse(_ input: String) throws(PlaceError) -> ParsedPlace {
        let input = try PlaceInput(checking: input).unwrapped
        for rule in rules {
            if let place = try rule.place(in: input) { return place }
        }
        throw PlaceError(.notAPlace, "the input names no place")
    }

    /// The routes that a text such as “London to Paris” may name, although it may as well be a name; empty for most texts.
    public static func possibleRoutes(_ text: String) -> [ParsedPlace] {
        RouteWords.possible(in: text).map { route in
            ParsedPlace(
                item: MapItem(query: route.destination), rule: "route", source: MapItem(query: route.source),
                modes: route.modes)
        }
    }

    /// The names that a name in another case than the nominative may belong to: “Москва” for “Москвы”; empty for most names.
    public static func nominatives(of name: String) -> [String] { NameCases.nominatives(of: name) }
}
