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
    fileprivate var application: String { launch.desktopID ?? app.id }
}

extension DirectionsService {
    /// The routing app that the person most likely wants for a place, and how to open it.
    ///
    /// A place without a coordinate is looked up, to know which apps serve there. Where no place is certain, only apps that
    /// serve everywhere and search by themselves come into question.
    ///
    /// - Parameter modes: the ways to travel that are wanted; empty for any.
    /// - Returns: `nil` when no app serves the place.
    func way(to place: MapItem, by modes: Set<TransportMode> = []) async throws -> PlannedWay? {
        let request = DirectionsRequest(to: place, by: modes)
        // With words that the gazetteer cannot use, the place is what its app said of it.
        let resolved =
            await request.needsGeocoding
            ? (try? DirectionsPlanner(geocoder: geocoder(showing: .all)).resolve(request)) : nil
        let plan = try await plan(for: resolved?.request ?? request)
        return plan.offers.first.map { PlannedWay($0, for: plan.request) }
    }
}
