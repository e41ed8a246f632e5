internal import Glibc
internal import HunchModel

/// Optimised unary encoding (OUE): a report about one of several positions that hides which.
///
/// A report is one bit for each position. The bit of the true position is 1 with the probability ½, each other bit with
/// 1 ÷ (e^ε + 1). Any report is at most e^ε times as probable for one position as for another, or for none: ε-local
/// differential privacy.
///
/// Source: Wang, Blocki, Li and Jha, Locally Differentially Private Protocols for Frequency Estimation, USENIX Security 2017.
public struct UnaryEncoding: Hashable, Sendable {
    /// The values of ε for which reports are made.
    public static let epsilons = 0.1...8.0

    /// The privacy loss of a report, ε. Smaller is more private.
    public let epsilon: Double
    /// The probability that the bit of another position is 1.
    private let flip: Double

    /// Creates an encoding.
    ///
    /// - Returns: `nil` if ε is not within ``epsilons``.
    public init?(epsilon: Double) {
        guard Self.epsilons.contains(epsilon) else { return nil }
        self.epsilon = epsilon
        flip = 1 / (exp(epsilon) + 1)
    }

    /// Returns the random report about a position.
    ///
    /// - Parameters:
    ///   - position: 0..<`count`; `nil` for none.
    ///   - count: the number of positions.
    /// - Returns: the bits, eight in a byte, the lowest first.
    public func report(
        about position: Int?, of count: Int, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        // Whole numbers, since the lowest digits of floating-point noise can give a value away (Mironov 2012).
        let threshold = UInt64(exactly: (flip * 0x1p64).rounded(.down)) ?? 0
        var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
        for index in 0..<count {
            let number = random.next() as UInt64
            if number < (index == position ? 1 << 63 : threshold) { bits[index / 8] |= 1 << (index % 8) }
        }
        return bits
    }

    /// Returns the unbiased estimate of the number of reports about a position.
    ///
    /// - Parameters:
    ///   - ones: the number of reports whose bit is 1 there.
    ///   - reports: the number of all reports.
    public func estimate(ones: Double, reports: Double) -> Double { (ones - reports * flip) / (0.5 - flip) }

    /// Returns the variance of the estimate for a position that few reports are about: 4 e^ε ÷ (e^ε − 1)² for each report.
    public func variance(reports: Double) -> Double {
        reports * flip * (1 - flip) / ((0.5 - flip) * (0.5 - flip))
    }
}
