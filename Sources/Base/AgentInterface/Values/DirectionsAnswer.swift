public import HunchDBus
public import HunchModel

/// The answer of `org.hunch.Directions1.Suggest`.
public struct DirectionsAnswer: Hashable, Sendable {
    /// The request as it was understood.
    public struct Resolved: BusValue {
        /// The destination, with a coordinate if it is certain.
        public var destination = MapItem(query: "")
        /// The source, if there is one.
        public var source: MapItem?
        /// The whole request as a `directions:` link.
        public var uri = ""
        /// The number of apps that can show the route.
        public var offers: UInt32 = 0
        /// Whether Hunch asked the user; `nil` if the request did not ask for that.
        public var hasAsked: Bool?
        /// Whether the coordinate of each end was given or is certain.
        public var isCertain = false
        /// Whether the text of an end fits several places equally, so that the user must choose.
        public var isAmbiguous = false
        /// The places that the destination's text may mean, likeliest first; `nil` if nothing was looked up.
        public var candidates: [PlaceReport]?

        /// Creates a value with the defaults of all keys.
        public init() {}

        /// The keys.
        public static let keys: [BusKey<Self>] = [
            .key("destination", \.destination), .key("source", \.source), .key("uri", \.uri),
            .key("offers", \.offers), .key("asked", \.hasAsked), .key("certain", \.isCertain),
            .key("ambiguous", \.isAmbiguous), .key("candidates", \.candidates),
        ]
    }

    /// An app that is left out.
    public struct Exclusion: BusValue {
        /// The coverage feature or desktop identifier.
        public var app: AppID = ""
        /// The name of the app.
        public var name = ""
        /// The code of the reason, such as `outsideCoverage`.
        public var reason = ""
        /// `source`, `destination` or `source,destination`, with `outsideCoverage`.
        public var end: String?
        /// The reason in words.
        public var message = ""

        /// Creates a value with the defaults of all keys.
        public init() {}

        /// The keys.
        public static let keys: [BusKey<Self>] = [
            .key("app", \.app), .key("name", \.name), .key("reason", \.reason), .key("end", \.end),
            .key("message", \.message),
        ]
    }

    /// The request as it was understood.
    public var resolved: Resolved
    /// The object paths of the suggestions, best first.
    public var suggestions: [ObjectPath]
    /// The apps that are left out; empty unless the query has ``DirectionsQuery/explain``.
    public var excluded: [Exclusion]

    /// Creates an answer.
    public init(_ resolved: Resolved, suggestions: [ObjectPath] = [], excluded: [Exclusion] = []) {
        self.resolved = resolved
        self.suggestions = suggestions
        self.excluded = excluded
    }
}
