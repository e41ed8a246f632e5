package import FoundationEssentials
import Glibc
import HunchModel
import JourneyWords
import Localization

/// Parses spans and points in time on the command line.
package enum DateText {
    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    private static let longest = 3_650 * 86_400.0

    /// Parses a span such as `10m`, `1h30m` or `2d`, in seconds.
    ///
    /// - Throws: ``CommandError`` for anything else, for zero and for more than ten years.
    package static func span(_ text: String) throws(CommandError) -> Double {
        var total = 0.0
        var digits = ""
        var isComplete = false
        for character in text {
            if character.isASCII, character.isNumber, digits.count < 9 {
                digits.append(character)
                isComplete = false
            } else if let unit = units[character], let number = Double(digits) {
                total += number * unit
                digits = ""
                isComplete = true
            } else {
                throw fault(text)
            }
        }
        guard isComplete, total > 0, total <= longest else { throw fault(text) }
        return total
    }

    private static func fault(_ text: String) -> CommandError {
        CommandError(
            localized("“%1” is not a span of time; write 10m, 1h30m, 2d or 1w", text.cut(to: 40)), ExitStatus.badInput)
    }

    /// The side of now on which a time of day lies.
    package enum Side { case before, after }

    /// Parses the time of a journey, as ``date(_:_:now:)`` does.
    ///
    /// - Parameter option: the option that gives it, for messages.
    /// - Throws: ``CommandError`` for a time in the past, except for today, or more than ten years ahead: no timetable
    ///   has it, and some services show wrong years.
    package static func journey(_ text: String, of option: String, now: Date = Date()) throws(CommandError) -> Date {
        let date = try date(text, .after, now: now)
        let distance = date.timeIntervalSince(now)
        let isOnlyDay = text.utf8.count == 10 && text.utf8.dropFirst(4).first == UInt8(ascii: "-")
        guard distance > (isOnlyDay ? -86_400 : -60) else {
            throw CommandError(localized("%1 lies in the past; give a time from now on", option), ExitStatus.badInput)
        }
        guard distance <= longest else {
            throw CommandError(
                localized("%1 lies more than ten years ahead; give an earlier time", option), ExitStatus.badInput)
        }
        return date
    }

    /// Parses a time that has passed, as ``date(_:_:now:)`` does.
    ///
    /// - Parameter option: the option that gives it, for messages.
    /// - Throws: ``CommandError`` for a time in the future.
    package static func past(_ text: String, of option: String, now: Date = Date()) throws(CommandError) -> Date {
        let date = try date(text, .before, now: now)
        guard date <= now else {
            throw CommandError(
                localized("%1 lies in the future; give a time that has passed", option), ExitStatus.badInput)
        }
        return date
    }

    /// Parses a time in the user's time zone: `now`, `18:30` for the previous or the next such time, `2025-06-02`,
    /// `2025-06-02T18:30` with or without seconds. A time that ends in `Z` or an offset such as `+01:00` is in UTC or
    /// at that offset (ISO 8601). A time to come may also be in words: “tomorrow 9:00”.
    ///
    /// - Throws: ``CommandError`` for anything else.
    package static func date(_ text: String, _ side: Side, now: Date = Date()) throws(CommandError) -> Date {
        if text == "now" { return now }
        if let (hour, minute) = timeOfDay(text) {
            var seconds = time_t(now.wholeSeconds)
            var local = tm()
            localtime_r(&seconds, &local)
            (local.tm_hour, local.tm_min, local.tm_sec) = (hour, minute, 0)
            for shift: Int32 in side == .after ? [0, 1] : [0, -1] {
                var day = local
                day.tm_mday += shift
                day.tm_isdst = -1
                let date = Date(timeIntervalSince1970: Double(mktime(&day)))
                if side == .after ? date > now : date <= now { return date }
            }
        }
        let isDate = text.utf8.dropFirst(4).first == UInt8(ascii: "-")
        if side == .after, !isDate, let time = JourneyTime(text) {
            return Date(timeIntervalSince1970: Double(time.seconds(after: Int(now.wholeSeconds))))
        }
        guard let (local, offset) = withoutOffset(text) else { throw dateFault(text, side) }
        let parts = local.split(separator: text.contains("T") ? "T" : " ")
        let numbers = parts.first?.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) } ?? []
        guard (1...2).contains(parts.count), numbers.count == 3, let year = numbers[0], let month = numbers[1],
            let day = numbers[2], (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { throw dateFault(text, side) }
        var wanted = tm()
        (wanted.tm_year, wanted.tm_mon, wanted.tm_mday, wanted.tm_isdst) = (year - 1900, month - 1, day, -1)
        if parts.count == 2 {
            let clock = parts[1].utf8
            guard let (hour, minute) = timeOfDay(parts[1].cut(toBytes: 5)) else { throw dateFault(text, side) }
            (wanted.tm_hour, wanted.tm_min) = (hour, minute)
            if clock.count > 5 {
                guard clock.count == 8, clock.dropFirst(5).first == UInt8(ascii: ":"),
                    let second = Int32(String(decoding: clock.suffix(2), as: UTF8.self)), (0...59).contains(second)
                else { throw dateFault(text, side) }
                wanted.tm_sec = second
            }
        }
        let seconds = offset.map { timegm(&wanted) - $0 } ?? mktime(&wanted)
        // The C library moves dates such as the 31st of April.
        guard wanted.tm_mday == day else { throw dateFault(text, side) }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Splits a time into the local time and the offset from UTC in seconds; `nil` for an invalid offset.
    private static func withoutOffset(_ text: String) -> (local: Substring, offset: Int?)? {
        if text.hasSuffix("Z") { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), text[..<sign].contains(":") else {
            return (text[...], nil)
        }
        guard let (hours, minutes) = timeOfDay(String(text[sign...].dropFirst())), hours <= 14 else { return nil }
        let seconds = Int(hours) * 3_600 + Int(minutes) * 60
        return (text[..<sign], text[sign] == "-" ? -seconds : seconds)
    }

    private static func dateFault(_ text: String, _ side: Side) -> CommandError {
        let text = text.cut(to: 40)
        let words =
            switch side {
            case .before:
                localized(
                    "“%1” is not a time that Hunch understands; write 18:00, 2026-06-02 or 2026-06-02T18:00", text)
            case .after:
                localized(
                    "“%1” is not a time that Hunch understands; write 18:00, “tomorrow 9:00”, 2026-12-01 or 2026-12-01T18:00",
                    text)
            }
        return CommandError(words, ExitStatus.badInput)
    }

    private static func timeOfDay(_ text: String) -> (hour: Int32, minute: Int32)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }), parts[1].count == 2,
            let hour = Int32(parts[0]), let minute = Int32(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        return (hour, minute)
    }

    /// Formats a date for a user: the time, with “tomorrow” or the day unless it is within half a day.
    package static func words(_ date: Date, now: Date = Date()) -> String {
        if LocalDay(date).number == LocalDay(now).number + 1 { return localized("tomorrow %1", LocalDate.time(date)) }
        return abs(date.timeIntervalSince(now)) > 86_400 / 2 ? LocalDate.dated(date) : LocalDate.time(date)
    }
}
