package import HunchModel

/// The apps whose activities a caller may see.
package enum VisibleApps: Equatable {
    /// All apps.
    case all
    /// Only the caller's own app.
    case one(AppID)
    /// None.
    case none

    package func contains(_ application: AppID) -> Bool {
        switch self {
        case .all: true
        case .one(let own): own == application
        case .none: false
        }
    }
}

extension CallerPermission {
    /// Returns the apps whose activities a caller may see: all for the user and for allowed apps outside sandboxes;
    /// for other apps only their own.
    package func visibleApps(readers: Set<AppID>) -> VisibleApps {
        if (try? mayReadEverything(readers: readers)) != nil { return .all }
        return application.map(VisibleApps.one) ?? .none
    }
}
