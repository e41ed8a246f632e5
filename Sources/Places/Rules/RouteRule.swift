import HunchModel

/// A route in words: “from 52.52,13.40 to Potsdam”. The place is its destination.
struct RouteRule: PlaceRule {
    let name = "route"
    private let rules: [any PlaceRule]

    /// Makes the rule.
    ///
    /// - Parameter rules: asked about each end.
    init(_ rules: [any PlaceRule]) { self.rules = rules + [SharedCoordinateRule(), TextRule()] }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        // A link within the text tells the route itself.
        guard !input.isLink, let route = RouteWords(input.text), !input.text.contains("://"),
            var place = try end(route.destination),
            let source = try end(route.source)
        else { return nil }
        place.source = source.item
        place.rule = name
        return place
    }

    /// Whether a text may name a place: it has a word of two letters, or a letter of a script that needs no more.
    private static func isName(_ text: String) -> Bool {
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
