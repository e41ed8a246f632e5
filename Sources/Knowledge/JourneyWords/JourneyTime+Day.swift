internal import HunchModel

/// The days of a journey.
extension JourneyTime {
    /// Reads a day at the beginning of words. Returns the number of words; `nil` if they are none of a day.
    mutating func takeDay(_ words: ArraySlice<String>, _ isMonthFirst: Bool?) -> Int? {
        guard let word = words.first else { return nil }
        for phrase in Self.nextWeek where words.starts(with: phrase) {
            isNextWeek = true
            return phrase.count
        }
        for phrase in Self.weekAfterNext where words.starts(with: phrase) {
            (isNextWeek, furtherDays) = (true, 7)
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
        if day == nil, let phrase = Self.weekends.first(where: { words.starts(with: $0) }) {
            day = .weekday(6)
            return phrase.count
        }
        if day == nil, let named = Self.namedDays.first(where: { words.starts(with: $0.phrase) }),
            let date = DateWords([named.date])
        {
            (day, hasFullDate) = (date.day, true)
            return named.phrase.count
        }
        // British English: “Friday week”
        if isWeekday, let phrase = [["week"], ["after", "next"]].first(where: { words.starts(with: $0) }) {
            furtherDays = 7
            return phrase.count
        }
        // “Übernächsten Montag”
        if day == nil, ["übernächsten", "übernächster"].contains(word), words.count > 1,
            DayWords.weekdays[words[words.startIndex + 1]] != nil
        {
            furtherDays = 7
            return 1
        }
        // “Tomorrow, Sunday”
        if day == nil || isNearDay,
            let weekday = DayWords.weekdays[word]
                ?? (isBehindHourWord ? nil : DayWords.shortWeekdays[DayWords.withoutPoint(word)])
        {
            if day == nil { day = .weekday(weekday, isNotToday: Self.nextWords.contains(marker)) }
            return 1
        }
        // “Friday, 24 December”
        guard day == nil || isWeekday else { return nil }
        if let (number, count) = dayOfMonth(words) {
            day = .dayOfMonth(number)
            return count
        }
        guard
            let date = DateWords(words, isBehindHourWord: isBehindHourWord && clock == nil, isMonthFirst: isMonthFirst)
        else { return nil }
        (day, hasFullDate) = (date.day, date.isUnmistakable)
        return date.count
    }

    /// Reads “the 5th” behind a marker or a weekday, and “5” behind “am”, which is a day in German.
    private func dayOfMonth(_ words: ArraySlice<String>) -> (number: Int, count: Int)? {
        guard hasMarker || isWeekday else { return nil }
        let word = words.first == "the" ? words.dropFirst().first ?? "" : words.first ?? ""
        let digits = word.prefix(while: \.isNumber)
        let ending = word.dropFirst(digits.count)
        guard let number = Int(digits), (1...31).contains(number),
            ["st", "nd", "rd", "th"].contains(ending) || marker == "am" && ["", "."].contains(ending),
            case let rest = words.dropFirst(words.first == "the" ? 2 : 1),
            DateWords(words.drop { $0 == "the" }) == nil, rest.first != "uhr"
        else { return nil }
        return (number, words.count - rest.count)
    }

    private static let weekends = RequestLists.phrases("weekend")
    private static let nextWords = RequestLists.words("next")
    private static let nextWeek = RequestLists.phrases("next week")
    private static let weekAfterNext = RequestLists.phrases("week after next")
    /// The days with a name, such as “Heiligabend”, and their dates.
    private static let namedDays = RequestLists.values("named day").map { name, date in
        (phrase: name.split(separator: " ").map(String.init), date: date)
    }
}
