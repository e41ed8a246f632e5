internal import Activities
internal import HunchModel
internal import Places

extension ForgetScope {
    /// Whether an activity may belong to forgotten data. In doubt, it does.
    func mayConcern(_ life: LiveActivity) -> Bool {
        switch self {
        case .everything, .since, .place: true
        case .application(let application): life.application == application
        case .kind(let kind): kind == .openItem
        case .device, .action: false
        }
    }

    /// Whether an activity itself says that it belongs to the scope.
    func concerns(_ life: LiveActivity) -> Bool {
        guard let activity = life.activity else { return false }
        return switch self {
        case .everything, .application, .kind, .device, .action: mayConcern(life)
        case .since(let date): life.date >= date
        case .place(let text):
            activity.place.map(ForgottenPlace(text).isMeant) == true
                || ForgottenPlace(text).isMentioned(in: activity.title)
        }
    }
}
