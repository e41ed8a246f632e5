internal import Glibc
internal import HunchModel

/// The numbers of times that the user returned to an action, by the number of other actions that came between.
/// Older returns count less. ``Situation/Gate`` values have counts of their own.
struct ReturnCounts: Sendable {
    /// The ranks by recency that are counted together. The last bucket holds all greater ranks.
    static let buckets = EvidenceSlot.rankBuckets + [24..<48, 48..<96, 96..<192, 192..<512]
    /// The decay factor per return: about the last fifty count.
    private static let memory = 0.98
    /// The number of returns at one gate that the counts of all gates are worth.
    private static let trust = 8.0
    /// The weight of the initial counts, in returns.
    private static let firstCount = 2.0

    private var byGate: [[Double]]
    private var all: [Double]

    init() {
        byGate = Situation.Gate.allCases.map { _ in Self.buckets.map { _ in 0 } }
        // The initial probability of a rank is inversely proportional to it.
        let shares = Self.buckets.map { log(Double($0.upperBound + 1) / Double($0.lowerBound + 1)) }
        let sum = shares.reduce(0, +)
        all = shares.map { Self.firstCount * $0 / sum }
    }

    /// The size in memory, in bytes.
    var byteCount: Int {
        Storage.bytes(of: all) + Storage.bytes(of: byGate) + byGate.reduce(0) { $0 + Storage.bytes(of: $1) }
    }

    /// Counts one more return.
    ///
    /// - Parameter rank: The number of other actions since the action's last use.
    mutating func learn(rank: Int, _ gate: Situation.Gate) {
        let bucket = Self.bucket(of: rank)
        func add(to counts: inout [Double]) {
            for index in counts.indices { counts[index] *= Self.memory }
            counts[bucket] += 1
        }
        add(to: &all)
        add(to: &byGate[gate.rawValue])
    }

    /// Returns, for each bucket with actions, its ranks and the logarithm of how much likelier each of its actions is than
    /// in a uniform distribution.
    ///
    /// - Parameter known: The number of known actions.
    func logRatios(_ gate: Situation.Gate, known: Int) -> [(ranks: Range<Int>, logRatio: Double)] {
        let counts = byGate[gate.rawValue]
        let (sum, allSum) = (counts.reduce(0, +), all.reduce(0, +))
        return Self.buckets.indices.prefix { Self.buckets[$0].lowerBound < known }.map { index in
            let isLast = index == Self.buckets.count - 1
            let ranks = Self.buckets[index].lowerBound..<(isLast ? known : min(Self.buckets[index].upperBound, known))
            let probability = (counts[index] + Self.trust * all[index] / allSum) / (sum + Self.trust)
            return (ranks, log(probability * Double(known) / Double(ranks.count)))
        }
    }

    /// Returns how many of the returns that are remembered had about this rank.
    func share(of rank: Int) -> Explanation.Share {
        let bucket = Self.bucket(of: rank)
        func counted(_ count: (_ counts: [Double]) -> Double) -> Int {
            Int(clamping: byGate.reduce(0) { $0 + count($1) }.rounded())
        }
        return Explanation.Share(count: counted { $0[bucket] }, total: counted { $0.reduce(0, +) })
    }

    static func bucket(of rank: Int) -> Int { buckets.firstIndex { $0.contains(rank) } ?? buckets.count - 1 }
}
