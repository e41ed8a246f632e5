/// What the replay of a log showed. Encoded under its properties' names, without what is computed of others.
public struct EvaluationReport: Hashable, Sendable, Encodable {
    /// How well a method ranked.
    public struct Rates: Hashable, Sendable, Encodable {
        /// Over all predicted events.
        public var micro: HitRates
        /// The mean over people of whom something was predicted, each weighing the same.
        public var macro: HitRates
    }

    /// How many people there are.
    public var users: Int
    /// How many events there were.
    public var events: Int
    /// How many of them were predicted.
    public var predicted: Int
    /// How many of them were learned.
    public var learned: Int
    /// How many predicted actions the person had never done before: what no method can rank.
    public var unseen: Int
    /// How often the learner was sure enough to offer its first, as ``Evaluator/offerProbability`` has it.
    public var offers: Int
    /// How often what it would have offered was not what was done.
    public var falseOffers: Int
    /// How well each method ranked.
    public var methods: [EvaluationMethod: Rates]
    /// What the learner took to rank, on average, in microseconds.
    public var microsecondsPerPrediction: Double
    /// What the learner took to learn an event, on average, in microseconds.
    public var microsecondsPerUpdate: Double
    /// What the learner keeps of a person, on average, in bytes.
    public var bytesPerUser: Int
    /// What the learner keeps of the person of whom it keeps most, in bytes.
    public var greatestBytesPerUser: Int

    /// The share of false offers among all offers, 0…1; 0 for none.
    public var falseOfferRate: Double { Double(falseOffers) / Double(max(offers, 1)) }
}
