internal import Directions
internal import FoundationEssentials
internal import HunchModel
internal import Localization
internal import Suggestions

extension DirectionsPlan.Offer {
    /// Returns the requested route with this app as a suggestion that expires at a date.
    ///
    /// - Parameters:
    ///   - place: the full name of the place if several places may be meant.
    ///   - town: the name of a town near a destination that has only a position.
    func suggestion(
        _ identifier: Suggestion.ID, for request: DirectionsRequest, place: String? = nil, near town: String? = nil,
        until end: Date
    ) -> Suggestion {
        let vicinity = town.map {
            MapItem(name: localized("a place near %1", $0), coordinate: request.destination.coordinate)
        }
        let details = [place ?? TransportMode.list(modes)] + cautions.map { $0.description }
        return Suggestion(
            id: identifier, title: vicinity.map { app.title(for: $0, isRide: isRide) } ?? title,
            subtitle: details.filter { !$0.isEmpty }.joined(separator: "; "),
            application: launch.desktopID ?? app.id, applicationName: app.name,
            source: localized("You asked for it"), score: score, explanation: explanation, context: Context(),
            expiry: end, action: .openDirections(launch), donation: request.parameters)
    }
}
