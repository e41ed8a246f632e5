public import HunchDBus
public import HunchModel

/// Asks the online geocoder, which the bus starts when it is needed. Whoever asks answers for the person's having allowed it
/// (``OnlineGeocoderSettings``); the program asks for that, too.
public struct OnlineGeocoderClient: Sendable {
    /// A place that a service on the network knows.
    public struct Place: Sendable {
        /// The place, with its coordinate.
        public let item: MapItem
        /// The kind of place: one of the gazetteer's kinds.
        public let kind: String
        /// The confidence that it is the place meant, 0…1.
        public let confidence: Double
    }

    private let bus: Connection
    private let patience: Duration

    /// Makes a client.
    ///
    /// - Parameter patience: how long an answer may take; questions of others may come before.
    public init(bus: Connection, patience: Duration) {
        self.bus = bus
        self.patience = patience
    }

    /// The places that a text may mean, likeliest first, and what has to be shown beside them.
    ///
    /// - Parameters:
    ///   - limit: 1…20; other values are brought there.
    ///   - near: where the person is or looks.
    /// - Throws: ``HunchDBus/DBusError``, that of the program or of the bus.
    public func places(
        for text: String, limit: Int, near: Coordinate?
    ) async throws -> (places: [Place], attribution: String) {
        let limit = min(max(limit, 1), 20)
        var options: VariantMap = ["limit": .uint32(UInt32(clamping: limit))]
        if let near {
            options["latitude"] = .double(near.latitude)
            options["longitude"] = .double(near.longitude)
        }
        let (places, attribution): ([VariantMap], String) = try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface, "Geocode",
            text, options, timeout: patience)
        var found: [Place] = []
        for place in places.prefix(limit) {
            let confidence = try place.value("confidence", as: Double.self) ?? 0
            found.append(
                Place(
                    item: try MapItem(transfer: place), kind: try place.value("kind") ?? "other",
                    confidence: confidence.isNaN ? 0 : min(max(confidence, 0), 1)))
        }
        return (found, attribution)
    }

    /// Asks for the target of a short link.
    ///
    /// - Throws: ``HunchDBus/DBusError``, that of the program or of the bus.
    public func target(ofLink link: String) async throws -> String {
        try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface, "FollowLink",
            link, timeout: patience)
    }

    /// Fetches a cover.
    ///
    /// - Parameter address: one that ``CoverAddress`` allows.
    /// - Returns: the bytes of what its server says is a picture, at most ``CoverAddress/maximumSize``.
    /// - Throws: ``HunchDBus/DBusError``, that of the program or of the bus.
    public func picture(at address: String) async throws -> [UInt8] {
        try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface,
            "FetchPicture", address, timeout: patience)
    }
}
