internal import HunchModel
internal import Localization

/// A date at the beginning of words: “24.12.”, “24.12.2026”, “24. Dezember”, “24th of December 2026”, “December 24”,
/// “2026-12-24”, “12/24” and “24/12”.
struct DateWords {
    let day: JourneyTime.Day
    /// The number of words.
    let count: Int
    /// Whether it can hardly be anything else: the end of a name or a house number.
    private(set) var isUnmistakable = false

    /// Reads the beginning of words in lower case.
    ///
    /// - Parameters:
    ///   - isBehindHourWord: whether a word such as “um” stands before it, so that “9.12” is a time of day.
    ///   - isMonthFirst: whether “3/4” is in March; `nil` for the order of the user's region.
    init?(
        _ words: ArraySlice<String>, isBehindHourWord: Bool = false, isMonthFirst: Bool? = nil
    ) {
        let isMonthFirst = isMonthFirst ?? Self.isMonthFirstHere
        let plain = words.prefix(4).map { $0.last == "," ? String($0.dropLast()) : $0 }
        guard let word = plain.first else { return nil }
        let numbers = word.split { "./-".contains($0) }.map { Int($0) }
        guard numbers.contains(where: { $0 != nil }) || Self.months[Self.withoutPoint(word)] != nil else { return nil }
        var read: (day: Int?, month: Int?, year: Int?, count: Int)
        if word.contains("-") {
            guard numbers.count == 3, word.utf8.count == 10 else { return nil }
            read = (numbers[2], numbers[1], numbers[0], 1)
            isUnmistakable = true
        } else if word.contains("/") {
            guard (2...3).contains(numbers.count), word != "24/7" else { return nil }
            let isReversed = numbers[1].map { $0 > 12 } ?? false || isMonthFirst && (numbers[0] ?? 0) <= 12
            read = (numbers[isReversed ? 1 : 0], numbers[isReversed ? 0 : 1], numbers.count == 3 ? numbers[2] : nil, 1)
            if numbers.count == 3 {
                guard numbers[2] != nil else { return nil }
                isUnmistakable = true
            }
        } else if numbers.count > 1 {
            guard numbers.count <= 3, numbers.allSatisfy({ $0 != nil }) else { return nil }
            let isWhole = numbers.count == 3 || word.last == "."
            // “9.30” may be a time of day.
            guard isWhole || !isBehindHourWord else { return nil }
            read = (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : nil, 1)
            isUnmistakable = isWhole
        } else {
            read = Self.inWords(plain)
        }
        guard let number = read.day, let month = read.month, (1...12).contains(month),
            (1...Self.days(in: month, of: read.year)).contains(number),
            read.year.map({ (0..<100).contains($0) || (1970...9999).contains($0) }) ?? true
        else { return nil }
        day = .date(day: number, month: month, year: read.year)
        count = read.count
    }

    /// Reads “24. Dezember”, “24th of December 2026”, “December 24”, and “24. 12.”.
    private static func inWords(_ words: [String]) -> (day: Int?, month: Int?, year: Int?, count: Int) {
        func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
        func year(_ index: Int) -> Int? {
            word(index).utf8.count == 4 ? Int(word(index)).flatMap { (1970...9999).contains($0) ? $0 : nil } : nil
        }
        func number(_ text: String) -> Int? {
            let ending = text.drop(while: \.isNumber)
            return ["", ".", "st", "nd", "rd", "th", "er"].contains(ending) ? Int(text.prefix(while: \.isNumber)) : nil
        }
        if let month = months[withoutPoint(word(0))] {
            return (number(word(1)), month, year(2), year(2) == nil ? 2 : 3)
        }
        let place = word(1) == "of" ? 2 : 1
        if let month = months[withoutPoint(word(place))] {
            let year = year(place + 1)
            return (number(word(0)), month, year, place + (year == nil ? 1 : 2))
        }
        if word(0).last == ".", word(1).last == ".", let month = number(word(1)) {
            let year = year(2)
            return (number(word(0)), month, year, year == nil ? 2 : 3)
        }
        return (nil, nil, nil, 0)
    }

    /// Returns a first word that makes a date of words such as “31.11.”, “2026-02-30” and “31 November”; `nil` for other
    /// words.
    static func possible(_ words: ArraySlice<String>) -> String? {
        guard let word = words.first, word.first?.isNumber == true, DateWords(words) == nil else { return nil }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        let isInPoints =
            parts.count == 3 && parts.dropLast().allSatisfy { (1...2).contains($0.utf8.count) && Int($0) != nil }
        if isInPoints { return DateWords(["1.1.\(parts[2])"]) == nil ? nil : "1.1.\(parts[2])" }
        let numbers = word.split(separator: "-")
        if word.utf8.count == 10, numbers.map(\.utf8.count) == [4, 2, 2] {
            return DateWords(["\(numbers[0])-01-01"]) == nil ? nil : "\(numbers[0])-01-01"
        }
        let ending = word.drop(while: \.isNumber)
        guard word.utf8.count <= 4, ["", ".", "st", "nd", "rd", "th"].contains(ending),
            DateWords(["1"] + words.dropFirst()) != nil
        else { return nil }
        return "1"
    }

    private static func withoutPoint(_ word: String) -> String { word.last == "." ? String(word.dropLast()) : word }

    private static let months = RequestLists.numbers("month")

    /// Returns the number of days of a month; 29 for February without a year.
    static func days(in month: Int, of year: Int?) -> Int {
        guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
        guard let year else { return 29 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }

    /// Returns whether the last word ends in the point of a date: “24.12.”, “24. 12.”.
    static func endsInPoint(_ words: ArraySlice<Substring>) -> Bool {
        let end = words.suffix(2).joined(separator: " ")
        return end.last == "."
            && [1, 2].contains { count in
                let date = words.suffix(count).map { $0.lowercased() }[...]
                return (DateWords(date)?.count == count || count == 1 && possible(date) != nil)
                    && words.last?.first?.isNumber ?? false
            }
    }

    // MARK: Month or day first

    /// The regions that write the month before the day (CLDR 44).
    private static let monthFirst: Set<String> = [
        "US", "PH", "PR", "GU", "AS", "VI", "MP", "UM", "JP", "KR", "CN", "TW", "HU", "LT", "MN",
    ]

    private static let isMonthFirstHere = writesMonthFirst(LocaleRegion.current)

    /// Returns whether people in a region write the month first.
    static func writesMonthFirst(_ region: String?) -> Bool { region.map(monthFirst.contains) ?? false }
}
