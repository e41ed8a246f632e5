internal import HunchModel

/// The time of a journey in English or German words, such as “tomorrow at 9”, “morgen um halb neun”, “in 20 minutes” or
/// “by 18:30”. A few words for days are known in other languages, too.
public struct JourneyTime: Hashable, Sendable {
    enum Day: Hashable { case offset(Int), weekday(Int), date(day: Int, month: Int, year: Int?) }

    /// Whether it is the time of arrival.
    public private(set) var isArrival = false
    private(set) var day: Day?
    /// Days after ``day``: “heute in acht Tagen”.
    private(set) var furtherDays = 0
    private(set) var isNextWeek = false
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
    private var hasMarker = false
    /// Whether the last word stands only before a time of day: “um”.
    private var isBehindHourWord = false
    /// Whether “1700” is a time of day, behind words such as “at”.
    private var mayBeCompact = false
    private var hasFullDate = false
    /// Whether the time of day is only a word such as “noon”.
    private var isWordOfDay = false
    private var isNearDay: Bool { if case .offset = day { true } else { false } }

    /// Whether it can hardly be a part of a name: days, “noon” and “now” alone may be.
    var isExplicit: Bool {
        hasMarker || hasFullDate || clock != nil && !(isWordOfDay && day == nil) || (delay ?? 0) > 0
            || day != nil && part != nil || isNextWeek
    }
    /// Whether it is only a word such as “tomorrow” or “noon”, which is written small where it is no name.
    var isSmallWord: Bool {
        guard !hasMarker, clock == nil || isWordOfDay else { return false }
        return day == nil ? isWordOfDay : isNearDay
    }

    /// The same as a time of arrival.
    public var ofArrival: JourneyTime {
        var time = self
        time.isArrival = true
        return time
    }

    /// Returns this day at a time of day in minutes after midnight.
    func at(minutes: Int) -> JourneyTime {
        var time = self
        (time.clock, time.isSettled) = (minutes, true)
        return time
    }

    /// Returns this time completed by another, if one is only a day and the other only a time of day: “tomorrow … at 9”.
    func completed(by other: JourneyTime?) -> JourneyTime {
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
    static let mostWords = 10

    /// Reads a text. Returns `nil` if any word is none of a time.
    public init?(_ text: String) {
        self.init(words: text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...])
    }

    /// - Parameters:
    ///   - words: the words in lower case.
    ///   - isMonthFirst: whether “3/4” is in March; `nil` for the order of the user's region.
    init?(words: ArraySlice<String>, isMonthFirst: Bool? = nil) {
        guard !words.isEmpty, words.count <= Self.mostWords else { return nil }
        var rest = words.flatMap { DayWords.split(Self.plain($0)) }[...]
        while !rest.isEmpty {
            guard let count = take(rest, isMonthFirst) else { return nil }
            rest = rest.dropFirst(count)
        }
        guard day != nil || clock != nil || delay != nil || part != nil && hasMarker || isNextWeek else { return nil }
    }

    /// Creates the time of a link.
    ///
    /// - Parameter instant: seconds since 1970.
    init(instant: Int, isArrival: Bool) { (self.instant, self.isArrival) = (instant, isArrival) }

    /// Returns a word without a comma at its end, and “a.m” for “a.m.”.
    private static func plain(_ word: String) -> String {
        let word = word.last == "," && word.count > 1 ? String(word.dropLast()) : word
        return word.hasSuffix("a.m.") || word.hasSuffix("p.m.") ? String(word.dropLast()) : word
    }

    // MARK: Reading

    /// Reads the beginning of the words. Returns the number of words; `nil` if they are none of a time.
    private mutating func take(_ words: ArraySlice<String>, _ isMonthFirst: Bool?) -> Int? {
        let count =
            takeDelay(words) ?? takePart(words) ?? takeDay(words, isMonthFirst) ?? takeClock(words)
        if let count {
            (isBehindHourWord, mayBeCompact) = (false, false)
            return count
        }
        return takeMarker(words)
    }

