/// How well actions were ranked: shares of predicted events, 0…1. Encoded under the names that the field has for them.
public struct HitRates: Hashable, Sendable, Encodable {
    /// How often the right action came first.
    public var first: Double
    /// How often it was among the first three.
    public var firstThree: Double
    /// How often it was among the first four.
    public var firstFour: Double
    /// How often it was among the first five.
    public var firstFive: Double
    /// The mean of 1/rank within the first ten, 0 below.
    public var reciprocalRank: Double

    private enum CodingKeys: String, CodingKey {
        case first = "hr1"
        case firstThree = "hr3"
        case firstFour = "hr4"
        case firstFive = "hr5"
        case reciprocalRank = "mrr10"
    }
}

/// Where right actions stood in rankings.
struct RankCounts: Hashable, Sendable {
    static let depth = 10

    /// How often at each rank, the first at 0.
    private var atRank = Array(repeating: 0, count: depth)
    private(set) var events = 0

    /// Counts a ranking.
    ///
    /// - Parameter rank: where the right action stood, the first at 0; `nil` where it was not among the first ten.
    mutating func add(rank: Int?) {
        events += 1
        if let rank, rank < Self.depth { atRank[rank] += 1 }
    }

    mutating func add(_ other: RankCounts) {
        events += other.events
        for rank in atRank.indices { atRank[rank] += other.atRank[rank] }
    }

    /// The shares; all 0 where nothing was counted.
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
    /// The mean of some shares, each weighing the same; all 0 for none.
    static func mean(_ rates: [HitRates]) -> HitRates {
        let count = Double(max(rates.count, 1))
        func mean(_ rate: KeyPath<HitRates, Double>) -> Double { rates.reduce(0) { $0 + $1[keyPath: rate] } / count }
        return HitRates(
            first: mean(\.first), firstThree: mean(\.firstThree), firstFour: mean(\.firstFour),
            firstFive: mean(\.firstFive), reciprocalRank: mean(\.reciprocalRank))
    }
}
