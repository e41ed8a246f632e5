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
        guard let number = try value(key, as: UInt64.self) else { return nil }
        // As microseconds, it would be in the first years after 1970.
        if Self.seconds.contains(number) || Self.milliseconds.contains(number) {
            let unit = Self.seconds.contains(number) ? "seconds" : "milliseconds"
            throw DBusError(.invalidInput, "“\(key)” looks like \(unit); give microseconds since 1970")
        }
        guard let date = Date(checkedMicroseconds: number) else { throw Self.outside(key) }
        return date
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
        let whole: [Date.ISO8601FormatStyle] = [.init(includingFractionalSeconds: true), .init()]
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        let local = [day.time(includingFractionalSeconds: true), day.time(includingFractionalSeconds: false)]
        return (whole + local + (text.utf8.count == 10 ? [day] : [])).lazy.compactMap { try? $0.parse(text) }.first
    }

    private static func mayContain(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"),
            UInt8(ascii: "."), UInt8(ascii: "T"), UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
