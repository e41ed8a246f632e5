public import HunchDBus
public import HunchModel

/// A client of the online geocoder, which the bus starts on demand. The caller must check that the user allowed
/// online requests (``OnlineGeocoderSettings``). The online geocoder checks it again.
public struct OnlineGeocoderClient: Sendable {
    /// A place that the online service returned.
    public struct Place: Codable, Hashable, Sendable {
        /// The map item, with its coordinate.
        public var item: MapItem
        /// The kind of place, in the words of the gazetteer.
        public var kind: String
        /// The confidence that the text means this place, 0…1.
        public var confidence: Double

        /// Creates a place.
        public init(item: MapItem, kind: String, confidence: Double) {
            (self.item, self.kind, self.confidence) = (item, kind, confidence)
        }

        /// Reads a place. The confidence is clamped.
        ///
        /// - Throws: ``HunchDBus/DBusError`` for a value of another type or out of range.
        public init(transfer map: VariantMap) throws(DBusError) {
            let confidence = try map.value("confidence", as: Double.self) ?? 0
            self.init(
                item: try MapItem(transfer: map), kind: try map.value("kind") ?? "other",
                confidence: confidence.isNaN ? 0 : min(max(confidence, 0), 1))
        }

        /// The place with its keys.
        public var transfer: VariantMap {
            item.transfer.merging(["kind": .string(kind), "confidence": .double(confidence)]) { $1 }
        }
    }

    private let bus: Connection
    private let patience: Duration

    /// Creates a client.
    ///
    /// - Parameter patience: the timeout of a request, including the time that it waits behind other requests.
    public init(bus: Connection, patience: Duration) {
        self.bus = bus
        self.patience = patience
    }

    /// Returns the places that a text may mean, most likely first, and the attribution to display with them.
    ///
    /// - Parameters:
    ///   - limit: the most places, clamped to 1…20.
    ///   - near: the coordinate near which to search.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
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
        return (try places.prefix(limit).map(Place.init(transfer:)), attribution)
    }

    /// Returns the target of a short link.
    ///
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func target(ofLink link: String) async throws -> String {
        try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface, "FollowLink",
            link, timeout: patience)
    }

    /// Fetches a cover.
    ///
    /// - Parameter address: an address that ``CoverAddress`` allows.
    /// - Returns: bytes that the server labels as an image, at most ``CoverAddress/maximumSize``.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func picture(at address: String) async throws -> [UInt8] {
        try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface,
            "FetchPicture", address, timeout: patience)
    }

    /// Fetches the sums of all reports from the user's aggregator.
    ///
    /// - Returns: a sketch in JSON, at most 1 MiB.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func popularity() async throws -> String {
        try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface,
            "FetchPopularity", timeout: patience)
    }

    /// Sends reports of popularity to the user's aggregator.
    ///
    /// - Parameter reports: the reports in JSON, one a line.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func sendPopularity(_ reports: String) async throws {
        let () = try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface,
            "SendPopularity", reports, timeout: patience)
    }

    /// Fetches a page that the user named. Only `hunch` may call this.
    ///
    /// - Returns: at most 10 MB, and the address from which they came.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func page(at address: String) async throws -> (page: [UInt8], address: String) {
        let (page, source): ([UInt8], String) = try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface,
            "FetchPage", address, timeout: patience)
        return (page, source)
    }

    /// Starts to download a source of places, or only asks for the sizes of its files. Only `hunch` and the settings
    /// window may call this.
    ///
    /// - Parameters:
    ///   - server: the address that replaces the configured server, without a slash at the end; `nil` for that one.
    ///   - onlyMeasures: whether to end after the events ``DownloadEvent/file(_:)``.
    /// - Returns: the read end of a pipe with the lines of ``DownloadEvent``. Closing it stops the download.
    /// - Throws: ``HunchDBus/DBusError`` from the online geocoder or the bus.
    public func download(
        _ source: DownloadSource, from server: String? = nil, onlyMeasures: Bool = false
    ) async throws -> UnixDescriptor {
        var options: VariantMap = [:]
        if onlyMeasures { options["measure"] = .boolean(true) }
        if let server { options["server"] = .string(server) }
        return try await bus.call(
            HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface, "Download",
            source.description, options, timeout: patience)
    }
}
