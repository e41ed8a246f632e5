internal import Directions
package import HunchModel
internal import Places

extension ForgetScope {
    /// Whether a suggestion may be based on forgotten data. In doubt, it is.
    package func mayConcern(_ suggestion: Suggestion) -> Bool {
        // A calendar is not recorded. Reservations that are forgotten end their suggestions themselves, and if a route opens in
        // another app then, its suggestion changes in place. Only a place is the appointment's own.
        if suggestion.context.trigger == .appointment {
            if case .place = self { return concerns(suggestion) }
            return false
        }
        return switch self {
        case .since, .action, .everything: true
        case .application(let application):
            suggestion.application == application || suggestion.origin?.application == application
                || suggestion.context.trigger == .activity(application)
        case .kind(let kind):
            suggestion.kind == Suggestion.Kind(kind) || suggestion.origin?.kind == kind
        case .device(let device):
            suggestion.context.device == device || suggestion.context.trigger == .device(device)
        case .place: suggestion.kind != .media
        }
    }

    /// Whether a suggestion itself says that it is based on data in the scope.
    package func concerns(_ suggestion: Suggestion) -> Bool {
        switch self {
        case .since, .action: return false
        case .everything, .application, .kind, .device: return mayConcern(suggestion)
        case .place(let text):
            guard suggestion.kind != .media else { return false }
            let place = ForgottenPlace(text)
            if [suggestion.title, suggestion.subtitle].contains(where: { place.isMentioned(in: $0) }) { return true }
            guard case .openDirections(let launch) = suggestion.action else { return false }
            return (try? DirectionsRequest(uri: launch.uri)).map { place.isMeant($0.destination) } ?? true
        }
    }
}
