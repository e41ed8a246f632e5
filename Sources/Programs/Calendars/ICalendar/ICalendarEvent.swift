internal import TextEncodings
internal import CICal
internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// An event of an iCalendar text. It is valid as long as its ``ICalendarComponents``.
struct ICalendarEvent {
    private let handle: OpaquePointer

    init(borrowing handle: OpaquePointer) { self.handle = handle }

    /// The identifier that all occurrences of an event share; empty without one.
    var uid: String { icalcomponent_get_uid(handle).map { String(cString: $0) } ?? "" }

    /// Whether it is cancelled, by its status or by the calendar in which it was sent.
    var isCancelled: Bool {
        icalcomponent_get_status(handle) == ICAL_STATUS_CANCELLED
            || values(named: [ICalendarText.cancellation]).count > 0
    }

    /// The number of its version, the time at which it was written, and 1 for a cancellation, which may have the number
    /// and the time of the event that it cancels. The newest version counts.
    var version: (sequence: Int32, stamp: Double, cancellation: Int) {
        let stamp = icalcomponent_get_first_property(handle, ICAL_LASTMODIFIED_PROPERTY).map {
            icalproperty_get_lastmodified($0)
        }
        let written = stamp ?? icalcomponent_get_dtstamp(handle)
        let date = ICalendarTime(written)?.date.timeIntervalSince1970
        return (icalcomponent_get_sequence(handle), date ?? 0, isCancelled ? 1 : 0)
    }

    /// The zone of the start as the text names it, if nobody knows it; `nil` for a known zone, and for no zone.
    var unknownZone: String? {
        guard let property = icalcomponent_get_first_property(handle, ICAL_DTSTART_PROPERTY),
            let name = icalproperty_get_parameter_as_string(property, ICalendarText.unknownZoneParameter)
        else { return nil }
        return String(cString: name).filter { $0 != "\"" }
    }

    /// Whether it lasts whole days although its start is a time of day, as Microsoft's programs say. Their mark counts
    /// only from midnight to midnight on the clock of the text (MS-OXCICAL 2.1.3.1.1.20.28).
    var isMarkedAsDay: Bool {
        // Without an end, the end is null or the start.
        let isFromMidnight = [icalcomponent_get_dtstart(handle), icalcomponent_get_dtend(handle)].allSatisfy {
            $0.hour == 0 && $0.minute == 0 && $0.second == 0
        }
        let marks = ["X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY"]
        return values(named: marks).contains {
            ["TRUE", "1"].contains($0.value.uppercased()) && (isFromMidnight || $0.name == "X-FUNAMBOL-ALLDAY")
        }
    }

    /// The start; `nil` without a valid one.
    var start: ICalendarTime? { ICalendarTime(icalcomponent_get_dtstart(handle)) }

    /// The length in seconds; `nil` if the event has neither an end nor a duration.
    var length: Double? {
        guard let start else { return nil }
        let isGiven = [ICAL_DTEND_PROPERTY, ICAL_DURATION_PROPERTY].contains {
            icalcomponent_get_first_property(handle, $0) != nil
        }
        guard isGiven, let end = ICalendarTime(icalcomponent_get_dtend(handle)) else { return nil }
        let length = end.date.timeIntervalSince(start.date)
        return length > 0 ? length : nil
    }

    /// The start of the occurrence of the series that this event replaces; `nil` for an event or series itself.
    var replacedStart: ICalendarTime? {
        icalcomponent_get_first_property(handle, ICAL_RECURRENCEID_PROPERTY).flatMap {
            // icalcomponent_get_recurrenceid leaves the zone out.
            ICalendarTime(icalproperty_get_datetime_with_component($0, handle))
        }
    }

    /// A digest of the identifier of the series that it is, or of which it replaces an occurrence; `nil` for a single event.
    var series: String? {
        let marks = [ICAL_RRULE_PROPERTY, ICAL_RDATE_PROPERTY, ICAL_RECURRENCEID_PROPERTY]
        let isSeries = marks.contains { icalcomponent_get_first_property(handle, $0) != nil }
        return isSeries && !uid.isEmpty ? StableHash(uid.utf8).digits : nil
    }

