public import FoundationEssentials
internal import Glibc

/// A time as it is written in ISO 8601, perhaps without the offset from UTC.
public struct WrittenTime: Hashable, Sendable {
    /// The written date and time of day, in seconds since 1970-01-01T00:00 as written, within the years 1 to 9999.
    public let seconds: Double
    /// Whether only a day is written.
    public let isDay: Bool
    /// The written offset from UTC in seconds; `nil` without one.
    public let offset: Int?

    /// Parses ISO 8601: `2025-06-02T08:30`, optionally with seconds, fraction, and `Z` or an offset; or a day alone, which
    /// means its first instant. Returns `nil` for other texts and for days that do not exist.
    public init?(_ text: String) {
        var rest = Substring(text).utf8[...]
        guard let year = Self.number(&rest, 4), Self.skip(&rest, "-"), let month = Self.number(&rest, 2),
            Self.skip(&rest, "-"), let day = Self.number(&rest, 2),
            let days = Self.days(year: year, month: month, day: day)
        else { return nil }
        var seconds = Double(days * 86_400)
        var offset: Int?
        let isDay = rest.isEmpty
        if Self.skip(&rest, "T") || Self.skip(&rest, "t") || Self.skip(&rest, " ") {
            guard let hour = Self.number(&rest, 2), Self.skip(&rest, ":"), let minute = Self.number(&rest, 2),
                hour < 24, minute < 60
            else { return nil }
            seconds += Double(hour * 3_600 + minute * 60)
            if Self.skip(&rest, ":") {
                // 60 is a leap second.
                guard let second = Self.number(&rest, 2), second <= 60 else { return nil }
                seconds += Double(min(second, 59))
                if Self.skip(&rest, ".") || Self.skip(&rest, ",") {
                    let digits = rest.prefix { (0x30...0x39).contains($0) }
                    guard (1...9).contains(digits.count), let fraction = Double("0." + String(Substring(digits)))
                    else { return nil }
                    seconds += fraction
                    rest = rest.dropFirst(digits.count)
                }
            }
            if !rest.isEmpty {
                guard let given = Self.offset(&rest) else { return nil }
                offset = given
            }
        }
        guard rest.isEmpty else { return nil }
        (self.seconds, self.isDay, self.offset) = (seconds, isDay, offset)
    }

    /// The instant. Without an offset, the time is that of the local clock (`TZ` or `/etc/localtime`).
    public var date: Date { date(addingDays: 0) }

    /// The first instant after it, if only a day is written, because ends of events include their day; otherwise the
    /// instant.
    public var end: Date { date(addingDays: isDay ? 1 : 0) }

    /// Returns the first instant of a day on the local clock; `nil` for a day that the C library does not know.
    ///
    /// - Parameters:
    ///   - date: an instant of a day.
    ///   - days: the days from there.
    package static func startOfDay(of date: Date, addingDays days: Int32) -> Date? {
        var whole = time_t(clamping: date.timeIntervalSince1970, .down)
        var parts = tm()
        localtime_r(&whole, &parts)
        let (day, overflows) = parts.tm_mday.addingReportingOverflow(days)
        guard !overflows else { return nil }
        // −1: unknown whether summer time applies.
        (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (day, 0, 0, 0, -1)
        let start = mktime(&parts)
        return start == -1 && parts.tm_year != 69 && parts.tm_year != 70
            ? nil : Date(timeIntervalSince1970: Double(start))
    }

    private func date(addingDays days: Int32) -> Date {
        if let offset { return Date(timeIntervalSince1970: seconds - Double(offset)) }
        var whole = time_t(clamping: seconds, .down)
        var parts = tm()
        gmtime_r(&whole, &parts)
        // −1: unknown whether summer time applies.
        (parts.tm_mday, parts.tm_isdst) = (parts.tm_mday + days, -1)
        return Date(timeIntervalSince1970: Double(mktime(&parts)) + seconds - seconds.rounded(.down))
    }

    /// Parses `Z`, `+02:00`, `+0200` or `+02`.
    private static func offset(_ rest: inout Substring.UTF8View.SubSequence) -> Int? {
        if skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let isBehind = skip(&rest, "-")
        guard isBehind || skip(&rest, "+"), let hours = number(&rest, 2), hours < 24 else { return nil }
        _ = skip(&rest, ":")
        let minutes = rest.isEmpty ? 0 : number(&rest, 2)
        guard let minutes, minutes < 60 else { return nil }
        return (isBehind ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private static func number(_ rest: inout Substring.UTF8View.SubSequence, _ digits: Int) -> Int? {
        var number = 0
        for byte in rest.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte) - 0x30
        }
        guard rest.count >= digits else { return nil }
        rest = rest.dropFirst(digits)
        return number
    }

    private static func skip(_ rest: inout Substring.UTF8View.SubSequence, _ sign: Character) -> Bool {
        guard let first = rest.first, first == sign.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar; `nil` for a day that does not exist.
    private static func days(year: Int, month: Int, day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1, lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day) else { return nil }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        return before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
    }
}
