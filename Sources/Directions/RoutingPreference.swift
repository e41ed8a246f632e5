/// What is known of the person's liking for a routing app, as learned from what was opened before.
public struct RoutingPreference: Hashable, Sendable {
    /// How likely the person would choose it for the request, 0…1.
    public var likelihood: Double
    /// Why, in words, strongest first.
    public var reasons: [String]

    /// Makes a preference.
    public init(likelihood: Double, reasons: [String]) {
        self.likelihood = likelihood
        self.reasons = reasons
    }
}
