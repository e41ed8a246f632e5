internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import Popularity

/// The popularity of public content among other people, as far as the aggregator's sketch tells.
struct PopularityRanking {
    /// The share that counts little. It is less than what chance produces among a million reports.
    private static let smallShare = 0.001

    private let estimator: PopularitySketch.Estimator
    private let weight: Double

    /// Reads what concerns a search. Returns `nil` without a sketch.
    init?(_ db: Database) throws {
        guard let sketch = try Self.sketch(db) else { return nil }
        estimator = sketch.estimator()
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

    /// Reads the sketch. Returns `nil` if there is none, or it is damaged.
    static func sketch(_ db: Database) throws -> PopularitySketch? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT epsilon, reports, counts FROM sketch")),
            let encoding = UnaryEncoding(epsilon: row[0])
        else { return nil }
        return try? PopularitySketch(encoding: encoding, reports: numbers(row[1]), counts: numbers(row[2]))
    }

    /// Stores a sketch in place of the former one; `nil` removes it.
    static func store(_ sketch: PopularitySketch?, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM sketch")
        guard let sketch else { return }
        try db.execute(
            sql: "INSERT INTO sketch VALUES (?, ?, ?)",
            arguments: [sketch.encoding.epsilon, bytes(sketch.reports), bytes(sketch.counts)])
    }

    private static func bytes(_ numbers: [UInt32]) -> Data { numbers.withUnsafeBytes { Data($0) } }

    private static func numbers(_ bytes: Data) -> [UInt32] {
        bytes.withUnsafeBytes { bytes in
            (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
    }
}
