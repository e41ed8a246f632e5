internal import FoundationEssentials

/// A rate limit for callers: a burst, and a number per second.
struct CallerRates {
    let burst: Double
    let perSecond: Double
    private static let callers = 1_000

    private var left: [String: (tokens: Double, date: Date)] = [:]

    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Consumes a number of calls for a caller. Returns whether that many were left.
    mutating func take(_ count: Int, of caller: String, at date: Date) -> Bool {
        if left.count >= Self.callers, left[caller] == nil {
            let refilled = burst / perSecond
            left = left.filter { date.timeIntervalSince($0.value.date) < refilled }
            // The table is full of active callers. All others share one limit.
            if left.count >= Self.callers { return caller.isEmpty ? false : take(count, of: "", at: date) }
        }
        let before = left[caller] ?? (burst, date)
        let tokens = min(burst, before.tokens + max(0, date.timeIntervalSince(before.date)) * perSecond)
        guard tokens >= Double(count) else {
            left[caller] = (tokens, date)
            return false
        }
        left[caller] = (tokens - Double(count), date)
        return true
    }
}
