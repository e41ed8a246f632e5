internal import Glibc

/// An instant of the machine's monotonic clock, which stops while the machine sleeps.
public struct MonotonicInstant: InstantProtocol, Sendable {
    let nanoseconds: Int64

    /// Creates an instant from microseconds since the clock's start, as systemd reports them, limited to about 290 years.
    public init(microseconds: UInt64) {
        nanoseconds = Int64(min(microseconds, UInt64(Int64.max / 1_000))) * 1_000
    }

    /// Creates the instant that is this long after the clock's start, limited to about 290 years.
    public init(sinceStart duration: Duration) { nanoseconds = duration.saturatedNanoseconds }

    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The current instant.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns this instant moved by a duration, limited to about 290 years after the clock's start.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }

    /// Returns the duration from this instant to another.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    /// Returns whether an instant is before another.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, tooMuch) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return tooMuch ? (seconds < 0 ? .min : .max) : sum
    }
}

extension timespec {
    init(_ duration: Duration) {
        let nanoseconds = max(0, duration.saturatedNanoseconds)
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
