/// Of which apps a caller may know what they have, and had, on the screen.
enum VisibleApps: Equatable {
    /// Of all.
    case all
    /// Of itself.
    case one(String)
    /// Of none.
    case none

    func contains(_ application: String) -> Bool {
        switch self {
        case .all: true
        case .one(let own): own == application
        case .none: false
        }
    }
}

extension CallerStanding {
    /// The person sees every app's, and so do apps outside sandboxes that the person allowed; other apps see their own.
    func visibleApps(readers: Set<String>) -> VisibleApps {
        if (try? mayReadEverything(readers: readers)) != nil { return .all }
        return application.map(VisibleApps.one) ?? .none
    }
}
