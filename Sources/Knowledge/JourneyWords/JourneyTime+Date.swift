internal import HunchModel

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The date of a time in words.
extension JourneyTime {
    /// The time of day without any words for one: nine in the morning.
    private static let usualTime = 540

    /// Returns this day at the time of day of another time, in seconds since 1970; `nil` if it has a time of day itself.
    public func completed(byClockOf seconds: Int) -> JourneyTime? {
        guard clock == nil, delay == nil, instant == nil, part == nil else { return nil }
        var (seconds, local) = (time_t(seconds), tm())
        localtime_r(&seconds, &local)
        return at(minutes: Int(local.tm_hour) * 60 + Int(local.tm_min))
    }

    /// Returns the next such time, in seconds since 1970, in this computer's time zone.
    ///
    /// - Parameter now: the present, in seconds since 1970.
    public func seconds(after now: Int) -> Int {
        if let instant { return instant }
        if let delay { return now + delay * 60 }
        if isVague { return now }
        var present = time_t(now)
        var local = tm()
        localtime_r(&present, &local)
        var minutes = clock ?? (hourOfPart ?? Self.usualTime) + shift
        switch part {
        case _ where clock == nil || isSettled && minutes >= 780: break
        // “At 5” is in the afternoon, and “at 7” may be either.
        case nil where isOfTwelveHours && day == nil && (60..<420).contains(minutes): minutes += 720
        case .afternoon where minutes < 720, .evening where minutes < 780: minutes += 720
        // “Heute Nacht um 2” is tomorrow, but not after midnight.
        case .night where minutes < 360:
            let isNow = day == .offset(0) && Int(local.tm_hour) * 60 + Int(local.tm_min) < minutes
            if day != nil, !isNow { minutes += 1_440 }
        case .night where minutes < 780: minutes += 720
        default: break
        }
        func seconds(inDays days: Int) -> Int {
            var wanted = local
            (wanted.tm_hour, wanted.tm_min, wanted.tm_sec, wanted.tm_isdst) = (
                Int32(minutes / 60), Int32(minutes % 60), 0, -1
            )
            wanted.tm_mday += Int32(days + furtherDays)
            return Int(mktime(&wanted))
        }
        switch day {
        case nil where isNextWeek: return seconds(inDays: 7)
        case nil: return seconds(inDays: 0) > now ? seconds(inDays: 0) : seconds(inDays: 1)
        case .offset(let days):
            guard days == 0, seconds(inDays: 0) < now else { return seconds(inDays: days) }
            // “today” is now, and “today at 10” after noon is in the evening.
            if clock == nil { return now }
            if minutes < 720, !isSettled, part == nil { minutes += 720 }
            return seconds(inDays: 0)
        case .weekday(let weekday, _) where isNextWeek:
            // Weeks begin on Monday.
            return seconds(inDays: 7 - (Int(local.tm_wday) + 6) % 7 + (weekday + 6) % 7)
        case .weekday(let weekday, let isNotToday):
            let days = (weekday - Int(local.tm_wday) + 7) % 7
            return days == 0 && (isNotToday || seconds(inDays: 0) <= now) ? seconds(inDays: 7) : seconds(inDays: days)
        case .dayOfMonth(let number):
            return (0...62).lazy.map(seconds).first { seconds in
                var (time, date) = (time_t(seconds), tm())
                localtime_r(&time, &date)
                return Int(date.tm_mday) == number && seconds > now - (clock == nil ? 86_400 : 0)
            } ?? now
        case .date(let day, let month, let year):
            /// Returns `nil` if that year has no such day.
            func seconds(in year: Int) -> Int? {
                var wanted = tm()
                (wanted.tm_year, wanted.tm_mon, wanted.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
                (wanted.tm_hour, wanted.tm_min, wanted.tm_isdst) = (Int32(minutes / 60), Int32(minutes % 60), -1)
                let isThere = day <= DateWords.days(in: month, of: year)
                return isThere ? Int(mktime(&wanted)) : nil
            }
            if let year { return seconds(in: year < 100 ? year + 2000 : year) ?? now }
            let thisYear = Int(local.tm_year) + 1900
            // There are up to eight years between two days of 29 February.
            return (thisYear...(thisYear + 8)).lazy.compactMap(seconds).first { $0 > now - 86_400 } ?? now
        }
    }

    /// Returns the time as one in another zone if it has a date with a year; otherwise itself.
    ///
    /// - Parameter offset: returns the seconds from UTC of the zone at a time in seconds since 1970.
    package func inZone(offset: (Int) -> Int) -> JourneyTime {
        guard instant == nil, case .date(_, _, .some) = day else { return self }
        // The fields as they are in this computer's zone, taken as those of UTC.
        var seconds = time_t(self.seconds(after: 0))
        var local = tm()
        localtime_r(&seconds, &local)
        let asUTC = Int(timegm(&local))
        return JourneyTime(instant: asUTC - offset(asUTC - offset(asUTC)), isArrival: isArrival)
    }
}
