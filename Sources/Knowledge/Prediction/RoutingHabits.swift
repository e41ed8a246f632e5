public import HunchModel
internal import Localization

/// Learns which app a user opens for directions, from the directions that were opened.
///
/// The evidence is the travel mode, the area of the destination, hour, weekday, other context values and recency.
public struct RoutingHabits: Sendable {
    /// The probability that an app is the wanted one, with the reasons.
    public struct Choice: Hashable, Sendable {
        /// The probability, 0…1. After n opened directions, the learned probability is scaled by n/(n + 1).
        public var likelihood: Double
        /// The reasons why this app ranks above the next likeliest one; at least one.
        public var explanation: Explanation

        /// Creates a choice.
        public init(likelihood: Double, explanation: Explanation) {
            self.likelihood = likelihood
            self.explanation = explanation
        }
    }

    /// The number of recent directions to learn from.
    public static let learnedDirections = 2_000

    private var learner = Learner(followsSequences: false)
    private var count = 0.0

    /// Creates habits that know nothing.
    public init() {}

    /// Learns opened directions. They must come in chronological order. Other donations are ignored.
    public mutating func learn(_ donation: Donation) {
        guard donation.kind == .getDirections else { return }
        learner.learn(
            Action(application: donation.application, kind: .getDirections),
            Self.circumstances(donation.parameters, donation.context), at: donation.date)
        count += 1
    }

    /// Returns the apps that were opened before, by their desktop identifiers.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the wanted directions, as in a donation of them.
    ///   - context: The current context.
    public func choices(for parameters: [String: String], _ context: Context) -> [AppID: Choice] {
        let circumstances = Self.circumstances(parameters, context)
        let confidence = count / (count + 1)
        let ranked = learner.predict(circumstances, at: nil, limit: 64)
        return Dictionary(
            ranked.map { ranked in
                var explanation = ranked.explanation(circumstances, of: .application)
                if explanation.reasons.isEmpty {
                    let times = Int(clamping: learner.count(of: ranked.action))
                    explanation.reasons = [
                        .init(
                            times == 1
                                ? localized("you used this app once")
                                : localizedPlural("you used this app %1 time", "you used this app %1 times", times))
                    ]
                }
                return (
                    ranked.action.application,
                    Choice(likelihood: ranked.probability * confidence, explanation: explanation)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func circumstances(_ parameters: [String: String], _ context: Context) -> Circumstances {
        var circumstances = Circumstances(context)
        circumstances.values["device"] = nil
        circumstances.values["mode"] = parameters["mode"]
        circumstances.values["area"] = area(parameters)
        return circumstances
    }

    /// Returns the cell of half a degree that contains the destination: a town and its surroundings.
    private static func area(_ parameters: [String: String]) -> String? {
        guard let latitude = parameters["latitude"].flatMap(Double.init),
            let longitude = parameters["longitude"].flatMap(Double.init)
        else { return nil }
        func half(_ degrees: Double) -> Double { (degrees * 2).rounded(.down) / 2 }
        return "\(half(latitude)) \(half(longitude))"
    }
}
