public import HunchDBus
public import HunchModel

/// A place, as `org.hunch.Directions1.Geocode` and `ReverseGeocode` report it: a map item with the keys of
/// ``MapItem`` and those of ``Match``.
public struct PlaceReport: MapValue, Hashable, Sendable {
    /// The match of a place with the request.
    public struct Match: BusValue {
        /// The kind of place, such as `city`.
        public var kind = ""
        /// The confidence that it is the intended place, 0…1.
        public var confidence: Double?
        /// The matched texts, in the source's spelling.
        public var matched: [String] = []
        /// The distance from the requested coordinate, in metres.
        public var distance: Double?
        /// The attribution to show next to a place from the network.
        public var attribution: String?
        /// Whether it is certain: all words are a current name, and it is far likelier than all others together.
        public var isCertain: Bool?

        /// Creates a value with the defaults of all keys.
        public init() {}

        /// The keys.
        public static let keys: [BusKey<Self>] = [
            .key("kind", \.kind), .key("confidence", \.confidence), .key("matched", \.matched),
            .key("distance", \.distance), .key("attribution", \.attribution), .key("certain", \.isCertain),
        ]
    }

    /// The place.
    public var item: MapItem
    /// The match with the request.
    public var match: Match

    /// Creates a report.
    public init(_ item: MapItem, _ match: Match) {
        self.item = item
        self.match = match
    }

    /// Reads a place. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` like ``MapItem``, and `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        item = try MapItem(transfer: map)
        match = try Match(transfer: map)
    }

    /// The place with its keys.
    public var transfer: VariantMap { item.transfer.merging(match.transfer) { $1 } }
}
