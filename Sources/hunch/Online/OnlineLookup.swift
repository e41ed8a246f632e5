import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchModel
import Places

/// Asks the online geocoder, when the person has switched it on.
enum OnlineLookup {
    /// Longer than a service may take, with others waiting before.
    private static let patience = Duration.seconds(25)

    /// The places that a text means for a service on the network; `nil` when the network may not be asked.
    ///
    /// What has to be shown beside them goes to standard error.
    /// - Throws: ``CommandError`` when the service cannot be asked.
    static func candidates(
        for query: GeocodingQuery, environment: [String: String]
    ) async throws -> [GeocodingCandidate]? {
        guard OnlineGeocoderSettings.load(BaseDirectories(environment: environment)).isEnabled else { return nil }
        var options: VariantMap = ["limit": .uint32(UInt32(query.limit))]
        if let near = query.near {
            options["latitude"] = .double(near.latitude)
            options["longitude"] = .double(near.longitude)
        }
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        do {
            let bus = try await Connection.open(.session(), on: loop)
            let (places, attribution): ([VariantMap], String) = try await bus.call(
                HunchNames.onlineGeocoder, HunchNames.onlineGeocoderPath, HunchNames.onlineGeocoderInterface, "Geocode",
                query.text, options, timeout: patience)
            await bus.close()
            if !places.isEmpty { Output.complain("from the network: \(attribution)") }
            return try places.map { place in
                GeocodingCandidate(
                    item: try MapItem(transfer: place), kind: PlaceKind(rawValue: try place.value("kind") ?? "other"),
                    confidence: try place.value("confidence") ?? 0, matched: [])
            }
        } catch let error as DBusError {
            throw CommandError(
                "not known here, and the network could not be asked: \(error.message)", ExitStatus.trouble)
        }
    }
}
