internal import HunchModel

/// A rate limiter: at most one request a second in all, and none while the service asks to back off.
///
/// Nominatim's usage policy requires this: https://operations.osmfoundation.org/policies/nominatim/.
struct RequestPace {
    private static let interval = Duration.seconds(1)
    /// The time to back off from an overloaded service that does not give one.
    private static let rest = Duration.seconds(60)
    private static let longestRest = Duration.seconds(3_600)

    private var next: Duration?
    private var restsUntil: Duration?

    /// Returns the time that a request has to wait, and reserves its turn.
    ///
    /// - Parameter now: the time since any fixed instant.
    /// - Returns: `nil` while backing off.
    mutating func turn(at now: Duration) -> Duration? {
        if let restsUntil, now < restsUntil { return nil }
        let start = max(now, next ?? now)
        next = start + Self.interval
        return start - now
    }

    /// Starts to back off from the service.
    ///
    /// - Parameter seconds: the time that the service asks for, or 0 if it gives none.
    mutating func backOff(at now: Duration, for seconds: Int) {
        restsUntil = now + (seconds > 0 ? min(.seconds(seconds), Self.longestRest) : Self.rest)
    }

    /// Returns the remaining time to back off, in whole seconds, rounded up.
    func secondsLeft(at now: Duration) -> Int {
        restsUntil.map { Int(clamping: max(0, ($0 - now) / .seconds(1)), .up) } ?? 0
    }
}
