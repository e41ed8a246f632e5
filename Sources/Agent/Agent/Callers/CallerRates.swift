package import FoundationEssentials

/// A rate limit for callers: a burst, and a number per second.
package struct CallerRates {
    package let burst: Double
    package let perSecond: Double
    private static let callers = 1_000

    private var left: [String: Allowance] = [:]
    /// The rate that all callers share that find the table full of active ones.
    private var shared: Allowance?

    private struct Allowance {
        var tokens: Double
        package var date: Date
    }

    package init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Consumes a number of calls for a caller. Returns whether that many were left.
    package mutating func take(_ count: Int, of caller: String, at date: Date) -> Bool {
        if left.count >= Self.callers, left[caller] == nil {
            let refilled = burst / perSecond
            // A later date comes from a clock that was ahead.
            left = left.filter { (0..<refilled).contains(date.timeIntervalSince($0.value.date)) }
        }
        let isOwn = left[caller] != nil || left.count < Self.callers
        var allowance = (isOwn ? left[caller] : shared) ?? Allowance(tokens: burst, date: date)
        let refill = max(0, date.timeIntervalSince(allowance.date)) * perSecond
        allowance = Allowance(tokens: min(burst, allowance.tokens + refill), date: date)
        let isEnough = allowance.tokens >= Double(count)
        if isEnough { allowance.tokens -= Double(count) }
        if isOwn { left[caller] = allowance } else { shared = allowance }
        return isEnough
    }
}