    private static let arrivals = phrases(
        "by,before,arriving,arrive,arrival,until,till,no later than,not later than,be there,"
            + "bis,bis zu,ankunft,ankommen,vor,noch vor")
    private static let departures = phrases(
        "not before,no earlier than,not earlier than,after,nicht vor,nicht früher als")
    /// The words that may also follow the time: “um 9 spätestens”.
    private static let lateArrivals = phrases("at the latest,latest,arriving,spätestens")
    private static let lateDepartures = phrases("at the earliest,earliest,frühestens")
    private static let connectors = phrases(
        "at,on,leave,leaving,departing,depart,departure,starting,um,ab,am,abfahrt,gegen,around,about,ca,ca.,circa,etwa,this,next,"
            + "diesen,nächsten,kommenden,à,alle,às,om,kl.,kl,в,ce,cet")
    /// The connectors before a time of day, but not before a date.
    private static let hourWords: Set<String> = [
        "at", "um", "gegen", "around", "about", "ca", "ca.", "circa", "etwa", "à", "alle", "às", "om", "kl.", "kl",
    ]
    /// The words before “1700” without a colon.
    private static let compactWords: Set<String> = [
        "at", "by", "before", "until", "till", "after", "arriving", "leaving",
    ]

    private static func phrases(_ list: String) -> [[String]] {
        list.split(separator: ",").map { $0.split(separator: " ").map { String($0) } }.sorted { $0.count > $1.count }
    }

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
        let next = words.dropFirst().first
        guard let word = words.first, let next, clock == nil || day == nil else { return nil }
        if isDayOfWeek, ["den", "dem", "der", "the"].contains(word), next.first?.isNumber == true { return 1 }
        isBehindHourWord = Self.hourWords.contains(word)
        mayBeCompact = Self.compactWords.contains(word)
        if let count = count(Self.departures), count < words.count {
            // “After Eight” is a name.
            hasMarker = hasMarker || word != "after"
            return count
        }
        // “Nach 17 Uhr”
        if word == "nach", next.first?.isNumber == true { return 1 }
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
    private static let beforeParts: Set<String> = ["this", "am", "gegen", "around", "ce", "cet"]

    private var isDayOfWeek: Bool { if case .weekday = day { true } else { false } }

    private mutating func setPart(_ part: (hour: Int, part: DayWords.Part)) {
        (hourOfPart, self.part) = (part.hour * 60, part.part)
    }

