// Swift traps when a floating-point number does not fit the integer type that it is converted to. This package uses the
// conversions of this file instead. The deprecated declarations at the end hide the standard library's conversions, and
// the compiler rejects them: Package.swift makes deprecation an error.

extension FixedWidthInteger {
    /// Creates the integer nearest to `value`. Values out of range become `min` or `max`, and NaN becomes 0.
    ///
    /// - Parameters:
    ///   - value: any number, including infinities and NaN.
    ///   - rule: the rounding rule for fractions.
    @inlinable
    package init(clamping value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let whole = value.rounded(rule)
        if let exact = Self(exactly: whole) {
            self = exact
        } else {
            self = whole.isNaN ? 0 : whole < 0 ? .min : .max
        }
    }
}

extension Int {
    /// Creates the integer nearest to `value`, like the generic initializer. This one is not generic because the
    /// gazetteer and the coverage areas call it often.
    @inlinable
    package init(clamping value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let whole = value.rounded(rule)
        if let exact = Int(exactly: whole) {
            self = exact
        } else {
            self = whole.isNaN ? 0 : whole < 0 ? .min : .max
        }
    }
}

extension Duration {
    /// The longest duration accepted from outside the process, in seconds: a hundred years.
    package static let longestSeconds = 3_155_760_000.0

    /// Creates a duration to the nearest nanosecond, clamped to a hundred years in either direction. NaN becomes zero.
    package static func clamping(seconds: Double) -> Duration {
        .nanoseconds(Int64(clamping: min(max(seconds, -longestSeconds), longestSeconds) * 1e9))
    }
}

extension Int {
    @available(*, deprecated, message: "it traps; write Int(clamping:) or Int(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension Int64 {
    @available(*, deprecated, message: "it traps; write Int64(clamping:) or Int64(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension Int32 {
    @available(*, deprecated, message: "it traps; write Int32(clamping:) or Int32(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension Int16 {
    @available(*, deprecated, message: "it traps; write Int16(clamping:) or Int16(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension Int8 {
    @available(*, deprecated, message: "it traps; write Int8(clamping:) or Int8(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension UInt {
    @available(*, deprecated, message: "it traps; write UInt(clamping:) or UInt(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension UInt64 {
    @available(*, deprecated, message: "it traps; write UInt64(clamping:) or UInt64(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension UInt32 {
    @available(*, deprecated, message: "it traps; write UInt32(clamping:) or UInt32(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension UInt16 {
    @available(*, deprecated, message: "it traps; write UInt16(clamping:) or UInt16(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension UInt8 {
    @available(*, deprecated, message: "it traps; write UInt8(clamping:) or UInt8(exactly:)")
    package init(_ value: Double) { self.init(clamping: value, .towardZero) }
}

extension Duration {
    @available(*, deprecated, message: "it traps; write Duration.clamping(seconds:)")
    package static func seconds(_ value: Double) -> Duration { clamping(seconds: value) }

    @available(*, deprecated, message: "it traps; write Duration.clamping(seconds:)")
    package static func milliseconds(_ value: Double) -> Duration { clamping(seconds: value / 1e3) }

    @available(*, deprecated, message: "it traps; write Duration.clamping(seconds:)")
    package static func microseconds(_ value: Double) -> Duration { clamping(seconds: value / 1e6) }
}
