public import HunchModel

/// The learned preference of the user for a routing app.
public struct RoutingPreference: Hashable, Sendable {
    /// The probability that the user chooses it for the request, 0…1.
    public var likelihood: Double
    /// The explanation from what was learned.
    public var explanation: Explanation

    /// Creates a preference.
    public init(likelihood: Double, explanation: Explanation) {
        self.likelihood = likelihood
        self.explanation = explanation
    }
}
