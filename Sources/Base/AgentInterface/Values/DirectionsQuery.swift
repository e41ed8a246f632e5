public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// A request for directions, for `org.hunch.Directions1.Suggest`. It needs a ``uri`` or a ``destination``.
public struct DirectionsQuery: BusValue {
    /// A `geo:` or `directions:` link, coordinates, an address or a name.
    public var uri: String?
    /// The destination.
    public var destination: MapItem?
    /// The source; `nil` if unknown.
    public var source: MapItem?
    /// Whether the route starts where the user is, instead of at a source.
    public var startsHere: Bool?
    /// The travel modes; `nil` for any.
    public var modes: [String]?
    /// The departure time, in the years 1970 to 9999.
    public var departure: Date?
    /// The arrival time, in the years 1970 to 9999.
    public var arrival: Date?
    /// Whether the user wants several routes.
    public var wantsAlternates: Bool?
    /// `always`, `unsure` or `never`: whether to ask the user in a notification.
    public var ask: String?
    /// The apps that just received the same request and passed it back.
    public var excluded: [AppID]?
    /// Whether to say which apps are left out, and why.
    public var explain: Bool?
    /// The maximum number of suggestions, 1 to 64.
    public var limit: UInt32?
    /// The zoom level of web maps at the destination, 0 to 23.
    public var zoom: Double?
    /// The radius around the destination that contains the true destination, in metres.
    public var uncertainty: Double?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// Creates a request for a link, coordinates, an address or a name.
    public init(uri: String) { self.uri = uri }

    /// Creates a request for a place.
    public init(destination: MapItem) { self.destination = destination }

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("uri", \.uri), .key("destination", \.destination), .key("source", \.source),
        .key("here", \.startsHere), .key("modes", \.modes), .date("departure", \.departure),
        .date("arrival", \.arrival), .key("alternates", \.wantsAlternates), .key("ask", \.ask),
        .key("except", \.excluded), .key("explain", \.explain),
        .key("limit", \.limit), .key("zoom", \.zoom), .key("uncertainty", \.uncertainty),
    ]
}
