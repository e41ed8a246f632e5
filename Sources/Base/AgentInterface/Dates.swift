public import FoundationEssentials
public import HunchDBus
internal import HunchModel

// Every instant on the bus lies within the years 1970 to 9999, UTC.

extension VariantMap {
    /// Returns the instant under a key: microseconds since 1970 (`t`), or text as in ISO 8601, which without an offset is in
    /// the local time zone. `nil` if the key is absent.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for another type, `InvalidInput` after the year 9999, for other texts, and for
    ///   numbers that are seconds or milliseconds by mistake.
    public func date(microseconds key: String) throws(DBusError) -> Date? {
        if case .string(let text)? = self[key]?.unwrapped {
            guard let date = WrittenDate.read(text) else {
                throw DBusError(
                    .invalidInput,
                    "“\(key)” is not a date; give microseconds since 1970, or text as in 2026-05-01T18:30:00+02:00")
            }
            return try Self.checked(date, key)
        }
        let number: UInt64
        if case .double(let fraction)? = self[key]?.unwrapped, let whole = UInt64(exactly: fraction.rounded(.down)) {
            number = whole
        } else if let whole = try value(key, as: UInt64.self) {
            number = whole
        } else {
            return nil
        }
        try Self.checkUnit(of: number, key)
        guard let date = Date(checkedMicroseconds: number) else { throw Self.outside(key) }
        return date
    }

    /// Checks that a number is not seconds or milliseconds by mistake.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`.
    public static func checkUnit(of number: UInt64, _ key: String) throws(DBusError) {
        // As microseconds, it would be in the first years after 1970.
        guard seconds.contains(number) || milliseconds.contains(number) else { return }
        let unit = seconds.contains(number) ? "seconds" : "milliseconds"
        throw DBusError(.invalidInput, "“\(key)” looks like \(unit); give microseconds since 1970")
    }

    /// The numbers that are seconds, or milliseconds from 1973 on, until the year 5138. 0 has a meaning of its own.
    private static let seconds: Range<UInt64> = 1..<100_000_000_000
    private static let milliseconds: Range<UInt64> = 100_000_000_000..<100_000_000_000_000

    private static func checked(_ date: Date, _ key: String) throws(DBusError) -> Date {
        guard let date = Date(checkedSeconds: date.timeIntervalSince1970) else { throw outside(key) }
        return date
    }

    private static func outside(_ key: String) -> DBusError {
        DBusError(.invalidInput, "“\(key)” is outside the years 1970 to 9999")
    }
}

/// Dates in texts as in ISO 8601, with and without fractions of a second, an offset and a time.
enum WrittenDate {
    static func read(_ text: String) -> Date? {
        // The formats alone would ignore what follows.
        guard text.utf8.count <= 40, text.utf8.allSatisfy(Self.mayContain) else { return nil }
        let text = extended(text)
        let whole: [Date.ISO8601FormatStyle] = [.init(includingFractionalSeconds: true), .init()]
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        let local = [day.time(includingFractionalSeconds: true), day.time(includingFractionalSeconds: false)]
        return (whole + local + (text.utf8.count == 10 ? [day] : [])).lazy.compactMap { try? $0.parse(text) }.first
    }

    /// Returns a text with the separators of the extended format, and with seconds: also for `20261224T1800Z`, for
    /// `2026-12-24T18:00` as of HTML's local dates, and with a space between date and time.
    private static func extended(_ text: String) -> String {
        let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == " " }.map(String.init)
        guard parts.count == 2 else { return text }
        func separated(_ digits: Substring, _ lengths: [Int], by separator: String) -> String {
            var rest = digits
            return lengths.map { length in
                defer { rest = rest.dropFirst(length) }
                return String(rest.cut(to: length))
            }.joined(separator: separator)
        }
        let isDigits = { (text: Substring) in text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let day =
            parts[0].count == 8 && isDigits(parts[0][...]) ? separated(parts[0][...], [4, 2, 2], by: "-") : parts[0]
        let clock = parts[1][..<(parts[1].firstIndex { !$0.isNumber && $0 != ":" } ?? parts[1].endIndex)]
        let offset = parts[1].dropFirst(clock.count)
        let time =
            switch (clock.count, isDigits(clock)) {
            case (4, true): separated(clock, [2, 2], by: ":") + ":00"
            case (6, true): separated(clock, [2, 2, 2], by: ":")
            case (5, false): String(clock) + ":00"
            default: String(clock)
            }
        return day + "T" + time + offset
    }

    private static func mayContain(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"),
            UInt8(ascii: "."), UInt8(ascii: "T"), UInt8(ascii: "Z"), UInt8(ascii: " "):
            true
        default: false
        }
    }
}
