public import HunchModel

/// What is known of the person's liking for a routing app, as learned from what was opened before.
public struct RoutingPreference: Hashable, Sendable {
    /// How likely the person would choose it for the request, 0…1.
    public var likelihood: Double
    /// Why, with what was learned.
    public var explanation: Explanation

    /// Makes a preference.
    public init(likelihood: Double, explanation: Explanation) {
        self.likelihood = likelihood
        self.explanation = explanation
    }
}
