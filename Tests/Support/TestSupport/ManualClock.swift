/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A point on this clock: the time since it was made.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since the clock was made.
        public let offset: Duration

        /// The instant `duration` after this one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left instant is the earlier one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers = 0
    }

    private let watched = Watched(State())

    /// A clock at its instant zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { watched.state.now }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Advances the clock and resumes the tasks whose deadline has passed.
    public func advance(by duration: Duration) {
        watched.update { $0.now = $0.now.advanced(by: duration) }
    }

    /// Sleeps until a test has moved the clock to `deadline` or past it; throws `CancellationError` when cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        watched.update { $0.sleepers += 1 }
        defer { watched.update { $0.sleepers -= 1 } }
        try await watched.wait { $0.now >= deadline ? () : nil }
    }

    /// Waits until at least `count` tasks sleep on this clock, so that a test moves it only when it matters.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await watched.wait { $0.sleepers >= count ? () : nil }
    }
}
