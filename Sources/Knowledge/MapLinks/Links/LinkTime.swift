internal import HunchModel
internal import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The time of a journey in the fields of a link.
///
/// Sources: Google's older parameters (`ttype`, `date`, `time`), https://citymapper.com/tools/1053/launch-citymapper-for-directions,
/// MOTIS' openapi.yaml, https://github.com/HSLdevcom/digitransit-ui, TfL's journey planner, and the links that Hunch writes
/// itself (Regions). A time without a zone is in that of the timetable, or else in this computer's.
enum LinkTime {
    /// The rules for links that may have a time.
    private static let rules: Set<String> = [
        "google", "citymapper", "motis", "tfl", "entur", "planner", "hafas", "efa", "digitransit", "transit", "moovit",
    ]

    /// Fields with a whole time of arrival.
    private static let arrivals = ["arrival_time", "arriveby", "arrive_by", "arriveat", "arrive_at"]
    /// Fields with a whole time, of departure if no other field says that it is one of arrival.
    private static let moments = [
        "departure_time", "departby", "depart_by", "departat", "depart_at", "time", "searchtime", "hd", "tijd",
        "trip_datetime", "date",
    ]
    private static let dates = ["date", "itddate", "itddatedaymonthyear", "req0journeydate"]
    private static let clocks = ["time", "itdtime", "req0journeytime"]
    /// Fields whose value begins with “arr” or is one of ``arrivalWords`` for a time of arrival.
    private static let kinds = [
        "ttype", "timesel", "hza", "searchmode", "timepickermode", "moment", "type", "timeis", "itdtripdatetimedeparr",
    ]
    private static let arrivalWords: Set<String> = ["a", "aankomst"]

    /// Returns a place with the time of its link. What cannot be read of it is one of the ignored words.
    static func completed(_ place: ParsedPlace, by link: Link) -> ParsedPlace {
        guard place.time == nil, rules.contains(place.rule) else { return place }
        var place = place
        let fields = link.fields
        // Of Google's hosts, only this one writes the month first.
        let isMonthFirst = link.host == "google.com" || link.host == "maps.google.com"
        guard text(["ttype", "departure_time"], fields) != "now", text(["time"], fields) != "now" else { return place }
        place.time = TimetableZone.time(time(in: fields, isMonthFirst: isMonthFirst), of: link.host)
        if place.time == nil { place.ignored = place.ignored ?? text(arrivals + moments.reversed(), fields) }
        return place
    }

    private static func text(_ names: [String], _ fields: LinkQuery) -> String? {
        (try? fields.text(among: names))?.filter { $0 != "\"" }.lowercased()
    }

    private static func time(in fields: LinkQuery, isMonthFirst: Bool) -> JourneyTime? {
        if let time = text(arrivals, fields).flatMap({ moment($0, isArrival: true) }) { return time }
        let isArrival =
            kinds.compactMap { text([$0], fields) }.contains { $0.hasPrefix("arr") || arrivalWords.contains($0) }
            || ["true", "1", "a"].contains(text(["arriveby", "arr"], fields))
            || text(["req0hafassearchforw"], fields) == "0"
        for name in moments {
            if let time = text([name], fields).flatMap({ moment($0, isArrival: isArrival) }) { return time }
        }
        let date = text(dates, fields)
        let clock = text(clocks, fields)
        return date == nil && clock == nil ? nil : words(date, clock, isArrival, isMonthFirst: isMonthFirst)
    }

    /// Reads a date and a time of day, of which one may be missing, or `2026-12-24T18:00:00+01:00` as a time of day.
    static func time(date: String?, clock: String?, isArrival: Bool) -> JourneyTime? {
        if date == nil, let time = clock.flatMap({ moment($0.lowercased(), isArrival: isArrival) }) { return time }
        return words(date, clock, isArrival)
    }

    /// Reads a date and a time of day as people write them, also `20261224` and `1800`.
    private static func words(
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
    private static func moment(_ text: String, isArrival: Bool) -> JourneyTime? {
        if (9...13).contains(text.utf8.count), let number = Int(text) {
            return JourneyTime(instant: text.utf8.count > 11 ? number / 1_000 : number, isArrival: isArrival)
        }
        let parts = text.split { $0 == "t" || $0 == " " }
        guard parts.count == 2, parts[0].utf8.count == 10 else { return nil }
        let clock = parts[1].prefix { $0.isNumber || $0 == ":" }
        let zone = parts[1].dropFirst(clock.count).drop { $0 == "." || $0.isNumber }
        guard let time = words(String(parts[0]), String(clock), isArrival), !zone.isEmpty else {
            return words(String(parts[0]), String(clock), isArrival)
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
    static func time(ofClock text: Substring?, isArrival: Bool) -> JourneyTime? {
        guard let number = text.flatMap({ Int($0) }), (0..<253_402_300_800).contains(number) else { return nil }
        var seconds = time_t(number)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        fields.tm_isdst = -1
        return JourneyTime(instant: Int(mktime(&fields)), isArrival: isArrival)
    }
}
