public import HunchModel

/// The person's preference for a routing app, learned from earlier choices.
public struct RoutingPreference: Hashable, Sendable {
    /// The probability that the person chooses it for the request, 0…1.
    public var likelihood: Double
    /// Why, with what was learned.
    public var explanation: Explanation

    /// Makes a preference.
    public init(likelihood: Double, explanation: Explanation) {
        self.likelihood = likelihood
        self.explanation = explanation
    }
}
