internal import Activities
internal import History
internal import HunchModel

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
}
