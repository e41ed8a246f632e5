internal import Directions
internal import HunchModel
internal import Places

/// A way to offer to a place that nobody has asked the way to yet.
struct PlannedWay: Sendable {
    /// "Get directions to X", or "Get a ride to X".
    let title: String
    /// Desktop identifier of the routing app, or the identifier of its coverage.
    let application: String
    let applicationName: String
    let launch: DirectionsLaunch
    /// Why this app.
    let explanation: Explanation
    /// The parameters of the donation that it will have been.
    let donation: [String: String]

    fileprivate init(_ offer: DirectionsPlan.Offer, link: String? = nil, for request: DirectionsRequest) {
        title = offer.title
        application = offer.application
        applicationName = offer.app.name
        launch = DirectionsLaunch(desktopID: offer.launch.desktopID, uri: link ?? offer.launch.uri)
        explanation = offer.explanation
        donation = request.parameters
    }
}

extension DirectionsPlan.Offer {
    fileprivate var application: String { launch.desktopID ?? app.id }
}

extension DirectionsService {
    /// The routing app that the person most likely wants for a place, and how to open it.
    ///
    /// A place without a coordinate is looked up, to know which apps serve there. Where what is found is only the town that
    /// the place lies in, an app is handed the words and not the town's position; where several places may be meant, only
    /// apps that serve everywhere and search by themselves come into question.
    ///
    /// - Parameter modes: the ways to travel that are wanted; empty for any.
    /// - Returns: `nil` when no app serves the place.
    func way(to place: MapItem, by modes: Set<TransportMode> = []) async throws -> PlannedWay? {
        let request = DirectionsRequest(to: place, by: modes)
        var resolved = ResolvedDirections(request: request)
        // Without a gazetteer, or with words that it cannot use, the place is what its app said of it.
        if request.needsGeocoding,
            let found = try? await DirectionsResolver(geocoder: geocoder(showing: .all)).resolve(request),
            !found.isAmbiguous
        {
            resolved = found
        }
        let offers = try await plan(for: resolved.request).offers
        // Half at most is the confidence of a place that bears only a part of the words.
        if let found = resolved.destinationCandidates.first, found.confidence <= 0.5 {
            return offers.lazy.compactMap { offer in
                offer.app.template.link(for: request, mode: offer.modes.first).map {
                    PlannedWay(offer, link: $0, for: request)
                }
            }.first
        }
        return offers.first.map { PlannedWay($0, for: resolved.request) }
    }
}
