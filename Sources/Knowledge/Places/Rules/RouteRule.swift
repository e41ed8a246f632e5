import Coordinates
import HunchModel
import JourneyWords
import Localization
import MapLinks

/// A route in words: “from 52.52,13.40 to Potsdam”. The place is its destination.
struct RouteRule: PlaceRule {
    let name = "route"
    private let rules: [any PlaceRule]

    /// Creates the rule.
    ///
    /// - Parameter rules: the rules for each end.
    init(_ rules: [any PlaceRule]) { self.rules = rules + [SharedCoordinateRule(), TextRule()] }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        // `SharedTextRule` reads routes between two links.
        if !input.isLink, let route = RouteWords(input.text), Self.isLinkAlone(in: route),
            let place = try end(route.destination), let source = try end(route.source)
        {
            return answer(route, to: place, from: source)
        }
        for route in RouteWords.besideCoordinate(input.text) where Self.isLinkAlone(in: route) {
            guard let place = try? end(route.destination), let source = try? end(route.source),
                isExact(route.destination) && Self.mayBeStart(route.source) || isExact(route.source)
            else { continue }
            return answer(route, to: place, from: source)
        }
        return nil
    }

    private func answer(_ route: RouteWords, to place: ParsedPlace, from source: ParsedPlace) -> ParsedPlace {
        var place = place
        place.source = source.item
        place.modes = route.modes
        place.time = route.time
        place.ignored = route.ignored
        place.rule = name
        return place
    }

    /// Returns whether a text is only a coordinate, a code or a link: `52.5163,13.3777`, `9F4MGC4V+XX`, `geo:52.5,13.4`.
    private func isExact(_ text: String) -> Bool {
        guard let input = try? PlaceInput(checking: text), text.contains(where: \.isNumber),
            !input.isLink || !text.contains(where: \.isWhitespace)
        else { return false }
        for rule in rules where !(rule is any SearchingRule) && !(rule is TextRule) {
            if let place = try? rule.place(in: input) { return place.item.coordinate != nil || input.isLink }
        }
        return false
    }

    /// Returns whether words may be the start of a route to a coordinate, unlike those of a sentence: “I go to 52.5163,13.3777”.
    private static func mayBeStart(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count <= longestStart && !words.contains { OtherWords.isSilent($0.lowercased()) }
    }

    private static let longestStart = 4

    /// Returns whether at most one end is a link, with nothing next to it: “from https://… to Berlin”.
    private static func isLinkAlone(in route: RouteWords) -> Bool {
        let links = [route.source, route.destination].filter { $0.contains("://") }
        return links.count <= 1 && links.allSatisfy { !$0.contains(where: \.isWhitespace) }
    }

    /// Returns whether a text has a word that is long enough for a name: two letters, or one outside ASCII.
    fileprivate static func isName(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { $0.utf8.count > 1 }
    }

    private func end(_ text: String) throws(PlaceError) -> ParsedPlace? {
        let input = try PlaceInput(checking: text)
        for rule in rules {
            guard let place = try rule.place(in: input) else { continue }
            return place.item.coordinate != nil || Self.isName(text) ? place : nil
        }
        return nil
    }
}

/// A request for one place with words for a travel mode or a time: “Potsdam by bike”, “tomorrow at 9 by train to Leipzig”.
struct RequestRule: PlaceRule {
    let name = "request"
    private let rules: [any PlaceRule]

    /// - Parameter rules: the rules for the place.
    init(_ rules: [any PlaceRule]) {
        self.rules = rules + [SharedCoordinateRule(), SharedPlusCodeRule(), SharedWhatThreeWordsRule(), TextRule()]
    }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard !input.isLink, input.text.utf8.count <= RouteWords.longestText, !input.text.contains(where: \.isNewline),
            !input.text.contains("://")
        else { return nil }
        let request = RequestWords(input.text)
        guard !RequestWords.isOnlyPhrase(input.text), !request.namesNoPlace else {
            throw PlaceError(.notAPlace, localized("“%1” has no place; say where to", input.text.cut(to: 60)))
        }
        if let start = request.onlyStart {
            throw PlaceError(.notAPlace, localized("“%1” is only the start; say where to", start.cut(to: 60)))
        }
        guard
            request.time != nil || request.ignored != nil || request.hasPhrase && !request.modes.isEmpty
                || request.isSure || request.isInTown
                || request.isOnlyOwnPlace && PlaceCategory.named(input.text) == nil
        else { return nil }
        let inner = try PlaceInput(checking: request.destination.joined(separator: " "))
        for rule in rules {
            guard var place = try rule.place(in: inner) else { continue }
            guard place.item.coordinate != nil || RouteRule.isName(inner.text) else { return nil }
            // “Bike Shop at 9” is a name.
            if place.modes.isEmpty, request.hasPhrase { place.modes = request.modes }
            place.time = request.time
            place.ignored = nil
            if rule is any SearchingRule { OtherWords.add(request.destination, to: &place, isInLink: false) }
            if let words = request.ignored { place.ignored = place.ignored.map { "\($0), \(words)" } ?? words }
            return place
        }
        return nil
    }
}
