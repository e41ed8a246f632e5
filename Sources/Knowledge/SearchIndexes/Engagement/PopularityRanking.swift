internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import Popularity

/// The popularity of public content among other people, as far as the aggregator's sketch shows.
struct PopularityRanking {
    /// The share that counts little. It is less than what chance produces among a million reports.
    private static let smallShare = 0.001

    private let estimator: PopularityEstimator
    private let weight: Double

    /// Returns whether there is a sketch.
    static func isKnown(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sketch)")) ?? false
    }

    /// Reads what concerns a search. Returns `nil` without a sketch, or if it is damaged.
    init?(_ db: Database) throws {
        let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT epsilon, reports, ones, counts FROM sketch"))
        guard let row, let encoding = UnaryEncoding(epsilon: row[0]) else { return nil }
        let (reports, counts): (Data, Data) = (row[1], row[3])
        guard reports.count == 4 * PopularitySketch.rows,
            counts.count == 4 * PopularitySketch.rows * PopularitySketch.columns
        else { return nil }
        estimator = PopularityEstimator(
            encoding: encoding, reports: (0..<PopularitySketch.rows).map { Self.number($0, of: reports) }, ones: row[2]
        ) { Self.number($0, of: counts) }
        weight = try RankingWeights(db).values[RankingWeights.popularity]
    }

    /// Returns the factors of an item with its popularity.
    func complete(_ factors: RankingFactors, of key: PopularityKey) -> RankingFactors {
        var factors = factors
        let share = estimator.share(of: key)
        // 0 for an unknown item, 1 if all reports are about it. One of a hundred reports gives 0.35, one of ten 0.67.
        let evidence = log1p(share / Self.smallShare) / log1p(1 / Self.smallShare)
        factors.evidence[RankingWeights.popularity] = evidence
        factors.popularity = RankingFactors.Popularity(share: share, factor: exp(weight * evidence))
        return factors
    }

    // MARK: The sketch

    /// Stores a sketch in place of the former one; `nil` removes it.
    static func store(_ sketch: PopularitySketch?, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM sketch")
        guard let sketch else { return }
        try db.execute(
            sql: "INSERT INTO sketch (epsilon, reports, counts, ones) VALUES (?, ?, ?, ?)",
            arguments: [sketch.encoding.epsilon, bytes(sketch.reports), bytes(sketch.counts), sketch.ones])
    }

    private static func bytes(_ numbers: [UInt32]) -> Data { numbers.withUnsafeBytes { Data($0) } }

    private static func number(_ index: Int, of bytes: Data) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
    }
}
