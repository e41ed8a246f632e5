/// The results of replaying a log. Encoded under its properties' names, without computed properties.
public struct EvaluationReport: Hashable, Sendable, Encodable {
    /// The hit rates of a method.
    public struct Rates: Hashable, Sendable, Encodable {
        /// The rates over all predicted events.
        public var micro: HitRates
        /// The unweighted mean over the people with predicted events.
        public var macro: HitRates
    }

    /// The number of people.
    public var users: Int
    /// The number of events.
    public var events: Int
    /// The number of predicted events.
    public var predicted: Int
    /// The number of learned events.
    public var learned: Int
    /// The number of predicted actions that the user had never done before. No method can rank them.
    public var unseen: Int
    /// The number of predictions with enough confidence to suggest the first action (``Evaluator/offerProbability``).
    public var offers: Int
    /// The number of these suggestions that differed from the observed action.
    public var falseOffers: Int
    /// The hit rates of each method.
    public var methods: [EvaluationMethod: Rates]
    /// The learner's mean time for a prediction, in microseconds.
    public var microsecondsPerPrediction: Double
    /// The learner's mean time to learn an event, in microseconds.
    public var microsecondsPerUpdate: Double
    /// The mean size of a user's learner, in bytes.
    public var bytesPerUser: Int
    /// The size of the largest learner of any person, in bytes.
    public var greatestBytesPerUser: Int

    /// The share of wrong suggestions among all suggestions, 0…1; 0 if there are none.
    public var falseOfferRate: Double { Double(falseOffers) / Double(max(offers, 1)) }
}
