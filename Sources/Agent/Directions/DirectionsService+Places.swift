internal import Directions
internal import HunchModel
internal import Places

/// A route to suggest to a place that nobody has asked directions to yet.
struct PlannedRoute: Sendable {
    /// "Get directions to X", or "Get a ride to X".
    let title: String
    /// Desktop identifier of the routing app, or the identifier of its coverage.
    let application: AppID
    let applicationName: String
    let launch: DirectionsLaunch
    /// The reason for this app.
    let explanation: Explanation
    /// The parameters of the donation to record when it is accepted.
    let donation: [String: String]

    fileprivate init(_ offer: DirectionsPlan.Offer, for request: DirectionsRequest) {
        title = offer.title
        application = offer.application
        applicationName = offer.app.name
        launch = DirectionsLaunch(desktopID: offer.launch.desktopID, uri: offer.launch.uri)
        explanation = offer.explanation
        donation = request.parameters
    }
}

extension DirectionsPlan.Offer {
    fileprivate var application: AppID { launch.desktopID ?? app.id }
}

extension DirectionsService {
    /// Returns the routing app that the person most likely wants for a place, and how to open it.
    ///
    /// A place without a coordinate is geocoded to check coverage. If no place is certain, only apps that serve
    /// everywhere and search themselves are candidates.
    ///
    /// - Parameter modes: the wanted travel modes; empty for any.
    /// - Returns: `nil` if no app serves the place.
    func route(to place: MapItem, by modes: Set<TransportMode> = []) async throws -> PlannedRoute? {
        let request = DirectionsRequest(to: place, by: modes)
        // If the gazetteer cannot use the words, the place stays as its app described it.
        let resolved =
            await request.needsGeocoding
            ? (try? DirectionsPlanner(geocoder: geocoder(showing: .all)).resolve(request)) : nil
        let plan = try await plan(for: resolved?.request ?? request)
        return plan.offers.first.map { PlannedRoute($0, for: plan.request) }
    }
}
