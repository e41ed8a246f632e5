internal import HunchModel

/// When the next request may leave: one a second at most, whatever asks, and none while the service wants to be left alone.
///
/// Nominatim's usage policy asks for that of every application; https://operations.osmfoundation.org/policies/nominatim/.
struct RequestPace {
    private static let interval = Duration.seconds(1)
    /// The pause after an overloaded service gave no time.
    private static let rest = Duration.seconds(60)
    private static let longestRest = Duration.seconds(3_600)

    private var next: Duration?
    private var restsUntil: Duration?

    /// Takes the next turn, and returns how long the request has to wait for it.
    ///
    /// - Parameter now: the time since a fixed instant.
    /// - Returns: `nil` while the service must not be asked.
    mutating func turn(at now: Duration) -> Duration? {
        if let restsUntil, now < restsUntil { return nil }
        let start = max(now, next ?? now)
        next = start + Self.interval
        return start - now
    }

    /// Leaves the service alone.
    ///
    /// - Parameter seconds: as the service asks; 0 when it does not say.
    mutating func leaveAlone(at now: Duration, for seconds: Int) {
        restsUntil = now + (seconds > 0 ? min(.seconds(seconds), Self.longestRest) : Self.rest)
    }

    /// In whole seconds, how long the service is still left alone.
    func secondsLeft(at now: Duration) -> Int {
        restsUntil.map { Int(clamping: max(0, ($0 - now) / .seconds(1)), .up) } ?? 0
    }
}
