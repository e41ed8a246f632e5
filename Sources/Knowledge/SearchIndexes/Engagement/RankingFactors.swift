internal import Glibc

/// The factors of a score. The score is their product.
public struct RankingFactors: Hashable, Sendable {
    /// Counts of earlier results, with their factor.
    public struct Engagement: Hashable, Sendable {
        /// The counts.
        public var counts = EngagementCounts()
        /// The factor; 1 without counts.
        public var factor = 1.0
    }

    /// The popularity of public content among other people, with its factor.
    public struct Popularity: Hashable, Sendable {
        /// The part of the reports that are about it, 0…1.
        public let share: Double
        /// The factor.
        public let factor: Double
    }

    /// The fit of the words (BM25F).
    public var text: Double
    /// 1 for old content, up to 1.1 for new content.
    public var recency = 1.0
    /// The popularity of the item; `nil` if it is not public, or nothing is known about other people.
    public var popularity: Popularity?
    /// Engagement with the item in searches for such words.
    public var query = Engagement()
    /// Engagement with the item in all searches.
    public var item = Engagement()
    /// Engagement with items of the app.
    public var application = Engagement()

    /// The product of the factors.
    public var score: Double {
        text * recency * (popularity?.factor ?? 1) * query.factor * item.factor * application.factor
    }

    /// The logarithms of the factors whose weights are learned, divided by the weights.
    var evidence = RankingWeights.Evidence(repeating: 0)
    /// The logarithm of the score without the learned factors.
    var base: Double { log(max(text * recency, .leastNormalMagnitude)) }

    /// Creates the factors of an item without engagement.
    public init(text: Double, recency: Double = 1) { (self.text, self.recency) = (text, recency) }
}
