internal import HunchModel

/// The time after which a play is recorded.
package enum PlayThreshold {
    /// Returns the time that an item must play to be recorded: 30 s or half of it, whichever is less, but at least 5
    /// s.
    ///
    /// - Parameter length: the item's length in microseconds; `nil` if unknown.
    @Sendable package static func time(_ length: Int64?) -> Duration {
        let half = length.map { max(.seconds(5), Duration.microseconds($0 / 2)) }
        return min(.seconds(30), half ?? .seconds(30))
    }
}
