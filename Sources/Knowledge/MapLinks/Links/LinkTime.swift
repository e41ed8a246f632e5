internal import HunchModel
internal import JourneyWords

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

    /// Returns a place with the time of its link. An unreadable part counts as ignored words.
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
        if let time = text(arrivals, fields).flatMap({ JourneyTime.moment($0, isArrival: true) }) { return time }
        let isArrival =
            kinds.compactMap { text([$0], fields) }.contains { $0.hasPrefix("arr") || arrivalWords.contains($0) }
            || ["true", "1", "a"].contains(text(["arriveby", "arr"], fields))
            || text(["req0hafassearchforw"], fields) == "0"
        for name in moments {
            if let time = text([name], fields).flatMap({ JourneyTime.moment($0, isArrival: isArrival) }) { return time }
        }
        let date = text(dates, fields)
        let clock = text(clocks, fields)
        return date == nil && clock == nil
            ? nil : JourneyTime.written(date, clock, isArrival, isMonthFirst: isMonthFirst)
    }
}
