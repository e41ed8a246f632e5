internal import HunchModel

/// The rule for plays that count.
enum PlayRule {
    /// Returns how long an item must play to count: 30 s or half of it, whichever is less, but at least 5 s.
    ///
    /// - Parameter length: of the item in microseconds; `nil` when unknown.
    @Sendable static func time(_ length: Int64?) -> Duration {
        let half = length.map { max(.seconds(5), Duration.microseconds($0 / 2)) }
        return min(.seconds(30), half ?? .seconds(30))
    }
}
