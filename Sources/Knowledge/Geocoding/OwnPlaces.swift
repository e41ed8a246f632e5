import HunchModel
import JourneyWords
import Localization

/// The places that the user named, such as home and work.
struct OwnPlaces {
    private let places: [String: MapItem]

    /// - Parameter places: the places by their names.
    init(_ places: [String: MapItem]) { self.places = places }

    /// Returns the place that a text names as a whole, with its name; `nil` for any other text. Home and work are known by
    /// their words in many languages.
    func place(_ text: String) -> (name: String, place: MapItem)? {
        guard !places.isEmpty, text.utf8.count <= GeocodingQuery.maximumTextLength else { return nil }
        if let category = PlaceCategory.named(text), category.isOwn, let place = places[category.code] {
            return (category.code, place)
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        let isBehindWord = words.count > 1 && Self.before.contains(words[0].lowercased())
        let readings = [text] + (isBehindWord ? [words.dropFirst().joined(separator: " ")] : [])
        return readings.map(WordFolding.joined).lazy.compactMap { asked in
            places.first { WordFolding.joined($0.key) == asked }.map { ($0.key, $0.value) }
        }.first
    }

    /// Words before the name of a place of one's own: “zu Oma”, “ins Gym”.
    private static let before: Set<String> = [
        "to", "the", "my", "at", "zu", "zur", "zum", "nach", "in", "ins", "bei", "chez", "à", "a", "da", "til", "till",
    ]
}

extension GeocodingQuery {
    /// Returns a place that the user named as a candidate. If it is only a coordinate, it has the user's name for it.
    func candidate(of place: MapItem, named name: String) -> GeocodingCandidate {
        var item = place
        if item.coordinate != nil, item.query == nil, item.address == nil { item.name = item.name ?? shown(name) }
        return GeocodingCandidate(
            item: item, kind: .own, confidence: 1, match: .ownName, matched: [name],
            distance: place.coordinate.flatMap { near?.distance(to: $0) })
    }

    /// Returns the name of a place for people.
    private func shown(_ name: String) -> String {
        switch name {
        case "home": localizedIn("name of a place", "home")
        case "work": localizedIn("name of a place", "work")
        default: name
        }
    }
}
