public import FoundationEssentials
internal import Glibc

/// Dates in words, in the language and the time zone of the user.
public struct LocalDate: Sendable {
    private let now: Date

    /// - Parameter now: the current date.
    public init(now: Date) { self.now = now }

    /// Returns a date in words, such as “5 minutes ago”, “yesterday, 14:30” or “3 Dec 2026”.
    public func words(for date: Date) -> String {
        let age = now.timeIntervalSince(date)
        if (0..<60).contains(age) { return localized("just now") }
        if (60..<3_600).contains(age) {
            let minutes = Int(exactly: (age / 60).rounded(.down)) ?? 0
            return localizedPlural("%1 minute ago", "%1 minutes ago", minutes)
        }
        switch LocalDay(date).number - LocalDay(now).number {
        case 0, 1: return moment(date)
        case -1: return localized("yesterday, %1", Self.time(date))
        default: return LocalDay(date).words
        }
    }

    /// Returns a date with its time of day: “today, 14:30”, “tomorrow, 14:30” or “3 Dec 2026, 14:30”.
    public func moment(_ date: Date) -> String {
        switch LocalDay(date).number - LocalDay(now).number {
        case 0: localized("today, %1", Self.time(date))
        case 1: localized("tomorrow, %1", Self.time(date))
        default: Self.dated(date)
        }
    }

    /// Returns the end of something in words: “14:30”, or with its day if that is not today.
    public func end(_ date: Date) -> String {
        LocalDay(date).number == LocalDay(now).number ? Self.time(date) : moment(date)
    }

    /// Returns a date with its day and time: “3 Dec 2026, 14:30”.
    public static func dated(_ date: Date) -> String {
        localizedIn("day and time", "%1, %2", LocalDay(date).words, time(date))
    }

    /// Returns the time of day, as the user's locale writes it without seconds.
    public static func time(_ date: Date) -> String { text(of: date, format: localized("%H:%M")) }

    /// Returns an hour of the day after today.
    public func tomorrow(hour: Int) -> Date { LocalDay(number: LocalDay(now).number + 1).date(hour: hour) }

    private static func parts(_ date: Date) -> tm {
        var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func text(of date: Date, format: String) -> String { text(of: parts(date), format: format) }

    /// Returns a text of a point in time in the user's language, in a format of `strftime`.
    static func text(of parts: tm, format: String) -> String {
        var parts = parts
        var buffer = [CChar](repeating: 0, count: 256)
        let length = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
