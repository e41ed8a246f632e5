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
        guard !input.isLink, let route = RouteWords(input.text), Self.isLinkAlone(in: route),
            var place = try end(route.destination),
            let source = try end(route.source)
        else { return nil }
        place.source = source.item
        place.modes = route.modes
        place.time = route.time
        place.ignored = route.ignored
        place.rule = name
        return place
    }

    /// Returns whether at most one end is a link, with nothing beside it: “from https://… to Berlin”.
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
        guard !RequestWords.isOnlyPhrase(input.text) else {
            throw PlaceError(.notAPlace, localized("“%1” has no place; say where to", input.text.cut(to: 60)))
        }
        let request = RequestWords(input.text)
        guard
            request.time != nil || request.ignored != nil || request.hasPhrase && !request.modes.isEmpty
                || request.isSure || request.isOnlyOwnPlace && PlaceCategory.named(input.text) == nil
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
