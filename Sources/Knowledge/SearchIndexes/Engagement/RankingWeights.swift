internal import GRDB
internal import Glibc

/// The weights of engagement and popularity in the order of results, learned from each choice.
///
/// A choice says that the user prefers the chosen item to those above it, which they passed over. They may not have
/// seen the items below it. Each such pair is a step of stochastic gradient descent on the logistic loss (Joachims
/// 2002, Optimizing Search Engines using Clickthrough Data).
struct RankingWeights {
    /// Evidence of engagement with an item: in such searches, in all searches, with its app; and its popularity.
    typealias Evidence = SIMD4<Double>

    /// The element for popularity.
    static let popularity = 3

    private static let numbers: [IndexNumber] = [.queryWeight, .itemWeight, .applicationWeight, .popularityWeight]
    private static let first: [Double] = [1, 0.5, 0.3, 0.5]
    private static let step = 0.05
    private static let range = 0.0...3.0

    private(set) var values: Evidence

    /// Reads the weights.
    init(_ db: Database) throws {
        values = Evidence(repeating: 0)
        for (index, number) in Self.numbers.enumerated() {
            values[index] = try number.value(db, default: Self.first[index])
        }
    }

    /// Learns that an item was preferred to another.
    mutating func learn(_ chosen: RankingFactors, over passed: RankingFactors) {
        let difference = chosen.evidence - passed.evidence
        let margin = chosen.base - passed.base + (values * difference).sum()
        values += difference * (Self.step / (1 + exp(margin)))
        for index in Self.numbers.indices {
            values[index] = min(max(values[index], Self.range.lowerBound), Self.range.upperBound)
        }
    }

    /// Stores the weights.
    func store(_ db: Database) throws {
        for (index, number) in Self.numbers.enumerated() { try number.set(to: values[index], db) }
    }
}
