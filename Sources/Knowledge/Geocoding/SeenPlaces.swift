public import HunchModel
import JourneyWords

/// The places that the user looked at lately, which are preferred to those of a gazetteer.
///
/// Words are folded as in the gazetteer. A place matches if all words of the text are in its name and address, and at
/// least one in its name. The last word may be unfinished. So the name of a city does not find all places in it.
public struct SeenPlaces: Sendable {
    /// The maximum number of searched places, most recent first.
    public static let considered = 200
    /// The share of the confidence that the seen places get together if the whole name of one is in the text.
    private static let wholeNameShare = 0.8
    /// The share that they get if only a part of a name is in the text.
    private static let partOfNameShare = 0.4
    /// The maximum distance between two entries of the same place, in metres.
    private static let sameSpot = 100.0

    private let places: [MapItem]

    /// - Parameter places: the places that the user looked at, most recent first. Those without coordinate and
    ///   address are skipped.
    public init(_ places: [MapItem]) {
        self.places = places.filter { $0.coordinate != nil || $0.address != nil }
    }

    /// Returns the places that a text may mean, likeliest first: seen places, then the others with reduced
    /// confidence.
    ///
    /// - Parameter others: the candidates of other sources, likeliest first.
    public func candidates(
        for query: GeocodingQuery, before others: [GeocodingCandidate]
    ) -> [GeocodingCandidate] {
        let seen = matches(for: query)
        guard !seen.isEmpty else { return others }
        let share = seen.contains { $0.isWhole } ? Self.wholeNameShare : Self.partOfNameShare
        // If a whole name is in the text, partial matches get no confidence and come after it.
        let wholes = seen.filter(\.isWhole)
        let parts = seen.filter { !$0.isWhole }
        let forParts = wholes.isEmpty ? share : 0
        let own =
            wholes.map { candidate($0, query, share / Double(wholes.count)) }
            + parts.map { candidate($0, query, forParts / Double(parts.count)) }
        let left = others.filter { other in !seen.contains { Self.isSame($0.item, other.item) } }.map { other in
            var other = other
            other.confidence *= 1 - share
            return other
        }
        return Array((own + left).prefix(query.limit))
    }

    private struct Match {
        let item: MapItem
        let isWhole: Bool
        let isFinished: Bool
    }

    private func matches(for query: GeocodingQuery) -> [Match] {
        let asked = WordFolding.words(of: query.text)
        guard let last = asked.last else { return [] }
        var found: [Match] = []
        for place in places {
            guard let name = place.name, !found.contains(where: { Self.isSame($0.item, place) }) else { continue }
            let ofName = WordFolding.words(of: name)
            let ofAddress = place.address.map { WordFolding.words(of: $0.singleLine) } ?? []
            func isIn(_ list: [String], _ index: Int) -> Bool {
                list.contains(asked[index]) || index == asked.count - 1 && list.contains { $0.hasPrefix(last) }
            }
            let inName = asked.indices.filter { isIn(ofName, $0) }
            guard !inName.isEmpty, asked.indices.allSatisfy({ inName.contains($0) || isIn(ofAddress, $0) }) else {
                continue
            }
            found.append(
                Match(
                    item: place, isWhole: ofName.allSatisfy(asked.contains),
                    isFinished: ofName.contains(last) || ofAddress.contains(last)))
        }
        return found
    }

    private func candidate(_ match: Match, _ query: GeocodingQuery, _ confidence: Double) -> GeocodingCandidate {
        let item = match.item
        return GeocodingCandidate(
            item: item, kind: .seen, confidence: confidence,
            match: match.isWhole && match.isFinished ? .ownName : .partial, matched: [item.name].compactMap { $0 },
            distance: item.coordinate.flatMap { query.near?.distance(to: $0) })
    }

    private static func isSame(_ left: MapItem, _ right: MapItem) -> Bool {
        guard left.name?.lowercased() == right.name?.lowercased() else { return false }
        guard let one = left.coordinate, let other = right.coordinate else {
            return left.coordinate == nil && right.coordinate == nil && left.address == right.address
        }
        return one.distance(to: other) < sameSpot
    }
}
