public import Coordinates
public import HunchModel
internal import JourneyWords
internal import Localization
public import MapLinks

/// Parses links, coordinates and texts to places, without network access or lookups.
///
/// ```swift
/// let place = try PlaceParser().parse("geo:37.79,-122.39?z=15")
/// place.item.coordinate   // 37.79, −122.39
/// ```
///
/// Parsing takes a bounded time for any input. The result is a place or a ``PlaceError``.
public struct PlaceParser: Sendable {
    /// The maximum length of an input, in bytes of UTF-8.
    public static let maximumLength = PlaceLimits.input
    /// The maximum length of a link, in bytes.
    public static let maximumLinkLength = PlaceLimits.link
    /// The maximum length of a text to geocode, in bytes.
    public static let maximumTextLength = PlaceLimits.text

    /// The rules for links and coordinates, in the order of evaluation.
    public static let standardRules: [any PlaceRule] =
        [GeoRule(), GeometryRule(), CoordinateRule(), PlusCodeRule(), WhatThreeWordsRule()] + MapLinkRules.all

    private let rules: [any PlaceRule]

    /// Creates a parser.
    ///
    /// - Parameter rules: the rules in the order of evaluation. An input that none of them reads is rejected if it is a
    ///   link, and otherwise becomes a text to geocode. A module with a link form of its own puts its rule before
    ///   ``standardRules``.
    public init(rules: [any PlaceRule] = PlaceParser.standardRules) {
        self.rules =
            [RouteRule(rules)] + rules + [
                ContactCardRule(rules), MessageLinkRule(rules), SharedTextRule(rules), GenericLinkRule(),
                UnknownLinkRule(), RequestRule(rules), SharedCoordinateRule(), SharedPlusCodeRule(),
                SharedWhatThreeWordsRule(),
                TextRule(),
            ]
    }

    /// Returns the place that an input means.
    ///
    /// - Parameter input: a link, coordinates, or a text to geocode; at most ``maximumLength`` bytes.
    /// - Throws: ``PlaceError``, with a code for the problem and a message with the remedy.
    public func parse(_ input: String) throws(PlaceError) -> ParsedPlace {
        let input = try PlaceInput(checking: input).unwrapped
        var place = try parse(input)
        place.firstMode = ModePhrase.first(of: place.modes, in: input.text)
        return place
    }

    private func parse(_ input: PlaceInput) throws(PlaceError) -> ParsedPlace {
        for rule in rules {
            guard let place = try rule.place(in: input) else { continue }
            // These two have read all of the words.
            if rule is RouteRule || rule is RequestRule { return place }
            return Self.completed(place, by: input.text, isSearched: rule is any SearchingRule)
        }
        throw PlaceError(
            .notAPlace, localized("the input is not a place; give a link, coordinates, an address or a name"))
    }

    /// Adds the travel mode, the time and the other words next to a link or a code: “https://… by bike at 20:00”.
    ///
    /// - Parameter isSearched: whether the place was found somewhere in the text.
    private static func completed(_ place: ParsedPlace, by text: String, isSearched: Bool) -> ParsedPlace {
        guard place.item.coordinate != nil || text.contains("://"),
            text.utf8.count <= PlaceLimits.link, !text.contains(where: \.isNewline)
        else { return place }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count > 1 else { return place }
        // The place itself is not a word of a time or a mode, and needs none such as “to” before it.
        var isMarked = false
        let others = words.map { word in
            guard word.contains(":"), word.contains(where: "/,".contains) else {
                isMarked = RouteWords.beforeEnds.contains(word.lowercased())
                return String(word)
            }
            defer { isMarked = false }
            return isMarked ? OtherWords.place : "to \(OtherWords.place)"
        }
        var request = RequestWords(others.joined(separator: " "))
        if request.time == nil, others.last?.hasSuffix(OtherWords.place) == true {
            // “Dinner at 8: https://…”
            let words = RequestWords(([OtherWords.place] + others.dropLast()).joined(separator: " "))
            if words.time != nil { request = words }
        }
        var place = place
        // The text counts before the link.
        let timeOfLink = place.time
        place.time = request.time
        if request.hasPhrase, !request.modes.isEmpty { place.modes = request.modes }
        if isSearched {
            OtherWords.add(request.opening + request.places, to: &place, isInLink: text.contains("://"))
        }
        place.time = place.time ?? timeOfLink
        let ignored = [place.ignored, request.ignored].compactMap(\.self)
        place.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
        return place
    }

    /// Returns the routes that an ambiguous text such as “London to Paris” may mean; empty for most texts.
    public static func possibleRoutes(_ text: String) -> [ParsedPlace] {
        RouteWords.possible(in: text).map { route in
            var place = ParsedPlace(
                item: MapItem(query: route.destination), rule: "route", source: MapItem(query: route.source),
                modes: route.modes)
            (place.time, place.ignored) = (route.time, route.ignored)
            place.firstMode = ModePhrase.first(of: route.modes, in: text)
            return place
        }
    }

    /// Returns the place of a text with words for a time or a travel mode that may also belong to a name or an address, as in
    /// “Potsdam 12/24” and “Zug Hamburg”; `nil` without such words.
    public static func possibleRequest(_ text: String) -> ParsedPlace? {
        let request = RequestWords(text, isLenient: true)
        guard request.time != nil || !request.modes.isEmpty || request.ignored != nil, !request.destination.isEmpty
        else { return nil }
        var place = ParsedPlace(
            item: MapItem(query: request.destination.joined(separator: " ")), rule: "request", modes: request.modes)
        place.time = request.time
        place.ignored = request.ignored
        place.firstMode = ModePhrase.first(of: request.modes, in: text)
        return place
    }

    /// Returns whether a text means the user's own position: “here”, “my location”, “ici”.
    public static func meansHere(_ text: String) -> Bool { PlaceText.isHere(text) }

    /// Returns the possible nominatives of an inflected name: “Москва” for “Москвы”; empty for most names.
    public static func nominatives(of name: String) -> [String] { NameCases.nominatives(of: name) }
}
