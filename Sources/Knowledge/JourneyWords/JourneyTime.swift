internal import HunchModel

/// The time of a journey in English or German words, such as “tomorrow at 9”, “morgen um halb neun”, “in 20 minutes” or
/// “by 18:30”. A few words for days are known in other languages, too.
public struct JourneyTime: Hashable, Sendable {
    enum Day: Hashable {
        case offset(Int), date(day: Int, month: Int, year: Int?), dayOfMonth(Int)
        /// The next such day. If `isNotToday`, “next Monday” is a week later on a Monday.
        case weekday(Int, isNotToday: Bool = false)
    }

    /// Whether it is the time of arrival.
    public private(set) var isArrival = false
    var day: Day?
    /// Days after ``day``: “heute in acht Tagen”.
    var furtherDays = 0
    var isNextWeek = false
    /// Minutes after midnight.
    private(set) var clock: Int?
    /// Whether the hour may be before or after noon: “at 5”, “quarter to five”.
    private(set) var isOfTwelveHours = false
    /// Whether the words say that the time of day is before or after noon: “9 am”, “07:00”.
    private(set) var isSettled = false
    /// Minutes from now.
    private(set) var delay: Int?
    /// Seconds since 1970, for the time of a link.
    private(set) var instant: Int?
    private(set) var part: DayWords.Part?
    private(set) var hourOfPart: Int?
    /// The minutes by which a time without an hour is earlier or later: “early tomorrow”.
    private(set) var shift = 0
    /// The words in lower case that are understood and not asked for: the end of a span, “every day”.
    package private(set) var ignored: String?
    /// Whether it says nothing but such words.
    package var isVague: Bool {
        day == nil && clock == nil && delay == nil && instant == nil && part == nil && !isNextWeek
    }
    var hasMarker = false
    /// The marker that was read last, if nothing followed yet.
    var marker = ""
    /// Whether the last word stands only before a time of day: “um”.
    var isBehindHourWord: Bool { Self.hourWords.contains(marker) }
    /// Whether “1700” is a time of day.
    private var mayBeCompact: Bool { isLenient || Self.compactWords.contains(marker) }
    private var isLenient = false
    /// Whether “6:40” is of the twelve-hour clock.
    private var hasTwelveHours = false
    /// Whether the time of day is written like “6:40”.
    private var isInDigits = false
    var hasFullDate = false
    /// Whether the time of day is only a word such as “noon”.
    private var isWordOfDay = false
    var isNearDay: Bool { if case .offset = day { true } else { false } }

    /// Whether it can hardly be a part of a name: days, “noon” and “now” alone may be.
    package var isExplicit: Bool {
        hasMarker || hasFullDate || clock != nil && !(isWordOfDay && day == nil) || (delay ?? 0) > 0
            || day != nil && part != nil || isNextWeek
    }
    var isWeekday: Bool { if case .weekday = day { true } else { false } }
    /// Whether it is only a word such as “tomorrow” or “noon”, which is written small where it is not a name.
    package var isSmallWord: Bool {
        guard !hasMarker, clock == nil || isWordOfDay else { return false }
        if isNow { return true }
        return day == nil ? isWordOfDay || isVague : isNearDay
    }

    /// Whether it is the present, as in “right now”.
    public var isNow: Bool { delay == 0 }

    /// The same as a time of arrival.
    public var ofArrival: JourneyTime {
        var time = self
        time.isArrival = true
        return time
    }

    /// The same among German words, in which “6:40” is of the 24-hour clock.
    var inGerman: JourneyTime {
        var time = self
        if isInDigits, isOfTwelveHours { (time.isOfTwelveHours, time.isSettled) = (false, true) }
        return time
    }

    /// Returns this day at a time of day in minutes after midnight.
    func at(minutes: Int) -> JourneyTime {
        var time = self
        (time.clock, time.isSettled) = (minutes, true)
        return time
    }

    /// Returns this time completed by another, if one is only a day and the other only a time of day: “tomorrow … at 9”.
    package func completed(by other: JourneyTime?) -> JourneyTime {
        guard let other else { return self }
        let (timed, date) = clock == nil && delay == nil && day != nil ? (other, self) : (self, other)
        var both = timed
        guard both.clock != nil, both.day == nil, date.clock == nil else { return self }
        (both.day, both.furtherDays, both.isNextWeek) = (date.day, date.furtherDays, date.isNextWeek)
        if both.part == nil { (both.part, both.hourOfPart) = (date.part, date.hourOfPart) }
        both.isArrival = isArrival || other.isArrival
        return both
    }