    private mutating func takePart(_ words: ArraySlice<String>) -> Int? {
        guard part == nil else { return nil }
        if let (word, count) = DayWords.part(words), let part = DayWords.parts[word] {
            // “Abends” alone is no time, but “in the evening” is.
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

    private mutating func takeDay(_ words: ArraySlice<String>, _ isMonthFirst: Bool?) -> Int? {
        guard let word = words.first else { return nil }
        for phrase in Self.nextWeek where words.starts(with: phrase) {
            isNextWeek = true
            return phrase.count
        }
        if day == nil {
            if words.starts(with: ["the", "day", "after", "tomorrow"])
                || words.starts(with: ["day", "after", "tomorrow"])
            {
                day = .offset(2)
                return words.first == "the" ? 4 : 3
            }
            if let offset = DayWords.days[word] {
                day = .offset(offset)
                return 1
            }
        }
        // “Tomorrow, Sunday”
        if day == nil || isNearDay,
            let weekday = DayWords.weekdays[word]
                ?? (isBehindHourWord ? nil : DayWords.shortWeekdays[DayWords.withoutPoint(word)])
        {
            if day == nil { day = .weekday(weekday) }
            return 1
        }
        // “Friday, 24 December”
        guard day == nil || isDayOfWeek,
            let date = DateWords(words, isBehindHourWord: isBehindHourWord && clock == nil, isMonthFirst: isMonthFirst)
        else { return nil }
        (day, hasFullDate) = (date.day, date.isUnmistakable)
        return date.count
    }

    private static let nextWeek = phrases(
        "in the next week,next week,in der nächsten woche,nächste woche,nächster woche,kommende woche")

    private mutating func takeDelay(_ words: ArraySlice<String>) -> Int? {
        guard delay == nil, let first = words.first else { return nil }
        if day == nil, clock == nil {
            for phrase in Self.present where words.starts(with: phrase) {
                delay = 0
                return phrase.count
            }
        }
        guard first == "in" else { return nil }
        var rest = words.dropFirst().flatMap(Self.withUnit)[...]
        let added = rest.count - words.count + 1
        if clock == nil, day == nil {
            for (phrase, minutes) in Self.spans where rest.starts(with: phrase) {
                delay = minutes
                return 1 + phrase.count
            }
        }
        guard let number = rest.first.flatMap({ Int($0) ?? Self.one[$0] ?? ClockWords.numbers[$0] }),
            (1...10_000).contains(number), let unit = rest.dropFirst().first
        else { return nil }
        rest = rest.dropFirst(2)
        if clock == nil, day == nil, Self.minutes.contains(unit) {
            delay = number
        } else if clock == nil, day == nil, Self.hours.contains(unit) {
            delay = number * 60
        } else if Self.days.contains(unit), number < 400 {
            // In German, a week from today is “in acht Tagen”.
            let isWeek = number == 8 && (day == .offset(0) || words.dropFirst().first == "acht")
            setDays(isWeek ? 7 : number)
        } else if Self.weeks.contains(unit), number < 60 {
            setDays(number * 7)
        } else {
            return nil
        }
        return 3 - added
    }

    private mutating func setDays(_ number: Int) {
        hasMarker = true
        if day == nil { day = .offset(number) } else { furtherDays = number }
    }

    /// Splits “20min” and “2h” into the number and the unit.
    private static func withUnit(_ word: String) -> [String] {
        let number = word.prefix(while: \.isNumber)
        let unit = String(word.dropFirst(number.count))
        guard !number.isEmpty, minutes.contains(unit) || hours.contains(unit) else { return [word] }
        return [String(number), unit]
    }

    private static let present = phrases("right now,now,asap,jetzt,sofort,gleich")
    private static let minutes: Set<String> = ["minutes", "minute", "mins", "min", "min.", "minuten"]
    private static let hours: Set<String> = ["hours", "hour", "hrs", "h", "stunden", "stunde", "std", "std."]
    private static let days: Set<String> = ["days", "day", "tagen", "tag"]
    private static let weeks: Set<String> = ["weeks", "week", "wochen", "woche"]
    private static let one = ["a": 1, "an": 1, "einer": 1, "einem": 1, "ner": 1]
    private static let spans: [(words: [String], minutes: Int)] = [
        (["half", "an", "hour"], 30), (["einer", "halben", "stunde"], 30), (["an", "hour", "and", "a", "half"], 90),
        (["anderthalb", "stunden"], 90), (["eineinhalb", "stunden"], 90), (["a", "quarter", "of", "an", "hour"], 15),
        (["einer", "viertelstunde"], 15), (["einer", "dreiviertelstunde"], 45),
    ]

    // MARK: The time of day

    private mutating func takeClock(_ words: ArraySlice<String>) -> Int? {
        guard clock == nil || isWordOfDay, delay == nil, let first = words.first else { return nil }
        // Without a word before it, it may belong to a name.
        let isMarked = hasMarker || isNearDay || isWordOfDay || part != nil
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
        clock = found.minutes + (isAfterNoon ? 720 : 0)
        (isOfTwelveHours, isSettled) = (found.isOfTwelveHours && !isAfterNoon, found.isSettled || isAfterNoon)
        isWordOfDay = false
        return found.count
    }
}
