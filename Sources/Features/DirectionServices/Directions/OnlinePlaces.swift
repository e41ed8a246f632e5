internal import Agent
internal import AgentInterface
internal import EventLoops
internal import Geocoding
internal import HunchDBus
internal import HunchModel

/// The agent's access to the online geocoder, if the user allows it. The agent itself has no network access.
///
/// Only explicit requests go there: never the agent's own lookups, and never those of sandboxed callers.
struct OnlinePlaces: Sendable {
    /// The time limit of an answer, shorter than the default of bus callers.
    private static let patience = Duration.seconds(15)

    private let client: OnlineGeocoderClient
    private let directories: BaseDirectories
    private let worker: WorkerThread

    init(bus: Connection, directories: BaseDirectories, worker: WorkerThread) {
        client = OnlineGeocoderClient(bus: bus, patience: Self.patience)
        self.directories = directories
        self.worker = worker
    }

    /// Returns the target of the short link in a text if it may be followed; otherwise the text itself.
    ///
    /// - Throws: the ``DBusError`` of the online geocoder.
    func followed(_ text: String, for caller: CallerPermission) async throws -> String {
        guard let link = ShortLinks.first(in: text), (try? caller.mayDecide()) != nil,
            try await settings().followsLinks
        else { return text }
        return try await client.target(ofLink: link)
    }

    private func settings() async throws -> OnlineGeocoderSettings {
        let directories = directories
        return try await worker.run { OnlineGeocoderSettings.load(directories) }
    }

    /// Returns the places that an online service finds for a text.
    ///
    /// - Returns: `nil` if the network may not be used for this caller.
    func candidates(
        for query: GeocodingQuery, of caller: CallerPermission
    ) async throws(GeocoderError) -> [GeocodingCandidate]? {
        guard (try? caller.mayDecide()) != nil else { return nil }
        do {
            guard try await settings().isEnabled else { return nil }
            let (places, attribution) = try await client.places(for: query.text, limit: query.limit, near: query.near)
            return places.map {
                GeocodingCandidate(online: $0.item, kind: $0.kind, confidence: $0.confidence, attribution: attribution)
            }
        } catch {
            let reason = (error as? DBusError)?.message ?? "\(error)"
            throw GeocoderError(
                .unreachable, "not known here, and the online lookup failed: \(reason)", underlying: error)
        }
    }
}