    /// The maximum number of words.
    package static let mostWords = 10

    /// Reads a text. Returns `nil` if any word is none of a time.
    public init?(_ text: String) {
        self.init(words: text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...])
        if ignored != nil { return nil }
    }

    /// - Parameters:
    ///   - words: the words in lower case.
    ///   - isMonthFirst: whether “3/4” is in March; `nil` for the order of the user's region.
    ///   - isLenient: whether “1700” is a time of day without any other word.
    ///   - hasTwelveHours: whether “6:40” is of the twelve-hour clock in English words.
    package init?(
        words: ArraySlice<String>, isMonthFirst: Bool? = nil, isLenient: Bool = false,
        hasTwelveHours: Bool = ClockWords.hasTwelveHoursHere
    ) {
        guard !words.isEmpty, words.count <= Self.mostWords else { return nil }
        self.isLenient = isLenient
        self.hasTwelveHours = hasTwelveHours && !words.contains(where: Self.isGerman)
        var rest = words.flatMap { ClockWords.splitSpan(Self.plain($0)).flatMap(DayWords.split) }
        // “20 minutes from now”
        if rest.count > 2, rest.suffix(2) == ["from", "now"] { rest = ["in"] + rest.dropLast(2) }
        // “So gegen 8” and “so um 8 rum” are about eight, and “So um 8” is on Sunday.
        if rest.count > 2, rest[0] == "so", Self.hourWords.contains(rest[1]),
            rest[1] != "um" || rest.contains(where: Self.fillers.contains)
        {
            rest.removeFirst()
        }
        if rest.count > 1 { rest.removeAll(where: Self.fillers.contains) }
        for (word, minutes) in Self.shifts where rest.count > 1 {
            guard let index = rest.firstIndex(of: word) else { continue }
            rest.remove(at: index)
            shift = minutes
        }
        var left = rest[...]
        while !left.isEmpty {
            guard let count = take(left, isMonthFirst) else { return nil }
            left = left.dropFirst(count)
        }
        let isPartAlone = day == nil && clock == nil && delay == nil && !isNextWeek && part != nil
        guard isPartAlone ? hasMarker || isLenient : !isVague || ignored != nil else { return nil }
    }

    private static let fillers = RequestLists.words("filler")
    private static let shifts = RequestLists.numbers("shift")

    /// Creates the time of a link.
    ///
    /// - Parameter instant: seconds since 1970.
    package init(instant: Int, isArrival: Bool) { (self.instant, self.isArrival) = (instant, isArrival) }

    /// Returns a word without a comma or a colon at its end, and “a.m” for “a.m.”.
    private static func plain(_ word: String) -> String {
        let word = word.last.map(",:".contains) == true && word.count > 1 ? String(word.dropLast()) : word
        return word.hasSuffix("a.m.") || word.hasSuffix("p.m.") ? String(word.dropLast()) : word
    }

    // MARK: Reading

    /// Reads the beginning of the words. Returns the number of words; `nil` if they are none of a time.
    private mutating func take(_ words: ArraySlice<String>, _ isMonthFirst: Bool?) -> Int? {
        let count =
            takeVague(words) ?? takeDelay(words) ?? takeSpan(words) ?? takePart(words) ?? takeDay(words, isMonthFirst)
            ?? takeClock(words)
        if let count {
            marker = ""
            return count
        }
        return takeMarker(words)
    }

    /// Reads words that no app can be asked for: “every day”, “and Tuesday”.
    private mutating func takeVague(_ words: ArraySlice<String>) -> Int? {
        var count = words.first.flatMap { Self.vague[$0] }?.first { words.starts(with: $0) }?.count
        if words.count > 1, ["every", "each", "jeden"].contains(words[words.startIndex]),
            DayWords.weekdays[words[words.startIndex + 1]] != nil
        {
            count = 2
        }
        if count == nil, !isVague, let first = words.first, ["and", "or", "und", "oder", "&"].contains(first) {
            let other = words.dropFirst()
            if JourneyTime(words: other) != nil || JourneyTime(words: ["at"] + other) != nil { count = words.count }
        }
        guard let count else { return nil }
        ignore(words.prefix(count))
        return count
    }

    private mutating func ignore(_ words: ArraySlice<String>) {
        let text = words.joined(separator: " ")
        ignored = ignored.map { "\($0) \(text)" } ?? text
    }

    private static let vague = Dictionary(grouping: RequestLists.phrases("vague"), by: { $0[0] })

    /// Reads “from 9 to 5”, “9 bis 17 Uhr” and “between 5 and 6” as its beginning. The end is ignored.
    private mutating func takeSpan(_ words: ArraySlice<String>) -> Int? {
        guard clock == nil, delay == nil, let first = words.first else { return nil }
        let joins = Self.spans[first]
        let times = joins == nil ? words : words.dropFirst()
        let isMarked = joins != nil || hasMarker || day != nil || isLenient
        guard let start = ClockWords(times, isMarked: isMarked, mayBeCompact: false, isInSpan: true) else { return nil }
        let rest = times.dropFirst(start.count)
        guard let join = rest.first, (joins ?? Self.spanWords).contains(join),
            let end = ClockWords(rest.dropFirst(), isMarked: true, mayBeCompact: false, isInSpan: true),
            isMarked || start.isExact || end.isExact,
            // “At 5 to 7” is one time of day.
            joins != nil || join != "to"
                || (ClockWords(times, isMarked: isMarked, mayBeCompact: false)?.count ?? 0) <= start.count
        else { return nil }
        set(start, of: times, isOfTwelveHours: end.isOfTwelveHours)
        // “5 to 6 pm”
        if end.isSettled, end.minutes >= 720, !start.isSettled, start.minutes + 720 <= end.minutes {
            (clock, isSettled) = (start.minutes + 720, true)
        }
        hasMarker = hasMarker || joins != nil
        ignore(rest.prefix(end.count + 1))
        return words.count - rest.count + end.count + 1
    }

    private static let spanWords: Set<String> = ["to", "until", "till", "bis", "–", "-"]
    /// The words between two times of day by the word before them.
    private static let spans: [String: Set<String>] = [
        "from": spanWords, "von": spanWords, "between": ["and", "–", "-", "to"], "zwischen": ["und", "–", "-", "bis"],
    ]

    private static let arrivals = RequestLists.phrases("arrival")
    private static let departures = RequestLists.phrases("departure")
    /// The words that may also follow the time: “um 9 spätestens”.
    private static let lateArrivals = RequestLists.phrases("late arrival")
    private static let lateDepartures = RequestLists.phrases("late departure")
    private static let connectors = RequestLists.phrases("connector")
    /// The connectors before a time of day, but not before a date.
    private static let hourWords = RequestLists.words("hour word")
    /// The words before “1700” without a colon.
    private static let compactWords = RequestLists.words("compact word")

    /// Reads words before or after a day or a time of day.
    private mutating func takeMarker(_ words: ArraySlice<String>) -> Int? {
        func count(_ phrases: [[String]]) -> Int? { phrases.first { words.starts(with: $0) }?.count }
        if let count = count(Self.lateArrivals) {
            (isArrival, hasMarker) = (true, true)
            return count
        }
        if let count = count(Self.lateDepartures) {
            hasMarker = true
            return count
        }
        // “Um 9:30 Uhr ab”
        if clock != nil, words.count == 1, let word = words.first, ["ab", "an"].contains(word) {
            isArrival = word == "an"
            return 1
        }
        let next = words.dropFirst().first
        guard let word = words.first, let next, clock == nil || day == nil else { return nil }
        if isWeekday, ["den", "dem", "der", "the"].contains(word), next.first?.isNumber == true { return 1 }
        marker = word
        if let count = count(Self.departures), count < words.count {
            // “After Eight” is a name.
            hasMarker = hasMarker || word != "after" || next.first?.isNumber == true
            return count
        }
        // “Nach 17 Uhr”
        if word == "nach", next.first?.isNumber == true { return 1 }
        // “From 4 pm”, and “an 9:30” in timetables
        if ["from", "von", "an"].contains(word), ClockWords.isExact(words.dropFirst()) {
            if word == "an" { isArrival = true }
            return 1
        }
        // “For tomorrow”, but not “Table for Two”
        if ["for", "für"].contains(word), (DayWords.days[next] ?? DayWords.weekdays[next]) != nil {
            hasMarker = true
            return 1
        }
        // “Le 24 décembre”
        if word == "le", next.first?.isNumber == true {
            hasMarker = true
            return 1
        }
        if let count = count(Self.arrivals), count < words.count {
            (isArrival, hasMarker) = (true, true)
            return count
        }
        guard let count = count(Self.connectors) else { return nil }
        hasMarker = true
        if let part = DayWords.parts[next], Self.beforeParts.contains(word) {
            // “This evening” is today, and “am Abend” is the next one.
            if word != "am", !Self.hourWords.contains(word), day == nil { day = .offset(0) }
            setPart(part)
            return 2
        }
        return count
    }

    /// The words before a part of a day: “this evening”, “gegen Abend”.
    private static let beforeParts = RequestLists.words("part word")

    private mutating func setPart(_ part: (hour: Int, part: DayWords.Part)) {
        (hourOfPart, self.part) = (part.hour * 60, part.part)
    }

    private mutating func takePart(_ words: ArraySlice<String>) -> Int? {
        guard part == nil else { return nil }
        if let (word, count) = DayWords.part(words), let part = DayWords.parts[word] {
            // “Abends” alone is not a time, but “in the evening” is.
            if count > 1 { hasMarker = true }
            if word == "tonight", day == nil { day = .offset(0) }
            setPart(part)
            return count
        }
        guard day != nil || clock != nil, let word = words.first else { return nil }
        // “Heute Morgen”, “Sonntag morgen”
        guard let part = DayWords.parts[word == "morgen" && day != nil ? "morgens" : word] else { return nil }
        setPart(part)
        return 1
    }

    private mutating func takeDelay(_ words: ArraySlice<String>) -> Int? {
        let isAlone = clock == nil && day == nil
        if isAlone, (delay ?? 0) == 0, let count = Self.presentCount(words) {
            delay = 0
            return count
        }
        guard delay == nil else { return nil }
        // “In about an hour”
        let span = words.dropFirst().drop(while: Self.hourWords.contains)
        guard words.first == "in", let found = DelayWords(span, isBehindToday: day == .offset(0)) else { return nil }
        switch found.delay {
        case .minutes(let number):
            guard isAlone else { return nil }
            delay = number
        case .days(let number): setDays(number)
        }
        return words.count - span.count + found.count
    }

    private mutating func setDays(_ number: Int) {
        hasMarker = true
        if day == nil { day = .offset(number) } else { furtherDays = number }
    }

    /// Returns the number of words at the beginning that mean now; `nil` for others.
    static func presentCount(_ words: ArraySlice<String>) -> Int? {
        words.first.flatMap { present[$0] }?.first { words.starts(with: $0) }?.count
    }

    private static let present = Dictionary(grouping: RequestLists.phrases("present"), by: { $0[0] })

    // MARK: The time of day

    /// Returns whether a word is German and stands in a time of day or before it.
    static func isGerman(_ word: String) -> Bool {
        germanHourWords.contains(word) || DayWords.isGerman(word)
    }

    private static let germanHourWords = RequestLists.words("german hour word")

    /// Sets the time of day. One with minutes, such as “6:40”, has 24 hours, except where the region's clock has twelve.
    private mutating func set(_ found: ClockWords, of words: ArraySlice<String>, isOfTwelveHours: Bool) {
        isInDigits = words.first.map { $0.contains(":") || $0.contains(".") } ?? false
        let isWhole = isInDigits && found.isOfTwelveHours && !hasTwelveHours
        clock = found.minutes
        self.isOfTwelveHours = found.isOfTwelveHours && isOfTwelveHours && !isWhole
        isSettled = found.isSettled || isWhole
    }

    private mutating func takeClock(_ words: ArraySlice<String>) -> Int? {
        guard clock == nil || isWordOfDay, delay == nil, let first = words.first else { return nil }
        // Without a word before it, it may belong to a name.
        let isMarked = hasMarker || isNearDay || part != nil
        if clock == nil, ClockWords.isNoon(first) || ClockWords.isMidnight(first) {
            (clock, isWordOfDay) = (ClockWords.isNoon(first) ? 720 : 1_440, !hasMarker && !isNearDay)
            return 1
        }
        guard let found = ClockWords(words, isMarked: isMarked, mayBeCompact: mayBeCompact) else { return nil }
        let following = words.dropFirst(found.count)
        // “8 abends”, “2 at night”
        guard found.isExact || isMarked || DayWords.part(following) != nil else { return nil }
        // “Mittags um 1”
        let isAfterNoon = clock == 720 && found.minutes < 360
        set(found, of: words, isOfTwelveHours: true)
        if isAfterNoon { (clock, isOfTwelveHours, isSettled) = (found.minutes + 720, false, true) }
        isWordOfDay = false
        return found.count
    }
}
