internal import HunchModel

/// The time of a journey in English or German words, such as “tomorrow at 9”, “morgen um halb neun”, “in 20 minutes” or
/// “by 18:30”. A few words for days are known in other languages, too.
public struct JourneyTime: Hashable, Sendable {
    enum Day: Hashable { case offset(Int), weekday(Int), date(day: Int, month: Int, year: Int?) }

    /// Whether it is the time of arrival.
    public private(set) var isArrival = false
    private(set) var day: Day?
    /// Minutes after midnight.
    private(set) var clock: Int?
    /// Whether the hour may be before or after noon: “at 5”, “quarter to five”.
    private(set) var isOfTwelveHours = false
    /// Minutes from now.
    private(set) var delay: Int?
    private(set) var isAfternoon = false
    private(set) var partOfDay: Int?
    /// Whether it is the part of a day in which the hours after midnight belong to the next day.
    private(set) var isNight = false
    private var hasMarker = false
    /// Whether the last word stands only before a time of day: “um”.
    private var isBehindHourWord = false
    private var hasFullDate = false
    /// Whether the time of day is only a word such as “noon”.
    private var isWordOfDay = false
    private var isNearDay: Bool { if case .offset = day { true } else { false } }

    /// Whether it can hardly be a part of a name: days, “noon” and “now” alone may be.
    var isExplicit: Bool {
        hasMarker || hasFullDate || clock != nil && !(isWordOfDay && day == nil) || (delay ?? 0) > 0
            || day != nil && partOfDay != nil
    }
    /// Whether it is only a word such as “tomorrow” or “noon”, which is written small where it is no name.
    var isSmallWord: Bool {
        guard !hasMarker, clock == nil || isWordOfDay else { return false }
        return day == nil ? isWordOfDay : isNearDay
    }

    /// The same as a time of arrival.
    var ofArrival: JourneyTime {
        var time = self
        time.isArrival = true
        return time
    }

    /// Returns this time completed by another, if one is only a day and the other only a time of day: “tomorrow … at 9”.
    func completed(by other: JourneyTime?) -> JourneyTime {
        guard let other else { return self }
        var both = self
        if clock == nil, delay == nil, day != nil, other.day == nil {
            (both.clock, both.isArrival, both.isOfTwelveHours) = (other.clock, other.isArrival, other.isOfTwelveHours)
        }
        if day == nil, clock != nil, other.clock == nil { both.day = other.day }
        return both
    }

    /// The maximum number of words.
    static let mostWords = 8

