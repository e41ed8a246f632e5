public import HunchModel

/// A geocoder turns names into coordinates, and coordinates into names.
///
/// Conformers answer from their own data and never guess: an ambiguous name gives several candidates.
public protocol Geocoder: Sendable {
    /// Returns the places that a text may mean, likeliest first; empty if nothing matches.
    ///
    /// - Throws: ``GeocoderError`` if the query exceeds its limits or the source is unavailable.
    func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate]

    /// Returns the places nearest to a coordinate, nearest first, with their distances.
    ///
    /// - Parameter limit: the maximum number of places, clamped to 1…``GeocodingQuery/maximumLimit``.
    /// - Throws: ``GeocoderError`` if the source is unavailable.
    func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate]
}

/// A query for places.
public struct GeocodingQuery: Hashable, Sendable {
    /// The maximum length of a query's text, in bytes of UTF-8.
    public static let maximumTextLength = 1_024
    /// The maximum number of words of a query's text.
    public static let maximumWords = 32
    /// The maximum number of candidates that a query can ask for.
    public static let maximumLimit = 100

    /// A name or an address in any language and order.
    public var text: String
    /// The maximum number of candidates to return, 1…``maximumLimit``.
    public let limit: Int
    /// The coordinate of the user or the map. Nearer candidates are preferred.
    public var near: Coordinate?
    /// The position of the user, which counts where ``near`` is missing, and only on this machine.
    public var here: Coordinate?
    /// Whether the user travels by land, so that a place on another continent is hardly meant.
    public var isByLand = false
    /// Whether the user asks for an airport or a flight, so that small letters may be an airport's code.
    public var isByPlane = false

    /// Creates a query. The limit is clamped to 1…``maximumLimit``.
    public init(_ text: String, limit: Int = 10, near: Coordinate? = nil) {
        self.text = text
        self.limit = min(max(limit, 1), Self.maximumLimit)
        self.near = near
    }
}

/// A place that a query may mean.
public struct GeocodingCandidate: Hashable, Sendable {
    /// The place. It has no coordinate if it is a country or a state, or a place that was on the screen with only an
    /// address.
    public var item: MapItem
    /// The kind of place.
    public var kind: PlaceKind
    /// The confidence that it is the intended place, 0…1: the quality of the match, shared among the candidates.
    public var confidence: Double
    /// The kind of the place's name that the text matches.
    public var match: NameMatch
    /// The matched texts in the source's spelling: the name first, then parts of the address, and the state or country
    /// in the query.
    public var matched: [String]
    /// The great-circle distance from the query's coordinate in metres; `nil` without one.
    public var distance: Double?
    /// The name of a town in the user's language; `nil` if that is the name of the item, or not known.
    public var localName: String?
    /// The attribution of a candidate from the network; `nil` for local candidates.
    public var attribution: String?
    /// Whether something else may be meant that the source does not have, so that the user has to be asked.
    public var isDoubtful = false
    /// Whether the words match after a typing error was corrected or an unfinished word completed.
    public var isRespelled = false
    /// Whether the words are also the name of a chain of shops or an everyday word, so that something nearby is meant unless
    /// the place is certain.
    public var isByCommonWord = false
    /// The places that match a part of the words, such as the town of the address, for a place that the user named and that
    /// has no coordinate. Likeliest first.
    public var parts: [GeocodingCandidate] = []

    /// Creates the candidate of an online service, which does not say which of the words match.
    public init(online item: MapItem, kind: String, confidence: Double, attribution: String) {
        self.init(
            item: item, kind: PlaceKind(rawValue: kind), confidence: confidence, match: .partial, matched: [],
            attribution: attribution)
    }

    /// Creates a candidate.
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
