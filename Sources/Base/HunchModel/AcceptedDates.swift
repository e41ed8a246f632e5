package import FoundationEssentials

// Conversions of instants. On the bus and in files, they are whole seconds, milliseconds or microseconds since 1970.

extension Date {
    /// The instants accepted from outside the process: the years 1970 to 9999 in UTC.
    package static let accepted = date(acceptedSeconds.lowerBound)...date(acceptedSeconds.upperBound)
    private static let acceptedSeconds = 0.0...253_402_300_799.0

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    /// Creates an instant from seconds since 1970. Returns `nil` outside ``accepted``, and for NaN.
    package init?(checkedSeconds seconds: Double) {
        // Compare numbers, not dates: a `Date` of NaN seems to be in every range.
        guard Self.acceptedSeconds.contains(seconds) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }

    /// Creates an instant from whole seconds since 1970. Returns `nil` outside ``accepted``.
    package init?(checkedSeconds seconds: Int64) { self.init(checkedSeconds: Double(seconds)) }

    /// Creates an instant from whole microseconds since 1970. Returns `nil` outside ``accepted``.
    package init?(checkedMicroseconds microseconds: UInt64) {
        self.init(checkedSeconds: Double(microseconds) / 1_000_000)
    }

    /// Whole seconds since 1970, rounded down and clamped to ``accepted``.
    package var wholeSeconds: Int64 { Int64(clamping: acceptedSeconds, .down) }

    /// Milliseconds since 1970, rounded to the nearest and clamped to ``accepted``.
    package var milliseconds: Int64 { Int64(clamping: acceptedSeconds * 1_000) }

    /// Microseconds since 1970, rounded to the nearest and clamped to ``accepted``.
    package var microseconds: UInt64 { UInt64(clamping: acceptedSeconds * 1_000_000) }

    private var acceptedSeconds: Double {
        min(max(timeIntervalSince1970, Self.acceptedSeconds.lowerBound), Self.acceptedSeconds.upperBound)
    }
}
