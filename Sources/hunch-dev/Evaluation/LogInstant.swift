import CommandSupport
import FoundationEssentials
internal import HunchModel

/// The time of a log's event, with the hour and the weekday of the person's clock.
struct LogInstant: Equatable {
    let date: Date
    /// The hour, 0…23.
    let hour: Int
    /// The day of the week, 1 (Sunday) … 7 (Saturday).
    let weekday: Int

    private static let seconds = -62_135_596_800.0..<253_402_300_800.0

    /// Creates an instant from seconds since 1970, within the years 1 to 9999. Hour and day are in UTC.
    init?(seconds: Double) {
        self.init(seconds: seconds, offset: 0)
    }

    /// - Parameter offset: the offset of the person's clock from UTC, in seconds.
    private init?(seconds: Double, offset: Int) {
        guard Self.seconds.contains(seconds) else { return nil }
        date = Date(timeIntervalSince1970: seconds)
        let local = Int(clamping: seconds, .down) + offset
        let days = Self.floor(local, 86_400)
        hour = (local - days * 86_400) / 3_600
        // 1970-01-01 was a Thursday.
        weekday = (days + 4) - Self.floor(days + 4, 7) * 7 + 1
    }

    /// Parses ISO 8601: `2025-06-02T08:30`, optionally with seconds, fraction, and `Z` or an offset; or a day alone.
    /// Hour and day are as written. A time without an offset is UTC.
    init?(_ text: String) {
        var rest = Substring(text).utf8[...]
        guard let year = Self.number(&rest, 4), Self.skip(&rest, "-"), let month = Self.number(&rest, 2),
            Self.skip(&rest, "-"), let day = Self.number(&rest, 2),
            let days = Self.days(year: year, month: month, day: day)
        else { return nil }
        var seconds = Double(days * 86_400)
        var offset = 0
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
            guard let given = Self.offset(&rest) else { return nil }
            offset = given
        }
        guard rest.isEmpty else { return nil }
        self.init(seconds: seconds - Double(offset), offset: offset)
    }

    /// Parses `Z`, `+02:00`, `+0200`, `+02` or nothing.
    private static func offset(_ rest: inout Substring.UTF8View.SubSequence) -> Int? {
        if rest.isEmpty || skip(&rest, "Z") || skip(&rest, "z") { return 0 }
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

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        (number - (number % divisor + divisor) % divisor) / divisor
    }
}
