package import AgentInterface
package import FoundationEssentials
package import EventLoops
package import Geocoding
package import HunchDBus
package import HunchModel
import Localization

/// Looks up unknown places online, if the user allows it (`hunch online`).
package enum OnlineLookup {
    /// The time limit, longer than a service may take with other requests waiting.
    private static let patience = Duration.seconds(25)

    /// Returns the places that a network service finds for a text; `nil` if the network is not allowed.
    ///
    /// Writes the service's attribution to standard error.
    ///
    /// - Throws: `GeocoderError` if the service cannot be asked.
    package static func candidates(
        for query: GeocodingQuery, environment: [String: String]
    ) async throws(GeocoderError) -> [GeocodingCandidate]? {
        guard settings(environment).isEnabled else { return nil }
        do {
            return try await ask(localized("not known here, and the online lookup failed")) { client in
                let (places, attribution) = try await client.places(
                    for: query.text, limit: query.limit, near: query.near)
                if !places.isEmpty { Output.complain(localized("from the network: %1", attribution)) }
                return places.map {
                    GeocodingCandidate(
                        online: $0.item, kind: $0.kind, confidence: $0.confidence, attribution: attribution)
                }
            }
        } catch {
            throw GeocoderError(.unreachable, CommandError(error).message ?? "\(error)", underlying: error)
        }
    }

    /// Returns the target of the short link in a text, if following is allowed; otherwise the text.
    ///
    /// - Throws: ``CommandError`` if the link cannot be followed.
    package static func followed(_ text: String, environment: [String: String]) async throws -> String {
        guard let link = ShortLinks.first(in: text), settings(environment).followsLinks else { return text }
        return try await ask(localized("the link cannot be followed")) { try await $0.target(ofLink: link) }
    }

    /// Fetches a page that the user named.
    ///
    /// - Throws: ``CommandError`` if the page cannot be fetched.
    package static func page(at address: String) async throws -> (page: [UInt8], address: String) {
        try await ask(localized("the page cannot be fetched")) { try await $0.page(at: address) }
    }

    private static func settings(_ environment: [String: String]) -> OnlineGeocoderSettings {
        .load(BaseDirectories(environment: environment))
    }

    private static func ask<Answer>(
        _ trouble: String, _ body: (OnlineGeocoderClient) async throws -> Answer
    ) async throws -> Answer {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        do {
            let bus = try await Connection.open(.session(), on: loop)
            let answer = try await body(OnlineGeocoderClient(bus: bus, patience: patience))
            await bus.close()
            return answer
        } catch let error as DBusError {
            throw CommandError("\(trouble): \(error.message)", ExitStatus.systemFailure)
        }
    }
}
