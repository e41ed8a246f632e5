internal import Glibc

/// The numbers of times that the user saw an item among results, and opened it. Earlier times count less.
public struct EngagementCounts: Hashable, Sendable {
    /// The number of times that the user saw it: it was opened, or another result below it was.
    public var shown: Double
    /// The number of times that the user opened it.
    public var opened: Double

    /// The time in seconds after which counts are halved.
    static let halfLife: Double = 90 * 86_400
    /// The number of times before which counts say little.
    private static let doubt = 3.0
    /// The largest evidence for or against an item.
    private static let bound = 1.5

    /// Creates counts.
    public init(shown: Double = 0, opened: Double = 0) { (self.shown, self.opened) = (shown, opened) }

    /// The evidence for the item: the logarithm of the ratio between the rate at which it is opened and the usual rate. 0
    /// without counts.
    ///
    /// - Parameter usual: the rate at which results are opened, 0…1.
    func evidence(usual: Double) -> Double {
        let ratio = (opened + Self.doubt * usual) / ((shown + Self.doubt) * usual)
        return min(max(log(ratio), -Self.bound), Self.bound)
    }

    /// Returns counts of an earlier date as they count now.
    func decayed(after seconds: Double) -> EngagementCounts {
        let factor = exp2(-max(0, seconds) / Self.halfLife)
        return EngagementCounts(shown: shown * factor, opened: opened * factor)
    }

    static func + (left: EngagementCounts, right: EngagementCounts) -> EngagementCounts {
        EngagementCounts(shown: left.shown + right.shown, opened: left.opened + right.opened)
    }
}