    /// Returns a digest of the identifier of an occurrence, which stays the same when this moves (RFC 5545, 3.8.4.4); `nil` without
    /// an identifier.
    ///
    /// - Parameter start: the start by the rule of the series. It does not count for a single event.
    func occurrence(at start: Date?) -> String? {
        guard !uid.isEmpty else { return nil }
        let time = series == nil ? nil : start?.timeIntervalSince1970
        return StableHash("\(uid)\n\(time.map { "\($0)" } ?? "")".utf8).digits
    }

    /// Whether it replaces the later occurrences of the series, too.
    var replacesLaterOnes: Bool {
        guard let property = icalcomponent_get_first_property(handle, ICAL_RECURRENCEID_PROPERTY),
            let range = icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER)
        else { return false }
        return icalparameter_get_range(range) == ICAL_RANGE_THISANDFUTURE
    }

    /// Returns the text of the first property of a kind.
    func text(_ kind: icalproperty_kind) -> String? {
        // NULL: it has none, or none with a value. Both belong to the event.
        guard let property = icalcomponent_get_first_property(handle, kind),
            let text = icalproperty_get_value(property).flatMap({ icalvalue_get_text($0) })
        else { return nil }
        return String(cString: text)
    }

    /// The position; `nil` without one. Programs write 0;0 for an unknown one.
    var coordinate: Coordinate? {
        guard let property = icalcomponent_get_first_property(handle, ICAL_GEO_PROPERTY) else { return nil }
        let geo = icalproperty_get_geo(property)
        guard geo.lat != 0 || geo.lon != 0 else { return nil }
        return try? Coordinate(latitude: geo.lat, longitude: geo.lon)
    }

    /// Returns the values of all properties with some names, with the parameter `X-TITLE`.
    func values(named names: [String]) -> [(name: String, value: String, title: String?)] {
        var values: [(name: String, value: String, title: String?)] = []
        for property in properties(ICAL_ANY_PROPERTY) {
            guard let name = icalproperty_get_property_name(property).map({ String(cString: $0).uppercased() }),
                names.contains(name), let value = icalproperty_get_value_as_string(property)
            else { continue }
            // libical returns it with the escapes of RFC 6868.
            let title = icalproperty_get_parameter_as_string(property, "X-TITLE").map {
                TextEncoding.parameter(String(cString: $0))
            }
            values.append((name, String(cString: value), title))
        }
        return values
    }

    /// Returns whether somebody with one of these mail addresses, in lower case, has declined the invitation.
    func isDeclined(by addresses: Set<String>) -> Bool {
        guard !addresses.isEmpty else { return false }
        return properties(ICAL_ATTENDEE_PROPERTY).contains { attendee in
            guard let address = icalproperty_get_attendee(attendee).map({ String(cString: $0).lowercased() }),
                addresses.contains(address.hasPrefix("mailto:") ? String(address.dropFirst(7)) : address),
                let status = icalproperty_get_first_parameter(attendee, ICAL_PARTSTAT_PARAMETER)
            else { return false }
            return icalparameter_get_partstat(status) == ICAL_PARTSTAT_DECLINED
        }
    }

    /// The maximum number of occurrences of an event, and of those on one day.
    private static let maximumOccurrences = 500
    private static let maximumOccurrencesOfDay = 24

    /// Returns the starts of the series between two dates. An event without a rule is a series of one.
    ///
    /// - Parameter effort: the microseconds that expanding rules may still take, decreased by those spent here.
    func starts(from first: Date, until end: Date, effort: inout Int) -> [ICalendarTime] {
        guard let start else { return [] }
        let excluded = excludedTimes
        var starts: [Date: ICalendarTime] = [:]
        var counts: [Date: Int] = [:]
        // Returns whether more may be added.
        @discardableResult func add(_ time: icaltimetype, length: Double? = nil) -> Bool {
            var time = time
            // The zone of a date in a rule or a list is that of the start, unless the list names its own.
            if time.zone == nil { time.zone = icalcomponent_get_dtstart(handle).zone }
            guard starts.count < Self.maximumOccurrences else { return false }
            guard var found = ICalendarTime(time), found.date >= first, found.date < end, !excluded.contain(found),
                counts[found.localDay, default: 0] < Self.maximumOccurrencesOfDay
            else { return true }
            found.length = length
            if starts.updateValue(found, forKey: found.date) == nil { counts[found.localDay, default: 0] += 1 }
            return true
        }
        // Many programs write the first occurrence only as the start, even if the rule does not meet it.
        add(icalcomponent_get_dtstart(handle))
        for property in properties(ICAL_RRULE_PROPERTY) {
            var rule = icalproperty_get_rrule(property)
            // NULL: the rule has one end only.
            if let until = icalproperty_get_parameter_as_string(property, ICalendarText.untilParameter) {
                rule.until = icaltime_from_string(until)
            }
            expand(rule, start.date, from: first, until: end, effort: &effort) { add($0) }
        }
        for property in properties(ICAL_RDATE_PROPERTY) {
            // Its zone may differ from that of the start.
            let time = icalproperty_get_datetime_with_component(property, handle)
            guard icaltime_is_null_time(time) != 0 else {
                add(time)
                continue
            }
            // A null time: it is a period, whose times have no zone yet.
            var period = icalproperty_get_rdate(property).period
            let zone = time.zone ?? icalcomponent_get_dtstart(handle).zone
            if period.start.zone == nil { period.start.zone = zone }
            if period.end.zone == nil { period.end.zone = zone }
            guard let start = ICalendarTime(period.start) else { continue }
            let length =
                ICalendarTime(period.end)?.date.timeIntervalSince(start.date)
                ?? Double(icaldurationtype_as_int(period.duration))
            add(period.start, length: length > 0 ? length : nil)
        }
        return starts.values.sorted { $0.date < $1.date }
    }

    /// The occurrences that a series leaves out. `EXRULE` is deprecated (RFC 5545, A.3), and libical would expand it without
    /// end.
    private var excludedTimes: ExcludedTimes {
        var excluded = ExcludedTimes()
        for property in properties(ICAL_EXDATE_PROPERTY) {
            var time = icalproperty_get_datetime_with_component(property, handle)
            if time.zone == nil { time.zone = icalcomponent_get_dtstart(handle).zone }
            if let found = ICalendarTime(time) { excluded.insert(found) }
        }
        return excluded
    }

    private func properties(_ kind: icalproperty_kind) -> [OpaquePointer] {
        var properties: [OpaquePointer] = []
        var property = icalcomponent_get_first_property(handle, kind)
        while let current = property {
            properties.append(current)
            property = icalcomponent_get_next_property(handle, kind)
        }
        return properties
    }

    private static let day = 86_400.0
    /// The time that libical takes to look at one time of a rule, in microseconds.
    private static let lookTime = 3.0

    /// The processor time of this thread, in microseconds: a busy machine must not leave out appointments.
    private static var processorTime: Int {
        var time = timespec()
        // Fails only for an unknown clock.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    /// Adds the occurrences of a rule.
    ///
    /// libical looks at one time after the other, until the year 20000 for some rules that never occur. Here it begins
    /// just before the wanted time and ends after it. A rule with too many times in between is left out.
    private func expand(
        _ rule: icalrecurrencetype, _ start: Date, from first: Date, until end: Date, effort: inout Int,
        _ add: (icaltimetype) -> Bool
    ) {
        let began = Self.processorTime
        defer { effort -= Self.processorTime - began }
        var rule = rule
        let last = Self.time(end.addingTimeInterval(Self.day))
        if icaltime_is_null_time(rule.until) != 0 || icaltime_compare(rule.until, last) > 0 { rule.until = last }
        // A counted series has to be followed from its start.
        let from = rule.count > 0 ? start : max(start, first.addingTimeInterval(-Self.day))
        let days = (ICalendarTime(rule.until)?.date ?? end).timeIntervalSince(from) / Self.day
        guard let unit = Self.unit(of: rule.freq),
            max(0, days) * Self.timesPerDay(rule, unit) * Self.lookTime < Double(effort)
        else { return }
        var origin = icalcomponent_get_dtstart(handle)
        if unit < Self.day {
            guard origin.is_date == 0 else { return }
            // icalrecur_iterator_set_start loses the interval of such rules.
            let step = unit * Double(max(1, rule.interval))
            let passed = (from.timeIntervalSince(start) / step).rounded(.down) * step
            let wholeDays = (passed / Self.day).rounded(.down)
            icaltime_adjust(&origin, Int32(clamping: wholeDays), 0, 0, Int32(clamping: passed - wholeDays * Self.day))
        }
        // NULL: the rule is not valid.
        guard let iterator = icalrecur_iterator_new(rule, origin) else { return }
        defer { icalrecur_iterator_free(iterator) }
        if unit == Self.day, from > start { icalrecur_iterator_set_start(iterator, Self.time(from)) }
        // Lists with one value many times give as many occurrences.
        for _ in 0..<max(0, effort) {
            // A null time: the series has ended.
            let time = icalrecur_iterator_next(iterator)
            guard icaltime_is_null_time(time) == 0, let found = ICalendarTime(time), found.date < end, add(time) else {
                return
            }
        }
    }

    /// Returns the time by which libical advances in a rule, in seconds: at most a day. `nil` for every second, since
    /// such appointments do not exist.
    private static func unit(of frequency: icalrecurrencetype_frequency) -> Double? {
        switch frequency {
        case ICAL_MINUTELY_RECURRENCE: 60
        case ICAL_HOURLY_RECURRENCE: 3_600
        case ICAL_DAILY_RECURRENCE, ICAL_WEEKLY_RECURRENCE, ICAL_MONTHLY_RECURRENCE, ICAL_YEARLY_RECURRENCE: day
        default: nil
        }
    }

    /// Returns the number of times on a day at which libical looks at most.
    private static func timesPerDay(_ rule: icalrecurrencetype, _ unit: Double) -> Double {
        let (hours, minutes, seconds) = (count(rule.by_hour), count(rule.by_minute), count(rule.by_second))
        // libical counts the values of a list instead of the intervals.
        let interval = unit == day || hours + minutes + seconds > 0 ? 1 : Double(max(1, rule.interval))
        let lists = [unit == day ? hours : 0, unit > 60 ? minutes : 0, seconds]
        return lists.reduce(day / unit / interval) { $0 * Double(max(1, $1)) }
    }

    /// Returns the number of values in a list of a rule.
    private static func count<List>(_ list: List) -> Int {
        withUnsafeBytes(of: list) { bytes in
            bytes.bindMemory(to: Int16.self).prefix { $0 != ICAL_RECURRENCE_ARRAY_MAX.rawValue }.count
        }
    }

    private static func time(_ date: Date) -> icaltimetype {
        icaltime_from_timet_with_zone(
            time_t(clamping: date.timeIntervalSince1970, .down), 0, icaltimezone_get_utc_timezone())
    }
}

/// The occurrences that a series leaves out.
private struct ExcludedTimes {
    private var dates: Set<Date> = []
    private var days: Set<Date> = []
    /// The days at whose midnight, on any clock, something is excluded.
    private var midnights: Set<Date> = []

    mutating func insert(_ time: ICalendarTime) {
        if time.isDay { days.insert(time.date) } else { dates.insert(time.date) }
        if time.isMidnight { midnights.insert(time.localDay) }
    }

    /// Some programs exclude whole days of a series with times of day, or midnight of a series of days.
    func contain(_ time: ICalendarTime) -> Bool {
        dates.contains(time.date) || days.contains(time.localDay) || time.isDay && midnights.contains(time.localDay)
    }
}
