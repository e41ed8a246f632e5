internal import HunchModel

/// Words that have the form of a time that does not exist, such as “at 25:00” and “am 31.11.”.
extension JourneyTime {
    /// Returns whether words in lower case are a time except for an hour or a day that does not exist.
    static func isImpossible(_ words: ArraySlice<String>) -> Bool {
        // A quick check first: most words have no numbers.
        guard words.contains(where: { $0.contains(where: \.isNumber) }) else { return false }
        let possible = possible(words)
        guard possible != Array(words), JourneyTime(words: words) == nil else { return false }
        return JourneyTime(words: possible[...])?.isExplicit ?? false
    }

    /// Returns the number of words at the end, behind others, that are such a time; 0 for other words.
    static func impossibleCount(atEndOf words: [String]) -> Int {
        let start = words.indices.dropFirst().suffix(mostWords).first { isImpossible(words[$0...]) }
        return start.map { words.count - $0 } ?? 0
    }

    /// Returns the words with the hours and days that do not exist replaced by others.
    private static func possible(_ words: ArraySlice<String>) -> [String] {
        words.indices.map { index in
            let rest = words[index...]
            return possibleClock(rest) ?? DateWords.possible(rest) ?? possibleDay(words[index], in: words, at: index)
        }
    }

    /// Returns “9:00” for “25:00”, and “9” for “25” before “Uhr”; `nil` for other words.
    private static func possibleClock(_ words: ArraySlice<String>) -> String? {
        guard let word = words.first else { return nil }
        let digits = word.prefix { $0.isNumber || $0 == ":" }
        let unit = word.dropFirst(digits.count)
        let fields = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard ["", "uhr", "am", "pm"].contains(unit),
            fields.count == 2 || fields.count == 1 && (!unit.isEmpty || words.dropFirst().first == "uhr"),
            fields.allSatisfy({ (1...2).contains($0.utf8.count) }), JourneyTime(words: ["at", word]) == nil
        else { return nil }
        return (fields.count == 2 ? "9:00" : "9") + unit
    }

    /// Returns “1” for “31” behind the name of a month; other words as they are.
    private static func possibleDay(_ word: String, in words: ArraySlice<String>, at index: Int) -> String {
        guard index > words.startIndex, word.first?.isNumber == true, word.utf8.count <= 4,
            case let month = words[index - 1], DateWords([month, word]) == nil, DateWords([month, "1"]) != nil
        else { return word }
        return "1"
    }
}
