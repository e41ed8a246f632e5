public import FoundationEssentials
internal import Glibc

/// A day in the time zone of the user, and its words in the user's language.
public struct LocalDay: Hashable, Comparable, Sendable {
    /// The number of days since 1970-01-01.
    public let number: Int

    /// Creates a day from the number of days since 1970-01-01.
    public init(number: Int) { self.number = number }

    /// Creates the day of a date.
    public init(_ date: Date) {
        var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        var local = tm()
        localtime_r(&seconds, &local)
        let shifted = Int(seconds) + local.tm_gmtoff
        number = shifted >= 0 ? shifted / 86_400 : (shifted - 86_399) / 86_400
    }

    /// Returns whether a day is earlier than another.
    public static func < (one: LocalDay, other: LocalDay) -> Bool { one.number < other.number }

    /// Returns an hour of the day.
    public func date(hour: Int) -> Date {
        var seconds = time_t(number * 86_400)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        (parts.tm_hour, parts.tm_isdst) = (Int32(clamping: hour), -1)
        return Date(timeIntervalSince1970: Double(mktime(&parts)))
    }

    /// The Monday of its week. 1970-01-01 was a Thursday.
    public var monday: LocalDay { LocalDay(number: number - ((number + 3) % 7 + 7) % 7) }

    /// The day as `1 Jun 2026`.
    public var words: String { text(localizedIn("date", "%-d %b %Y")) }

    /// The day as `1 Jun`.
    public var shortWords: String { text(localizedIn("date", "%-d %b")) }

    /// The month of the day as `Jun 2026`.
    public var month: String { text(localizedIn("date", "%b %Y")) }

    private func text(_ format: String) -> String {
        var seconds = time_t(number * 86_400)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return LocalDate.text(of: parts, format: format)
    }
}
