public import HunchModel
import JourneyWords

/// A chain of geocoders: the places that were on the screen lately, the gazetteer, and then the online geocoder, if the
/// user allows it.
///
/// The online geocoder is used only if no place on this machine matches all words of the query, for example for an
/// unknown street in a known town.
public struct GeocoderChain: Geocoder {
    /// Returns the places that were on the screen, most recent first.
    public typealias Seen = @Sendable () async -> [MapItem]
    /// Returns the places that the user named, by their names.
    public typealias Own = @Sendable () async -> [String: MapItem]
    /// Returns the candidates of an online service, in its order; `nil` if it may not be used.
    public typealias Network = @Sendable (GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate]?

    private let gazetteer: any Geocoder
    private let seen: Seen
    private let own: Own
    private let network: Network

    /// Creates a chain. Without further sources, it is only the gazetteer.
    public init(
        gazetteer: any Geocoder, own: @escaping Own = { [:] }, seen: @escaping Seen = { [] },
        network: @escaping Network = { _ throws(GeocoderError) in nil }
    ) {
        self.gazetteer = gazetteer
        self.seen = seen
        self.own = own
        self.network = network
    }

    /// Returns the places that a text may mean, likeliest first. A missing gazetteer is not an error if another
    /// source answers.
    public func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate] {
        var query = query
        let named = OwnPlaces(await own()).place(query.text)
        if let (name, place) = named {
            if place.coordinate != nil { return [query.candidate(of: place, named: name)] }
            query.text = place.query ?? query.text
        }
        try query.check()
        var asked = query
        asked.near = query.near ?? query.here
        let known: Result<[GeocodingCandidate], GeocoderError>
        do throws(GeocoderError) {
            known = .success(try await gazetteer.candidates(for: asked))
        } catch {
            guard error.code == .noGazetteer else { throw error }
            known = .failure(error)
        }
        let local = SeenPlaces(await seen()).candidates(for: asked, before: (try? known.get()) ?? [])
        if local.contains(where: { $0.match > .partial }) { return local }
        // Apps search for the words of such a place themselves.
        if let (name, place) = named {
            var candidate = query.candidate(of: place, named: name)
            candidate.parts = local
            return [candidate]
        }
        // A service would name any pharmacy of the world, and knows no private addresses.
        if let noun = CategoryRequest(query.text), noun.area == nil, query.near == nil || noun.category.isOwn {
            return local
        }
        do throws(GeocoderError) {
            if let found = try await network(query), !found.isEmpty { return Self.weighed(found, for: query) }
        } catch {
            if local.isEmpty { throw error }
        }
        if case .failure(let error) = known, local.isEmpty { throw error }
        return local
    }

    /// Returns the gazetteer's places nearest to a coordinate.
    public func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate] {
        try await gazetteer.places(near: coordinate, limit: limit)
    }

    // MARK: Online answers

    /// The distance in metres within which two results with the same name are one place. Services return a street in
    /// several pieces.
    private static let sameSpot = 2_000.0

    /// Returns the places with confidences. Services return an order, but no comparable probabilities. So the place at
    /// index n that has all words of the query gets the weight 1/(n + 1), any other place 0.01.
    private static func weighed(_ found: [GeocodingCandidate], for query: GeocodingQuery) -> [GeocodingCandidate] {
        let asked = Set(WordFolding.words(of: query.text))
        var places: [GeocodingCandidate] = []
        for var candidate in found where !places.contains(where: { isSame($0, candidate) }) {
            candidate.match = hasAll(asked, in: candidate.item) ? .ownName : .partial
            candidate.distance = candidate.item.coordinate.flatMap { query.near?.distance(to: $0) }
            places.append(candidate)
        }
        places = places.filter { $0.match > .partial } + places.filter { $0.match == .partial }
        let weights = places.indices.map { places[$0].match > .partial ? 1 / Double($0 + 1) : 0.01 }
        let total = weights.reduce(0, +)
        for index in places.indices { places[index].confidence = weights[index] / total }
        return Array(places.prefix(query.limit))
    }

    private static func isSame(_ left: GeocodingCandidate, _ right: GeocodingCandidate) -> Bool {
        guard let one = left.item.coordinate, let other = right.item.coordinate else { return false }
        return left.item.name == right.item.name && one.distance(to: other) < sameSpot
    }

    /// Returns whether all words of a query are in the name and address of a place.
    private static func hasAll(_ asked: Set<String>, in item: MapItem) -> Bool {
        let texts = [item.name, item.address?.singleLine, item.address?.countryCode].compactMap { $0 }
        let own = texts.flatMap { WordFolding.words(of: $0) + [WordFolding.joined($0)] }
        return asked.isSubset(of: own)
    }
}
