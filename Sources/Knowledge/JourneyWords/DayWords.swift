/// Words for days and for parts of a day.
enum DayWords {
    /// The part of a day, such as “evening”.
    enum Part { case morning, afternoon, evening, night }

    /// Days, counted from today.
    static let days = RequestLists.numbers("day")
    /// The days of the week, counted from Sunday, 0…6.
    static let weekdays = RequestLists.numbers("weekday")
    /// Short forms of the days of the week. Many are also words or parts of names.
    static let shortWeekdays = RequestLists.numbers("short weekday")

    /// Parts of a day with the hour if no other is given.
    static let parts: [String: (hour: Int, part: Part)] = [
        "morning": (9, .morning), "früh": (9, .morning), "vormittag": (10, .morning), "morgens": (9, .morning),
        "matin": (9, .morning), "vormittags": (10, .morning), "afternoon": (15, .afternoon),
        "nachmittag": (15, .afternoon), "nachmittags": (15, .afternoon), "après-midi": (15, .afternoon),
        "evening": (19, .evening), "abend": (19, .evening), "abends": (19, .evening), "soir": (19, .evening),
        "tonight": (19, .night), "night": (19, .night), "nacht": (22, .night), "nachts": (22, .night),
    ]
    /// The parts of a day that are adverbs, so that they need no other word: “abends um 8”.
    static let adverbs: Set<String> = ["morgens", "vormittags", "nachmittags", "abends", "nachts", "früh"]

    /// Returns whether a word behind “am” is one of a day or a part of it in German: “am Montag”, “am Morgen”.
    static func isGerman(_ word: String) -> Bool {
        let isEnglish = word.hasSuffix("day") || ["morning", "evening", "afternoon", "night", "tonight"].contains(word)
        return !isEnglish
            && (weekdays[word] != nil || parts[word] != nil || word == "morgen" || ClockWords.isNoon(word))
            || ["mo", "di", "mi", "do", "fr", "sa", "so"].contains(withoutPoint(word))
    }

    /// Returns the number of the words for a part of a day at their beginning: “abends”, “in the evening”, “at night”, “am Abend”.
    static func part(_ words: ArraySlice<String>) -> (word: String, count: Int)? {
        for phrase in [["in", "the"], ["in", "der"], ["at"], ["am"], []] where words.starts(with: phrase) {
            guard let word = words.dropFirst(phrase.count).first else { continue }
            // “Um 9 am Morgen”
            if phrase == ["am"], word == "morgen" { return ("morgens", 2) }
            let isWhole =
                phrase.isEmpty ? adverbs.contains(word) || word == "tonight" : phrase != ["at"] || word == "night"
            if parts[word] != nil, isWhole { return (word, phrase.count + 1) }
        }
        return nil
    }

    /// The length of the shortest name of a weekday.
    private static let shortestDay = 6

    /// Returns the words of a compound: “freitagabend” is “freitag abend”.
    static func split(_ word: String) -> [String] {
        guard word.utf8.count > shortestDay + 2 else { return [word] }
        for day in weekdays.keys where word.count > day.count + 2 && word.hasPrefix(day) {
            let rest = String(word.dropFirst(day.count))
            if parts[rest] != nil || ClockWords.isNoon(rest) || rest == "morgen" { return [day, rest] }
        }
        return [word]
    }

    static func withoutPoint(_ word: String) -> String { word.last == "." ? String(word.dropLast()) : word }
}