    /// Reads a text. Returns `nil` if any word is none of a time.
    public init?(_ text: String) {
        self.init(words: text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...])
    }

    /// - Parameter words: the words in lower case.
    init?(words: ArraySlice<String>) {
        guard !words.isEmpty, words.count <= Self.mostWords else { return nil }
        var rest = words
        while !rest.isEmpty {
            guard let count = take(rest) else { return nil }
            rest = rest.dropFirst(count)
        }
        guard day != nil || clock != nil || delay != nil || partOfDay != nil else { return nil }
    }

    // MARK: Reading

    /// Reads the beginning of the words. Returns the number of words; `nil` if they are none of a time.
    private mutating func take(_ words: ArraySlice<String>) -> Int? {
        takeDelay(words) ?? takeDay(words) ?? takeClock(words) ?? takeMarker(words)
    }

    private static let arrivals: Set<String> = [
        "by", "before", "arriving", "arrive", "arrival", "bis", "ankunft", "ankommen", "spätestens", "vor",
    ]
    private static let connectors: Set<String> = [
        "at", "on", "leave", "leaving", "departing", "depart", "departure", "starting", "um", "ab", "am",
        "abfahrt",
        "gegen", "around", "this", "next", "diesen", "nächsten", "kommenden", "à", "alle", "às", "om", "kl.", "kl", "в",
        "ce",
        "cet",
    ]
    /// The connectors before a time of day, but not before a date.
    private static let hourWords: Set<String> = ["at", "um", "gegen", "around", "à", "alle", "às", "om", "kl.", "kl"]

    /// Reads a word before a day or a time of day.
    private mutating func takeMarker(_ words: ArraySlice<String>) -> Int? {
        guard words.count > 1, let word = words.first, clock == nil || day == nil else { return nil }
        isBehindHourWord = Self.hourWords.contains(word)
        // “Le 24 décembre”
        if word == "le", words.dropFirst().first?.first?.isNumber == true {
            hasMarker = true
            return 1
        }
        if Self.arrivals.contains(word) {
            isArrival = true
            // “5 bis 7” is a range of houses.
            hasMarker = hasMarker || word != "bis"
            return 1
        }
        guard Self.connectors.contains(word) else { return nil }
        hasMarker = true
        if let next = words.dropFirst().first, let part = Self.parts[next], Self.beforeParts.contains(word) {
            // “This evening” is today, and “am Abend” is the next one.
            if word != "am", !Self.hourWords.contains(word), day == nil { day = .offset(0) }
            setPart(part)
            return 2
        }
        return 1
    }

    /// The words before a part of a day: “this evening”, “gegen Abend”.
    private static let beforeParts: Set<String> = ["this", "am", "gegen", "around", "ce", "cet"]

    private static let days: [String: Int] = [
        "today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2, "heute": 0, "morgen": 1, "übermorgen": 2,
        "aujourd'hui": 0, "demain": 1, "hoy": 0, "mañana": 1, "oggi": 0, "domani": 1, "hoje": 0, "amanhã": 1,
        "vandaag": 0, "idag": 0, "imorgon": 1, "dzisiaj": 0, "jutro": 1, "сегодня": 0, "завтра": 1,
    ]
    /// The days of the week, counted from Sunday, 0…6.
    private static let weekdays: [String: Int] = {
        let names = [
            "sunday sonntag dimanche", "monday montag lundi", "tuesday dienstag mardi", "wednesday mittwoch mercredi",
            "thursday donnerstag jeudi", "friday freitag vendredi", "saturday samstag sonnabend samedi",
        ]
        return names.enumerated().reduce(into: [:]) { days, day in
            for name in day.element.split(separator: " ") { days[String(name)] = day.offset }
        }
    }()
    /// Parts of a day: the hour if no other is given, and whether an hour below twelve is after noon.
    private static let parts: [String: (hour: Int, isAfternoon: Bool)] = [
        "morning": (9, false), "früh": (9, false), "vormittag": (10, false), "morgens": (9, false), "matin": (9, false),
        "vormittags": (10, false), "afternoon": (15, true), "nachmittag": (15, true), "nachmittags": (15, true),
        "après-midi": (15, true), "evening": (19, true), "abend": (19, true), "abends": (19, true), "soir": (19, true),
        "tonight": (19, true), "night": (19, true), "nacht": (22, true),
    ]

    private mutating func setPart(_ part: (hour: Int, isAfternoon: Bool)) {
        (partOfDay, isAfternoon, isNight) = (part.hour * 60, part.isAfternoon, part.hour > 20)
    }

    private mutating func takeDay(_ words: ArraySlice<String>) -> Int? {
        guard let word = words.first else { return nil }
        // “At 7 in the evening”
        if words.starts(with: ["in", "the"]), let part = words.dropFirst(2).first.flatMap({ Self.parts[$0] }) {
            hasMarker = true
            setPart(part)
            return 3
        }
        if let part = Self.parts[word], partOfDay == nil {
            // “Morning” alone is no time.
            guard day != nil || clock != nil || word == "tonight" else { return nil }
            if word == "tonight" { day = .offset(0) }
            setPart(part)
            return 1
        }
        // “Heute Morgen”, “Sonntag morgen”
        if word == "morgen", day != nil, partOfDay == nil, let part = Self.parts["morgens"] {
            setPart(part)
            return 1
        }
        guard day == nil else { return nil }
        if words.starts(with: ["the", "day", "after", "tomorrow"]) || words.starts(with: ["day", "after", "tomorrow"]) {
            day = .offset(2)
            return words.first == "the" ? 4 : 3
        }
        if let offset = Self.days[word] {
            day = .offset(offset)
            return 1
        }
        let plain = word.last == "," ? String(word.dropLast()) : word
        if let weekday = Self.weekdays[plain] {
            day = .weekday(weekday)
            return 1
        }
        return takeDate(words)
    }

    private mutating func takeDate(_ words: ArraySlice<String>) -> Int? {
        guard let date = DateWords(words, isBehindHourWord: isBehindHourWord && clock == nil) else { return nil }
        day = date.day
        hasFullDate = date.isUnmistakable
        return date.count
    }

    private mutating func takeDelay(_ words: ArraySlice<String>) -> Int? {
        guard day == nil, clock == nil, delay == nil, let first = words.first else { return nil }
        if ["now", "jetzt", "sofort"].contains(first) {
            delay = 0
            return 1
        }
        if first == "right", words.dropFirst().first == "now" {
            delay = 0
            return 2
        }
        guard first == "in" else { return nil }
        let rest = words.dropFirst()
        for (phrase, minutes) in Self.spans where rest.starts(with: phrase) {
            delay = minutes
            return 1 + phrase.count
        }
        guard let number = rest.first.flatMap({ Int($0) ?? Self.numbers[$0] }), (1...10_000).contains(number),
            let unit = rest.dropFirst().first
        else { return nil }
        if ["minutes", "minute", "mins", "min", "min.", "minuten"].contains(unit) {
            delay = number
        } else if ["hours", "hour", "hrs", "h", "stunden", "stunde", "std", "std."].contains(unit) {
            delay = number * 60
        } else if ["days", "day", "tagen", "tag"].contains(unit), number < 400 {
            day = .offset(number)
        } else if ["weeks", "week", "wochen", "woche"].contains(unit), number < 60 {
            day = .offset(number * 7)
        } else {
            return nil
        }
        return 3
    }

    private static let spans: [(words: [String], minutes: Int)] = [
        (["half", "an", "hour"], 30), (["einer", "halben", "stunde"], 30), (["an", "hour"], 60),
        (["einer", "stunde"], 60),
        (["a", "quarter", "of", "an", "hour"], 15), (["einer", "viertelstunde"], 15), (["a", "minute"], 1),
    ]
    /// Numbers in words, as in “at nine” and “um neun”.
    private static let numbers: [String: Int] = {
        let lists = [
            "one two three four five six seven eight nine ten eleven twelve",
            "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        ]
        return lists.reduce(into: [:]) { numbers, list in
            for (index, word) in list.split(separator: " ").enumerated() { numbers[String(word)] = index + 1 }
        }
    }()

    // MARK: The time of day

    private static let fixed: [String: Int] = [
        "noon": 720, "midday": 720, "mittag": 720, "mittags": 720, "midi": 720, "midnight": 1_440, "mitternacht": 1_440,
        "minuit": 1_440,
    ]

    private mutating func takeClock(_ words: ArraySlice<String>) -> Int? {
        guard clock == nil, delay == nil, let first = words.first else { return nil }
        // Without a word before it, it may belong to a name.
        let isMarked = hasMarker || isNearDay
        if let minutes = Self.fixed[first] {
            (clock, isWordOfDay) = (minutes, !isMarked && !isArrival)
            return 1
        }
        if let (minutes, count) = Self.relative(words, isMarked: isMarked || isArrival) {
            (clock, isOfTwelveHours) = (minutes, true)
            return count
        }
        guard var (minutes, isExact, count) = Self.hour(first) else { return nil }
        var rest = words.dropFirst()
        isOfTwelveHours = first.first?.isNumber == false || first.first != "0" && !first.contains(where: \.isLetter)
        if let word = rest.first, ["am", "a.m.", "pm", "p.m.", "uhr", "h", "o'clock", "o’clock"].contains(word),
            word != "h" || isMarked && !isExact
        {
            // “um 9 am Montag”
            if word == "am", let next = rest.dropFirst().first,
                Self.weekdays[next] != nil || next.first?.isNumber == true
            {
                guard isExact || isMarked else { return nil }
                clock = minutes
                return count
            }
            count += 1
            isOfTwelveHours = false
            rest = rest.dropFirst()
            if word.hasPrefix("p"), minutes < 720 { minutes += 720 }
            if word.hasPrefix("a"), (720..<780).contains(minutes) { minutes -= 720 }
            isExact = true
            if word == "uhr", let more = rest.first.flatMap({ Int($0) }), (0..<60).contains(more), minutes % 60 == 0 {
                minutes += more
                count += 1
            }
        }
        guard isExact || isMarked else { return nil }
        clock = minutes
        return count
    }

    /// Returns the time of “half past nine”, “half nine”, “quarter to ten”, “halb neun”, “Viertel nach neun” and “zehn vor neun”.
    private static func relative(_ words: ArraySlice<String>, isMarked: Bool) -> (minutes: Int, count: Int)? {
        func hour(_ index: Int) -> Int? {
            words.dropFirst(index).first.flatMap { Int($0) ?? numbers[$0] }.flatMap {
                (1...24).contains($0) ? $0 * 60 : nil
            }
        }
        let list = words.prefix(4)
        if list.first == "halb", let next = hour(1) { return (next - 30, 2) }
        // British English
        if list.first == "half", isMarked, let full = hour(1) { return (full + 30, 2) }
        if list.first == "dreiviertel", let next = hour(1) { return (next - 15, 2) }
        let isQuarter = list.first == "quarter" || list.first == "viertel"
        let minutes = list.first == "half" ? 30 : isQuarter ? 15 : list.first.flatMap { Int($0) ?? numbers[$0] }
        let isNumber = list.first.map { Int($0) != nil || numbers[$0] != nil } ?? false
        guard let minutes, isMarked || !isNumber, (1...59).contains(minutes), let word = list.dropFirst().first,
            let full = hour(2)
        else {
            return nil
        }
        switch word {
        case "past", "after", "nach": return (full + minutes, 3)
        case "to", "before", "vor": return (full - minutes, 3)
        default: return nil
        }
    }

    /// Returns the minutes of a time of day in one word, and whether it can be nothing else: “9:30”, “9.30”, “21h15”, “9am”,
    /// or “9” and “nine”, which are also numbers.
    private static func hour(_ word: String) -> (minutes: Int, isExact: Bool, count: Int)? {
        let word = word.last == "," ? String(word.dropLast()) : word
        if let hour = numbers[word] { return (hour * 60, false, 1) }
        var text = word[...]
        var shift = 0
        for (ending, added) in [("am", 0), ("pm", 720), ("uhr", 0)]
        where text.hasSuffix(ending) && text.first?.isNumber == true {
            text = text.dropLast(ending.count)
            shift = added
            guard let (hour, minute) = parts(text), hour <= (ending == "uhr" ? 24 : 12) else { return nil }
            let base = ending == "uhr" ? hour : hour % 12
            return (base * 60 + minute + shift, true, 1)
        }
        guard let (hour, minute) = parts(text) else { return nil }
        return (hour * 60 + minute, text.contains(":") || text.contains("h") && hour < 24, 1)
    }

    private static func parts(_ text: Substring) -> (hour: Int, minute: Int)? {
        let fields = text.split(maxSplits: 1, omittingEmptySubsequences: false) { ":.h".contains($0) }
        guard let hour = fields.first, (1...2).contains(hour.utf8.count), hour.utf8.allSatisfy(\.isASCIIDigit),
            let hours = Int(hour), hours <= 24
        else { return nil }
        guard fields.count == 2, !fields[1].isEmpty else {
            return fields.count == 1 || text.hasSuffix("h") ? (hours, 0) : nil
        }
        guard fields[1].utf8.count == 2, fields[1].utf8.allSatisfy(\.isASCIIDigit), let minutes = Int(fields[1]),
            minutes < 60, hours < 24 || minutes == 0
        else { return nil }
        return (hours, minutes)
    }
}
