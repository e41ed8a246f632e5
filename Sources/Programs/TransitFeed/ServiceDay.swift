internal import HunchModel

/// A day of the Gregorian calendar.
public struct ServiceDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1 January 1970.
    public let number: Int

    /// Creates a day from its number.
    ///
    /// - Parameter number: the days since 1 January 1970, within the years 0…9999.
    public init(number: Int) { self.number = number }

    /// Creates a day, or returns `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - year: 0…9999.
    ///   - month: 1…12.
    ///   - day: 1…31.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        number = 365 * year + Self.leapDays(before: year) + lengths[..<(month - 1)].reduce(0, +) + day - 1 - Self.epoch
    }

    /// Parses a day as tables (`20261121`) or people (`2026-11-21`) write it.
    ///
    /// Returns `nil` for any other text and for a day that does not exist.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let digits = Array(parts.joined().utf8)
        guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        self.init(year: value / 10_000, month: value / 100 % 100, day: value % 100)
    }

    /// The days from 1 January of the year 0 to 1 January 1970.
    private static let epoch = 719_528

    private static func leapDays(before year: Int) -> Int {
        year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
    }

    /// The day of the week, from 0 for Monday to 6 for Sunday.
    public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// The day in ISO 8601, such as `2026-11-21`.
    public var description: String {
        // No year is longer than 366 days, so the search starts in this year or an earlier one.
        var year = (number + Self.epoch) / 366
        while let next = ServiceDay(year: year + 1, month: 1, day: 1), next <= self { year += 1 }
        let month = (1...12).last { ServiceDay(year: year, month: $0, day: 1).map { $0 <= self } ?? false } ?? 1
        let day = ServiceDay(year: year, month: month, day: 1).map { number - $0.number + 1 } ?? 1
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Returns whether a day is before another.
    public static func < (left: ServiceDay, right: ServiceDay) -> Bool { left.number < right.number }
}
