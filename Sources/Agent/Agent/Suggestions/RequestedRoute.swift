internal import Directions
internal import FoundationEssentials
internal import HunchModel
internal import Localization

/// A requested route, as one app offers it.
struct RequestedRoute: Sendable {
    /// The parameters of the donation to record when it is accepted.
    let donation: [String: String]
    private let offer: DirectionsPlan.Offer
    private let place: String?
    private let vicinity: MapItem?

    /// - Parameters:
    ///   - place: the full name of the place if several places may be meant.
    ///   - town: the name of a town near a destination that has only a position.
    init(
        _ offer: DirectionsPlan.Offer, for request: DirectionsRequest, place: String? = nil, near town: String? = nil
    ) {
        self.offer = offer
        donation = request.parameters
        self.place = place
        vicinity = town.map {
            MapItem(name: localized("a place near %1", $0), coordinate: request.destination.coordinate)
        }
    }

    /// Returns the route as a suggestion that expires at a date.
    func suggestion(_ identifier: Suggestion.ID, until end: Date) -> Suggestion {
        Suggestion(
            id: identifier, title: vicinity.map { offer.app.title(for: $0) } ?? offer.title,
            subtitle: subtitle,
            application: offer.launch.desktopID ?? offer.app.id, applicationName: offer.app.name,
            source: localized("You asked for it"), score: offer.score, explanation: offer.explanation,
            context: Context(),
            expiry: end, action: .openDirections(offer.launch))
    }

    private var subtitle: String {
        let modes = TransportMode.list(offer.modes)
        let parts = [place ?? modes] + offer.cautions.map { $0.description }
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
