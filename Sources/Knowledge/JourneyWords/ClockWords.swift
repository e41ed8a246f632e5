internal import HunchModel
internal import Localization

/// A time of day at the beginning of words: “9:30”, “17h”, “9 a.m.”, “1700 Uhr”, “half past nine”, “halb neun”, “12 Uhr mittags”.
package struct ClockWords {
    /// Minutes after midnight.
    private(set) var minutes: Int
    /// The number of words.
    private(set) var count: Int
    /// Whether it can be nothing else, unlike “9” and “nine”, which are also numbers.
    private(set) var isExact = false
    /// Whether the hour may be before or after noon: “at 5”, “quarter to five”.
    private(set) var isOfTwelveHours = false
    /// Whether the words say that it is before or after noon: “9 am”, “07:00”, “12 Uhr mittags”.
    private(set) var isSettled = false

    /// Reads the beginning of words in lower case.
    ///
    /// - Parameters:
    ///   - isMarked: whether a word such as “um” or “tomorrow” stands before it.
    ///   - mayBeCompact: whether “1700” is a time of day.
    ///   - isInSpan: whether “5 to 7” are two times of day.
    init?(_ words: ArraySlice<String>, isMarked: Bool, mayBeCompact: Bool, isInSpan: Bool = false) {
        guard let first = words.first else { return nil }
        if !isInSpan || first.first?.isNumber == false,
            let (minutes, count) = Self.relative(words, isMarked: isMarked)
        {
            (self.minutes, self.count, isExact, isOfTwelveHours) = (minutes, count, true, true)
            let rest = words.dropFirst(count)
            // “halb acht Uhr”, “quarter past five pm”
            if rest.first == "uhr" { self.count += 1 }
            if let half = rest.first, Self.halves.contains(half), !Self.isGerman(rest), minutes < 780 {
                (self.minutes, self.count) = (minutes % 720 + (half.hasPrefix("p") ? 720 : 0), count + 1)
                (isOfTwelveHours, isSettled) = (false, true)
            }
            return
        }
        var next = words.dropFirst().first ?? ""
        let isWithUnit = ["uhr", "h", "hrs", "hours"].contains(next)
        guard let hour = Self.hour(first, isMarked: isMarked, mayBeCompact: mayBeCompact || isWithUnit) else {
            return nil
        }
        (minutes, isExact, count) = (hour.minutes, hour.isExact, 1)
        isSettled = hour.hasHalf || first.first == "0" || minutes >= 780
        isOfTwelveHours = !isSettled && !(hour.isExact && first.contains(where: \.isLetter))
        var rest = words.dropFirst()
        if Self.units.contains(next), !Self.isGerman(rest),
            !["h", "hrs", "hours"].contains(next) || (isMarked || mayBeCompact) && !isExact
        {
            (count, isExact) = (2, true)
            rest = rest.dropFirst()
            if next.hasPrefix("o") {
                isOfTwelveHours = !isSettled
            } else {
                isOfTwelveHours = false
            }
            if Self.halves.contains(next) {
                guard minutes < 780 else { return nil }
                minutes = minutes % 720 + (next.hasPrefix("p") ? 720 : 0)
                isSettled = true
            }
            if next == "uhr", let more = rest.first.flatMap({ Int($0) }), (0..<60).contains(more), minutes % 60 == 0 {
                minutes += more
                count += 1
                rest = rest.dropFirst()
            }
            next = rest.first ?? ""
        }
        if Self.isNoon(next) || Self.isMidnight(next) {
            // “1 Uhr mittags”, “12 midnight”
            if Self.isMidnight(next) ? minutes == 720 : minutes < 360 { minutes += 720 }
            (count, isExact, isOfTwelveHours, isSettled) = (count + 1, true, false, true)
        }
    }

    /// Whether clocks in the user's region have twelve hours.
    static let hasTwelveHoursHere = hasTwelveHours(LocaleRegion.current)

    /// Returns whether people in a region write times of day with twelve hours (CLDR 44).
    static func hasTwelveHours(_ region: String?) -> Bool { region.map(twelveHours.contains) ?? false }

    private static let twelveHours: Set<String> = [
        "US", "CA", "AU", "NZ", "IN", "PK", "BD", "PH", "MY", "SG", "HK", "PR", "GU", "AS", "VI", "MP", "UM", "BS",
        "BM",
        "JM", "TT", "BB", "GY", "FJ", "GH", "MW", "ZM", "EG", "SA", "JO", "KR",
    ]

    /// Splits “9-17” and “5-6pm” into two times of day.
    static func splitSpan(_ word: String) -> [String] {
        let parts = word.split { $0 == "-" || $0 == "–" }
        guard parts.count == 2, word.first?.isNumber == true,
            parts.allSatisfy({ $0.first?.isNumber == true && $0.utf8.count <= 7 })
        else { return [word] }
        return [String(parts[0]), "–", String(parts[1])]
    }

    /// Returns whether words begin with a time of day that needs no word before it: “9:30”, “4 pm”, “noon”.
    static func isExact(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first else { return false }
        let isNumber = first.first?.isNumber == true
        return isNoon(first) || isMidnight(first)
            || isNumber && ClockWords(words, isMarked: false, mayBeCompact: false)?.isExact == true
    }

    static func isNoon(_ word: String) -> Bool {
        ["noon", "midday", "lunchtime", "mittag", "mittags", "midi"].contains(word)
    }
    static func isMidnight(_ word: String) -> Bool { ["midnight", "mitternacht", "minuit"].contains(word) }

    private static let halves: Set<String> = ["am", "a.m", "pm", "p.m"]
    private static let units: Set<String> = [
        "am", "a.m", "pm", "p.m", "uhr", "h", "hrs", "hours", "o'clock", "o’clock", "oclock",
    ]

    /// Returns whether words begin with the German “am”: “9 am Montag”, “9 am 24.12.”, “9 am Morgen”.
    private static func isGerman(_ words: ArraySlice<String>) -> Bool {
        guard words.first == "am", let next = words.dropFirst().first else { return false }
        return DayWords.isGerman(next) || next.first?.isNumber == true && next.contains(".")
    }

    /// Numbers in words, as in “at nine” and “um neun”.
    static let numbers: [String: Int] = {
        let lists = [
            "one two three four five six seven eight nine ten eleven twelve",
            "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        ]
        var numbers = ["fifteen": 15, "fünfzehn": 15, "twenty": 20, "zwanzig": 20, "vierzehn": 14, "fourteen": 14]
        for list in lists {
            for (index, word) in list.split(separator: " ").enumerated() { numbers[String(word)] = index + 1 }
        }
        return numbers
    }()

    /// Returns the time of “half past nine”, “half nine”, “quarter to ten”, “halb neun”, “Viertel nach neun”, “zehn vor neun” and
    /// “fünf vor halb neun”.
    private static func relative(_ words: ArraySlice<String>, isMarked: Bool) -> (minutes: Int, count: Int)? {
        func hour(_ index: Int) -> Int? {
            words.dropFirst(index).first.flatMap { Int($0) ?? numbers[$0] }.flatMap {
                (1...24).contains($0) ? $0 * 60 : nil
            }
        }
        if words.first == "a", words.dropFirst().first == "quarter" {
            return relative(words.dropFirst(), isMarked: isMarked).map { ($0.minutes, $0.count + 1) }
        }
        let list = words.prefix(4)
        if list.first == "halb", let next = hour(1) { return (next - 30, 2) }
        // British English
        if list.first == "half", isMarked, let full = hour(1) { return (full + 30, 2) }
        if list.first == "dreiviertel", let next = hour(1) { return (next - 15, 2) }
        if list.starts(with: ["drei", "viertel"]), let next = hour(2) { return (next - 15, 3) }
        // As in the east and south of Germany
        if list.first == "viertel", let next = hour(1) { return (next - 45, 2) }
        let isQuarter = list.first == "quarter" || list.first == "viertel"
        let number = list.first.flatMap { Int($0) ?? numbers[$0] }
        let minutes = list.first == "half" ? 30 : isQuarter ? 15 : number
        guard let minutes, (1...59).contains(minutes), let word = list.dropFirst().first else { return nil }
        if list.dropFirst(2).first == "halb", let next = hour(3), ["vor", "nach"].contains(word) {
            return (next - 30 + (word == "vor" ? -minutes : minutes), 4)
        }
        // “5 to 7” are houses, “tomorrow 9 to 5” are hours, and “zwanzig nach fünf” and “5 vor 12” are times of day.
        guard number == nil || minutes % 5 == 0 && (isMarked || ["past", "nach", "vor"].contains(word)),
            let full = hour(2)
        else { return nil }
        switch word {
        case "past", "after", "nach": return (full + minutes, 3)
        // “Quarter of five” in American English
        case "of" where isQuarter, "to", "before", "vor": return (full - minutes, 3)
        default: return nil
        }
    }

    /// Returns the minutes of a time of day in one word, whether it can be nothing else, and whether it says “am” or “pm”:
    /// “9:30”, “9.30”, “21h15”, “9am”, “7p”, “1700h”, or “9” and “nine”.
    private static func hour(
        _ word: String, isMarked: Bool, mayBeCompact: Bool
    ) -> (minutes: Int, isExact: Bool, hasHalf: Bool)? {
        // “8ish”
        if isMarked, word.hasSuffix("ish") {
            let hour = String(word.dropLast(word.hasSuffix("-ish") ? 4 : 3))
            return Self.hour(hour, isMarked: true, mayBeCompact: mayBeCompact)
        }
        if let hour = numbers[word] { return hour <= 12 ? (hour * 60, false, false) : nil }
        guard word.first?.isNumber == true else { return nil }
        for (ending, added) in [("am", 0), ("a.m", 0), ("a", 0), ("pm", 720), ("p.m", 720), ("p", 720)]
        // “7a” may be a house.
        where word.hasSuffix(ending) && (ending != "a" || isMarked || word.contains(":")) {
            guard let (hour, minute) = parts(word.dropLast(ending.count), mayBeCompact: true), hour <= 12 else {
                return nil
            }
            return (hour % 12 * 60 + minute + added, true, true)
        }
        if let ending = ["uhr", "hrs", "h"].first(where: word.hasSuffix) {
            guard let (hour, minute) = parts(word.dropLast(ending.count), mayBeCompact: true) else { return nil }
            // “24h” is all day.
            return (hour * 60 + minute, ending != "h" || hour < 24, false)
        }
        guard let (hour, minute) = parts(word[...], mayBeCompact: mayBeCompact) else { return nil }
        let isCompact = word.utf8.count > 2 && word.allSatisfy(\.isNumber)
        return (hour * 60 + minute, isCompact || word.contains(":") || word.contains("h") && hour < 24, false)
    }

    private static func parts(_ text: Substring, mayBeCompact: Bool) -> (hour: Int, minute: Int)? {
        var fields = text.split(maxSplits: 1, omittingEmptySubsequences: false) { ":.h".contains($0) }
        if mayBeCompact, (3...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) {
            fields = [text.dropLast(2), text.dropFirst(text.utf8.count - 2)]
        }
        guard let hour = fields.first, (1...2).contains(hour.utf8.count), hour.utf8.allSatisfy(\.isASCIIDigit),
            let hours = Int(hour), hours <= 24
        else { return nil }
        guard fields.count == 2 else { return (hours, 0) }
        guard fields[1].utf8.count == 2, fields[1].utf8.allSatisfy(\.isASCIIDigit), let minutes = Int(fields[1]),
            minutes < 60, hours < 24 || minutes == 0
        else { return nil }
        return (hours, minutes)
    }
}
