/// What is known of the person's liking for routing apps, as learned from what they chose.
public protocol RoutingPreference: Sendable {
    /// How likely the person would choose the app for the request, 0…1, and why in words; `nil` when nothing is known.
    func preference(for app: RoutingApp, request: DirectionsRequest) -> (likelihood: Double, reason: String)?
}

/// Nothing is known: the desktop's own settings decide.
public struct NoRoutingPreference: RoutingPreference {
    /// Makes it.
    public init() {}

    /// Always `nil`.
    public func preference(for app: RoutingApp, request: DirectionsRequest) -> (likelihood: Double, reason: String)? {
        nil
    }
}
