public import HunchModel

/// Turns names into positions, and positions into names.
///
/// Conformers answer from what they have; none guesses silently: an ambiguous name gives several candidates.
public protocol Geocoder: Sendable {
    /// The places that a text may mean, likeliest first; empty when nothing fits.
    ///
    /// - Throws: ``GeocoderError`` when the query is beyond its limits or the source cannot be asked.
    func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate]

    /// The places nearest to a position, nearest first, with their distances.
    ///
    /// - Parameter limit: the most places to return, 1…``GeocodingQuery/maximumLimit``; other values are brought there.
    /// - Throws: ``GeocoderError`` when the source cannot be asked.
    func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate]
}

/// A query for places.
public struct GeocodingQuery: Hashable, Sendable {
    /// The most bytes of UTF-8 that a query's text may have.
    public static let maximumTextLength = 1_024
    /// The most words that a query's text may have.
    public static let maximumWords = 32
    /// The most candidates that may be asked for.
    public static let maximumLimit = 100

    /// A name or an address in any language and order.
    public var text: String
    /// The most candidates to return, 1…``maximumLimit``.
    public let limit: Int
    /// The coordinate of the person or the map. Of equal candidates, the nearer comes first.
    public var near: Coordinate?

    /// Makes a query. A limit outside 1…``maximumLimit`` is brought there.
    public init(_ text: String, limit: Int = 10, near: Coordinate? = nil) {
        self.text = text
        self.limit = min(max(limit, 1), Self.maximumLimit)
        self.near = near
    }
}

/// A place that a query may mean.
public struct GeocodingCandidate: Hashable, Sendable {
    /// The place. It has no coordinate where it is a country or a state, or a seen place that is known by its address.
    public var item: MapItem
    /// The kind of place.
    public var kind: PlaceKind
    /// The confidence that it is the place meant, 0…1: the match of the text, shared among places that match alike.
    public var confidence: Double
    /// The kind of name that the text is.
    public var match: NameMatch
    /// The matched texts, as the source spells them: the name first, then the state and country that narrowed the
    /// search.
    public var matched: [String]
    /// Great-circle distance in metres from the position asked about; `nil` when there was none.
    public var distance: Double?
    /// The attribution of a candidate from the network; `nil` for local candidates.
    public var attribution: String?

    /// The name with the areas that tell it from others of that name: “Springfield, Illinois, United States”.
    public var label: String {
        let address = item.address
        var parts: [String] = []
        for part in [item.name, address?.postalCode, address?.city, address?.state, address?.country] {
            if let part, !parts.contains(part) { parts.append(part) }
        }
        return parts.joined(separator: ", ")
    }

    /// Makes a candidate.
    public init(
        item: MapItem, kind: PlaceKind, confidence: Double, match: NameMatch, matched: [String],
        distance: Double? = nil, attribution: String? = nil
    ) {
        self.item = item
        self.kind = kind
        self.confidence = confidence
        self.match = match
        self.matched = matched
        self.distance = distance
        self.attribution = attribution
    }
}
