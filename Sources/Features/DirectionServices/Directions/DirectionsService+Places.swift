internal import Agent
internal import Directions
package import FoundationEssentials
internal import Geocoding
package import HunchModel

/// A route to a place that is suggested without a request for directions.
package struct PlannedRoute: Sendable {
    /// "Get directions to X", or "Get a ride to X".
    package let title: String
    /// Desktop identifier of the routing app, or the identifier of its coverage.
    package let application: AppID
    package let applicationName: String
    package let launch: DirectionsLaunch
    /// The modes by which the app goes there.
    package let modes: Set<TransportMode>
    /// The coordinate of the place, or that of the town that is certain about it; `nil` if neither is.
    package let position: Coordinate?
    /// The reason for this app.
    package let explanation: Explanation
    /// The parameters of the donation to record when it is accepted.
    package let donation: [String: String]

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

    /// Returns the suggestion to take this route.
    ///
    /// - Parameters:
    ///   - reasons: the reasons for the place, before those for the app.
    ///   - place: the place that the suggestion is about; `nil` if the user asked for it.
    package func suggestion(
        _ identifier: Suggestion.ID, from source: String, score: Double, because reasons: Explanation = [],
        in context: Context, until end: Date, origin: Donation? = nil, about place: MapItem? = nil
    ) -> Suggestion {
        Suggestion(
            id: identifier, title: title, subtitle: applicationName, application: application,
            applicationName: applicationName, source: source, score: score, explanation: reasons + explanation,
            context: context, expiry: end, action: .openDirections(launch), origin: origin,
            subject: place.flatMap { SuggestionSubject($0) }, donation: donation)
    }
}

extension DirectionsPlan.Offer {
    fileprivate var application: AppID { launch.desktopID ?? app.id }
}

extension DirectionsService {
    /// The precision of a located place.
    package enum Precision: Sendable {
        /// The position of the place itself.
        case exact
        /// The town of an address. The street may be unknown.
        case address
        /// A town, or another area that is larger than a street.
        case town
        /// One of several places that the words may mean.
        case ambiguous
    }

    /// Returns a place with the coordinate of its words, if that is certain; otherwise the place itself.
    ///
    /// Calendars often have a name before the address: “Dr. Gray, Unter den Linden 77, Berlin”. If the whole is not found,
    /// the house at its end counts, or the street with its town. A town that is certain only from the user's position counts,
    /// too: from Columbus, “Dublin” is the one in Ohio.
    package func located(_ place: MapItem, from here: Coordinate?) async throws -> (
        place: MapItem, precision: Precision
    ) {
        guard place.coordinate == nil else { return (place, .exact) }
        guard let text = place.query else { return (place, place.address?.street == nil ? .town : .address) }
        let planner = DirectionsPlanner(geocoder: geocoder(showing: .all))
        let areas: Set<PlaceKind> = [.district, .city, .suburb, .postalCode]
        var rest = text[...]
        var isAmbiguous = false
        for _ in 0...2 {
            let isWhole = rest.utf8.count == text.utf8.count
            var outcome = try? await planner.outcome(of: String(rest))
            if outcome?.isCertain != true, isWhole, let here {
                outcome = try? await planner.outcome(of: String(rest), here: here)
            }
            if case .certain(let found)? = outcome,
                isWhole || found.kind == .house || found.kind == .street && rest.contains(",")
            {
                var located = place
                located.name = place.name ?? text
                located.coordinate = found.item.coordinate
                return (located, areas.contains(found.kind) ? .town : .exact)
            }
            if isWhole, case .ambiguous? = outcome { isAmbiguous = true }
            guard let comma = rest.firstIndex(of: ",") else { break }
            rest = rest[rest.index(after: comma)...].drop { $0 == " " }
        }
        if isAmbiguous { return (place, .ambiguous) }
        // An address has a house number or a postal code.
        return (place, text.contains(where: \.isNumber) ? .address : .town)
    }

    /// Returns the routing app that the user most likely wants for a place, and how to open it.
    ///
    /// A place without a coordinate is geocoded to check coverage. If no place is certain, only apps that serve
    /// everywhere and search themselves are candidates.
    ///
    /// - Parameter modes: the wanted travel modes; empty for any.
    /// - Returns: `nil` if no app serves the place.
    package func route(to place: MapItem, by modes: Set<TransportMode> = []) async throws -> PlannedRoute? {
        let request = DirectionsRequest(to: place, by: modes)
        // If the gazetteer cannot use the words, the place stays as its app described it.
        let resolved =
            await request.needsGeocoding
            ? (try? DirectionsPlanner(geocoder: geocoder(showing: .all)).resolve(request)) : nil
        // An appointment may follow one at another place.
        let plan = try await plan(for: resolved?.request ?? request, startsHere: false, limit: 1)
        return plan.offers.first.map { PlannedRoute($0, for: plan.request) }
    }
}
