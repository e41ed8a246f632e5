internal import Glibc
internal import HunchModel

/// The times in fields of links and forms. A time without a zone is in this computer's.
extension JourneyTime {
    /// Reads a date and a time of day, of which one may be missing, or `2026-12-24T18:00:00+01:00` as a time of day.
    package static func written(date: String?, clock: String?, isArrival: Bool) -> JourneyTime? {
        if date == nil, let time = clock.flatMap({ moment($0.lowercased(), isArrival: isArrival) }) { return time }
        return written(date, clock, isArrival)
    }

    /// Reads a date and a time of day as people write them, also `20261224` and `1800`.
    package static func written(
        _ date: String?, _ clock: String?, _ isArrival: Bool, isMonthFirst: Bool = false
    ) -> JourneyTime? {
        var date = date ?? ""
        var clock = clock ?? ""
        if date.utf8.count == 8, date.utf8.allSatisfy(\.isASCIIDigit) {
            date = "\(date.cut(toBytes: 4))-\(date.dropFirst(4).cut(toBytes: 2))-\(date.dropFirst(6))"
        }
        if clock.utf8.count == 4, clock.utf8.allSatisfy(\.isASCIIDigit) {
            clock = "\(clock.cut(toBytes: 2)):\(clock.dropFirst(2))"
        }
        // “18:00:00”
        if clock.utf8.count == 8, clock.count(where: { $0 == ":" }) == 2 { clock = String(clock.dropLast(3)) }
        let words = "\(date) \(clock)".split(separator: " ").map { String($0) }
        let time = JourneyTime(words: words[...], isMonthFirst: isMonthFirst)
        return isArrival ? time?.ofArrival : time
    }

    /// Reads seconds or milliseconds since 1970, or `2026-12-24T18:00:00+01:00` in lower case.
    package static func moment(_ text: String, isArrival: Bool) -> JourneyTime? {
        if (9...13).contains(text.utf8.count), let number = Int(text) {
            return JourneyTime(instant: text.utf8.count > 11 ? number / 1_000 : number, isArrival: isArrival)
        }
        let parts = text.split { $0 == "t" || $0 == " " }
        guard parts.count == 2, parts[0].utf8.count == 10 else { return nil }
        let clock = parts[1].prefix { $0.isNumber || $0 == ":" }
        let zone = parts[1].dropFirst(clock.count).drop { $0 == "." || $0.isNumber }
        guard let time = written(String(parts[0]), String(clock), isArrival), !zone.isEmpty else {
            return written(String(parts[0]), String(clock), isArrival)
        }
        let digits = zone.filter(\.isNumber)
        let offset = digits.isEmpty ? 0 : Int(digits.cut(toBytes: 2)).map { $0 * 60 + (Int(digits.dropFirst(2)) ?? 0) }
        guard let offset, zone == "z" || zone.first == "+" || zone.first == "-" || zone.first == "\u{2212}" else {
            return nil
        }
        // The fields as they are in this computer's zone, taken as those of UTC.
        var seconds = time_t(time.seconds(after: 0))
        var local = tm()
        localtime_r(&seconds, &local)
        let instant = timegm(&local) - (zone.first == "+" ? 60 : -60) * offset
        return JourneyTime(instant: Int(instant), isArrival: isArrival)
    }

    /// Returns the time of a clock that Google writes as if it showed UTC, in seconds since 1970.
    package static func time(ofClock text: Substring?, isArrival: Bool) -> JourneyTime? {
        guard let number = text.flatMap({ Int($0) }), (0..<253_402_300_800).contains(number) else { return nil }
        var seconds = time_t(number)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        fields.tm_isdst = -1
        return JourneyTime(instant: Int(mktime(&fields)), isArrival: isArrival)
    }
}
