/// Ranking quality, as shares of predicted events, 0…1. Encoded under the field's usual names.
public struct HitRates: Hashable, Sendable, Encodable {
    /// The share of events whose action came first.
    public var first: Double
    /// The share of events whose action was among the first three.
    public var firstThree: Double
    /// The share of events whose action was among the first four.
    public var firstFour: Double
    /// The share of events whose action was among the first five.
    public var firstFive: Double
    /// The mean of 1/rank within the first ten, and 0 beyond.
    public var reciprocalRank: Double

    private enum CodingKeys: String, CodingKey {
        case first = "hr1"
        case firstThree = "hr3"
        case firstFour = "hr4"
        case firstFive = "hr5"
        case reciprocalRank = "mrr10"
    }
}

/// The ranks of the right actions.
struct RankCounts: Hashable, Sendable {
    static let depth = 10

    /// The number of events at each rank, the first at 0.
    private var atRank = Array(repeating: 0, count: depth)
    private(set) var events = 0

    /// Counts a ranking.
    ///
    /// - Parameter rank: The rank of the right action, the first at 0; `nil` if it was not among the first ten.
    mutating func add(rank: Int?) {
        events += 1
        if let rank, rank < Self.depth { atRank[rank] += 1 }
    }

    mutating func add(_ other: RankCounts) {
        events += other.events
        for rank in atRank.indices { atRank[rank] += other.atRank[rank] }
    }

    /// The hit rates; all 0 if nothing was counted.
    var rates: HitRates {
        let events = Double(max(events, 1))
        func within(_ depth: Int) -> Double { Double(atRank[..<depth].reduce(0, +)) / events }
        let reciprocal = atRank.enumerated().reduce(0.0) { $0 + Double($1.element) / Double($1.offset + 1) }
        return HitRates(
            first: within(1), firstThree: within(3), firstFour: within(4), firstFive: within(5),
            reciprocalRank: reciprocal / events)
    }
}

extension HitRates {
    /// Returns the unweighted mean of some rates; all 0 for none.
    static func mean(_ rates: [HitRates]) -> HitRates {
        let count = Double(max(rates.count, 1))
        func mean(_ rate: KeyPath<HitRates, Double>) -> Double { rates.reduce(0) { $0 + $1[keyPath: rate] } / count }
        return HitRates(
            first: mean(\.first), firstThree: mean(\.firstThree), firstFour: mean(\.firstFour),
            firstFive: mean(\.firstFive), reciprocalRank: mean(\.reciprocalRank))
    }
}
