internal import AgentInterface
internal import HunchDBus
internal import HunchModel
internal import Places

/// The agent's access to the online geocoder, if the person allows it. The agent itself has no network.
///
/// Only what somebody asks for goes there, never what the agent looks up of itself, and nothing that an app in a sandbox asks.
struct OnlinePlaces: Sendable {
    /// The time limit of an answer, shorter than that of a bus caller.
    private static let patience = Duration.seconds(15)

    private let client: OnlineGeocoderClient
    private let directories: BaseDirectories
    private let worker: WorkerThread

    init(bus: Connection, directories: BaseDirectories, worker: WorkerThread) {
        client = OnlineGeocoderClient(bus: bus, patience: Self.patience)
        self.directories = directories
        self.worker = worker
    }

    /// Returns the target of the short link that a text is or has in it, where it may be followed; else the text itself.
    ///
    /// - Throws: ``DBusError``, that of the program that follows it.
    func followed(_ text: String, for caller: CallerStanding) async throws -> String {
        guard let link = ShortLinks.first(in: text), (try? caller.mayDecide()) != nil,
            try await settings().followsLinks
        else { return text }
        return try await client.target(ofLink: link)
    }

    private func settings() async throws -> OnlineGeocoderSettings {
        let directories = directories
        return try await worker.run { OnlineGeocoderSettings.load(directories) }
    }

    /// The places that a text means for a service on the network.
    ///
    /// - Returns: `nil` when the network may not be asked for the caller.
    func candidates(
        for query: GeocodingQuery, of caller: CallerStanding
    ) async throws(GeocoderError) -> [GeocodingCandidate]? {
        guard (try? caller.mayDecide()) != nil else { return nil }
        do {
            guard try await settings().isEnabled else { return nil }
            let (places, attribution) = try await client.places(for: query.text, limit: query.limit, near: query.near)
            return places.map { place in
                GeocodingCandidate(
                    item: place.item, kind: PlaceKind(rawValue: place.kind), confidence: place.confidence,
                    match: .partial, matched: [], attribution: attribution)
            }
        } catch {
            let reason = (error as? DBusError)?.message ?? "\(error)"
            throw GeocoderError(
                .unreachable, "not known here, and the network could not be asked: \(reason)", underlying: error)
        }
    }
}
