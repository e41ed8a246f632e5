public import HunchModel

/// Finds what a text means among places that the person looked at lately, and puts them before what a gazetteer knows.
///
/// Words are folded as the gazetteer's are. A place is found when all words of the text are among those of its name and
/// address, at least one among those of its name; the last one may be unfinished. So the name of a city alone does not find
/// what lies in it.
public final class SeenPlaceMatcher: Sendable {
    /// How much of the confidence goes to seen places whose whole name is in the text.
    private static let wholeNameShare = 0.8
    /// The same when only a part of a name is.
    private static let partOfNameShare = 0.4
    /// How near two places of one name are that are the same, in metres.
    private static let sameSpot = 100.0

    /// Makes a matcher.
    public init() {}

    /// The places that a text may mean, likeliest first: those that were seen, then the others.
    ///
    /// - Parameters:
    ///   - places: what the person looked at, the last first. Those without a coordinate are passed over.
    ///   - others: what is known otherwise. That there is no gazetteer is no error when a seen place answers.
    /// - Throws: what `others` throws.
    public func candidates(
        for query: GeocodingQuery, among places: [MapItem],
        then others: () throws(GeocoderError) -> [GeocodingCandidate]
    ) throws(GeocoderError) -> [GeocodingCandidate] {
        let seen = matches(for: query, among: places)
        guard !seen.isEmpty else { return try others() }
        var rest: [GeocodingCandidate] = []
        do {
            rest = try others()
        } catch  where error.code == .noGazetteer {}
        let share = seen.contains { $0.isWhole } ? Self.wholeNameShare : Self.partOfNameShare
        // Where a whole name is in the text, what shares a part of it only is less likely than all of those.
        let wholes = seen.filter(\.isWhole)
        let parts = seen.filter { !$0.isWhole }
        let forParts = wholes.isEmpty ? share : 0
        let own =
            wholes.map { candidate($0.item, query, share / Double(wholes.count)) }
            + parts.map { candidate($0.item, query, forParts / Double(parts.count)) }
        let left = rest.filter { other in !seen.contains { Self.isSame($0.item, other.item) } }.map { other in
            var other = other
            other.confidence *= 1 - share
            return other
        }
        return Array((own + left).prefix(query.limit))
    }

    private struct Match {
        let item: MapItem
        let isWhole: Bool
    }

    private func matches(for query: GeocodingQuery, among places: [MapItem]) -> [Match] {
        guard query.text.utf8.count <= GeocodingQuery.maximumTextLength else { return [] }
        let asked = WordFolding.words(of: query.text)
        guard let last = asked.last, asked.count <= GeocodingQuery.maximumWords else { return [] }
        var found: [Match] = []
        for place in places where place.coordinate != nil {
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
            found.append(Match(item: place, isWhole: ofName.allSatisfy(asked.contains)))
        }
        return found
    }

    private func candidate(_ item: MapItem, _ query: GeocodingQuery, _ confidence: Double) -> GeocodingCandidate {
        var distance: Double?
        if let near = query.near, let coordinate = item.coordinate { distance = near.distance(to: coordinate) }
        return GeocodingCandidate(
            item: item, kind: .seen, confidence: confidence, matched: [item.name].compactMap { $0 }, distance: distance)
    }

    private static func isSame(_ left: MapItem, _ right: MapItem) -> Bool {
        guard let one = left.coordinate, let other = right.coordinate else { return false }
        return left.name?.lowercased() == right.name?.lowercased() && one.distance(to: other) < sameSpot
    }
}
