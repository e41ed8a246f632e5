internal import Glibc

/// The estimates of popularity from one sketch.
public struct PopularityEstimator: Sendable {
    /// The number of standard deviations by which a share is lowered. One of 40 contents that nobody opened still gets a small
    /// share by chance.
    private static let caution = 2.0

    private let encoding: UnaryEncoding
    private let reports: [Double]
    private let total: Double
    /// The part of all reports that are about any content.
    private let known: Double
    private let count: @Sendable (_ index: Int) -> UInt32

    /// Creates the estimates.
    ///
    /// - Parameters:
    ///   - reports: the number of reports of each row.
    ///   - ones: the sum of all counts.
    ///   - count: returns a count by its index, row by row.
    public init(
        encoding: UnaryEncoding, reports: [UInt32], ones: Double, count: @escaping @Sendable (_ index: Int) -> UInt32
    ) {
        self.encoding = encoding
        self.reports = reports.map(Double.init)
        total = self.reports.reduce(0, +)
        self.count = count
        // The bits of all columns of a row.
        let sum = encoding.estimate(ones: ones, reports: total * Double(PopularitySketch.columns))
        known = total > 0 ? min(max(sum / total, 0), 1) : 0
    }

    /// Returns the unbiased estimate of the number of reports about a content. It can be negative.
    public func estimate(of key: PopularityKey) -> Double { Self.corrected(rows(of: key).sum, known * total) }

    /// Returns the part of the reports that are about a content, 0…1, lowered by two standard deviations.
    public func share(of key: PopularityKey) -> Double {
        guard total > 0 else { return 0 }
        let (sum, shares) = rows(of: key)
        let share = Self.corrected(sum, known * total) / total
        // Besides the noise of the bits, another popular content may have the same column in some rows. Then the rows differ.
        let noise = encoding.variance(reports: total) / (total * total)
        let mean = shares.reduce(0, +) / Double(max(shares.count, 1))
        let spread = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let measured = shares.count > 1 ? spread / Double(shares.count * (shares.count - 1)) : 0
        return min(max(share - Self.caution * max(noise, measured).squareRoot(), 0), 1)
    }

    /// Returns the estimated number of reports about the columns of a content, and the shares in the rows that have reports.
    private func rows(of key: PopularityKey) -> (sum: Double, shares: [Double]) {
        var sum = 0.0
        var shares: [Double] = []
        for row in reports.indices where reports[row] > 0 {
            let ones = Double(count(row * PopularitySketch.columns + key.column(inRow: row)))
            let estimate = encoding.estimate(ones: ones, reports: reports[row])
            sum += estimate
            shares.append(estimate / reports[row])
        }
        return (sum, shares)
    }

    /// Subtracts other contents. Of their reports, one in a number of columns has the same column by chance.
    private static func corrected(_ sum: Double, _ known: Double) -> Double {
        let columns = Double(PopularitySketch.columns)
        return (sum - known / columns) * columns / (columns - 1)
    }
}
