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
    /// The modes by which the app goes there.
    let modes: Set<TransportMode>
    /// The coordinate of the place, or that of the town that is certain about it; `nil` if neither is.
    let position: Coordinate?
    /// The reason for this app.
    let explanation: Explanation
    /// The parameters of the donation to record when it is accepted.
    let donation: [String: String]

    fileprivate init(_ offer: DirectionsPlan.Offer, for request: DirectionsRequest) {
        title = offer.title
        application = offer.application
        applicationName = offer.app.name
        modes = Set(offer.modes)
        position = request.destination.coordinate ?? request.roughDestination
        launch = DirectionsLaunch(desktopID: offer.launch.desktopID, uri: offer.launch.uri)
        explanation = offer.explanation
        donation = request.parameters
    }
}

extension DirectionsPlan.Offer {
    fileprivate var application: AppID { launch.desktopID ?? app.id }
}

extension DirectionsService {
    /// Returns a place with the coordinate of its words, if that is certain; otherwise the place itself.
    ///
    /// Calendars often have a name before the address: “Dr. Gray, Unter den Linden 77, Berlin”. If the whole is not found,
    /// the street address at its end counts.
    func located(_ place: MapItem) async throws -> MapItem {
        guard place.coordinate == nil, let text = place.query else { return place }
        let planner = DirectionsPlanner(geocoder: geocoder(showing: .all))
        var rest = text[...]
        for _ in 0...2 {
            let isWhole = rest.utf8.count == text.utf8.count
            if case .certain(let found)? = try? await planner.outcome(of: String(rest)),
                isWhole || found.kind == .house || found.kind == .street
            {
                var located = place
                located.name = place.name ?? text
                located.coordinate = found.item.coordinate
                return located
            }
            guard let comma = rest.firstIndex(of: ",") else { break }
            rest = rest[rest.index(after: comma)...].drop { $0 == " " }
        }
        return place
    }

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
