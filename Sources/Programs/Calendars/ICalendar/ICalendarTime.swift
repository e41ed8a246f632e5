internal import CICal
internal import FoundationEssentials
internal import Glibc

/// A time of an iCalendar text. A time without a zone is on the local clock.
struct ICalendarTime {
    private(set) var date: Date
    /// Whether it is a day, which begins at midnight on the local clock.
    let isDay: Bool
    /// Whether it is a midnight on the clock that the text has.
    let isMidnight: Bool
    /// The midnight on the local clock with which its day begins, as the text has it.
    private(set) var localDay: Date
    /// The length of a period in seconds; `nil` for that of its event.
    var length: Double?

    /// Returns the time at another date.
    func moved(to date: Date) -> ICalendarTime {
        var time = self
        time.localDay = localDay.addingTimeInterval(date.timeIntervalSince(self.date))
        time.date = date
        return time
    }

    /// - Returns: `nil` for no time, or one outside the years 1 to 9999.
    init?(_ time: icaltimetype) {
        guard icaltime_is_null_time(time) == 0, (1...9_999).contains(time.year) else { return nil }
        isDay = time.is_date != 0
        isMidnight = time.is_date == 0 && (time.hour, time.minute, time.second) == (0, 0, 0)
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (time.year - 1_900, time.month - 1, time.day)
        // −1: unknown whether summer time applies.
        parts.tm_isdst = -1
        var day = parts
        localDay = Date(timeIntervalSince1970: Double(mktime(&day)))
        if !isDay, let zone = time.zone {
            date = Date(timeIntervalSince1970: Double(icaltime_as_timet_with_zone(time, zone)))
            return
        }
        if !isDay { (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time.hour, time.minute, time.second) }
        date = Date(timeIntervalSince1970: Double(mktime(&parts)))
    }
}
