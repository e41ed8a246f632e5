public import HunchModel

/// Which app a person opens for the way to a place, learned from the directions that were opened.
///
/// What counts is the way to travel, the area, hour and weekday, and what was opened lately.
public struct RoutingHabits: Sendable {
    /// How likely an app is the one wanted, and why.
    public struct Choice: Hashable, Sendable {
        /// 0…1; after n directions opened, what was learned counts n/(n + 1).
        public var likelihood: Double
        /// Why this app rather than the next likeliest; at least one reason.
        public var explanation: Explanation
    }

    /// How many of the latest directions say enough.
    public static let learnedDirections = 2_000

    private var learner = Learner(followsSequences: false)
    private var count = 0.0

    /// Habits of which nothing is known.
    public init() {}

    /// Takes in directions that were opened, in the order in which they were; anything else is left out.
    public mutating func learn(_ donation: Donation) {
        guard donation.kind == .getDirections else { return }
        learner.learn(
            Action(application: donation.application, kind: .getDirections),
            Self.circumstances(donation.parameters, donation.context), at: donation.date)
        count += 1
    }

    /// The apps that were opened before, by their identifiers.
    ///
    /// - Parameters:
    ///   - parameters: of the directions that are wanted, as a donation of them has them.
    ///   - context: now.
    public func choices(for parameters: [String: String], _ context: Context) -> [String: Choice] {
        let circumstances = Self.circumstances(parameters, context)
        let confidence = count / (count + 1)
        let ranked = learner.predict(circumstances, at: nil, limit: 64)
        return Dictionary(
            ranked.map { ranked in
                var explanation = ranked.explanation(circumstances, of: .application)
                if explanation.reasons.isEmpty {
                    let times = Int(clamping: learner.count(of: ranked.action))
                    explanation.reasons = ["you used this app \(times == 1 ? "once" : "\(times) times")"]
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

    /// Half a degree: a town and what is around it.
    private static func area(_ parameters: [String: String]) -> String? {
        guard let latitude = parameters["latitude"].flatMap(Double.init),
            let longitude = parameters["longitude"].flatMap(Double.init)
        else { return nil }
        func half(_ degrees: Double) -> Double { (degrees * 2).rounded(.down) / 2 }
        return "\(half(latitude)) \(half(longitude))"
    }
}
