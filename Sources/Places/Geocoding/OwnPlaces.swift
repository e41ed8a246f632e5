import HunchModel

/// The places that the person named, such as home and work.
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
        let asked = WordFolding.joined(text)
        return places.first { WordFolding.joined($0.key) == asked }.map { ($0.key, $0.value) }
    }
}

extension GeocodingQuery {
    /// Returns a place that the person named as a candidate.
    func candidate(of place: MapItem, named name: String) -> GeocodingCandidate {
        GeocodingCandidate(
            item: place, kind: .own, confidence: 1, match: .ownName, matched: [name],
            distance: place.coordinate.flatMap { near?.distance(to: $0) })
    }
}
