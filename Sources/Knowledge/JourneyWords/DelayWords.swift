internal import HunchModel

/// A span until a journey at the beginning of words behind “in”: “20 minutes”, “1h30”, “einer halben Stunde”, “two weeks”.
struct DelayWords {
    enum Delay { case minutes(Int), days(Int) }

    let delay: Delay
    /// The number of words.
    let count: Int

    /// Reads the beginning of words in lower case.
    ///
    /// - Parameter isBehindToday: whether the word “heute” stands before them.
    init?(_ words: ArraySlice<String>, isBehindToday: Bool) {
        if let (phrase, minutes) = Self.known.first(where: { words.starts(with: $0.words) }) {
            (delay, count) = (.minutes(minutes), phrase.count)
            return
        }
        guard let (number, unit, count) = Self.quantity(words) else { return nil }
        if Self.minutes.contains(unit) {
            (delay, self.count) = (.minutes(Int(clamping: number.rounded())), count)
        } else if Self.hours.contains(unit) {
            let minutes = Int(clamping: (number * 60).rounded())
            // “1 h 30 min”
            let next = words.dropFirst(count)
            let link = ["and", "und"].contains(next.first) ? 1 : 0
            let more = Self.quantity(next.dropFirst(link)).flatMap { Self.minutes.contains($0.unit) ? $0 : nil }
            delay = .minutes(minutes + Int(clamping: more?.number ?? 0))
            self.count = count + (more.map { $0.count + link } ?? 0)
        } else if Self.days.contains(unit), number < 400 {
            // In German, a week from today is “in acht Tagen”.
            let isWeek = number == 8 && (isBehindToday || words.first == "acht")
            (delay, self.count) = (.days(isWeek ? 7 : Int(clamping: number)), count)
        } else if Self.weeks.contains(unit), number < 60 {
            (delay, self.count) = (.days(Int(clamping: number * 7)), count)
        } else {
            return nil
        }
    }

    /// Reads a number and a unit: “two hours”, “1.5 h”, “20min”, “1h30”, “two and a half hours”, “zweieinhalb Stunden”.
    private static func quantity(_ words: ArraySlice<String>) -> (number: Double, unit: String, count: Int)? {
        guard let first = words.first else { return nil }
        let digits = first.prefix { $0.isNumber || ".,".contains($0) }
        var unit = digits.isEmpty ? "" : String(first.dropFirst(digits.count))
        var number =
            (one[first] ?? ClockWords.numbers[first]).map(Double.init) ?? Double(digits.replacing(",", with: "."))
        let parts = first.split { $0 == "h" || $0 == ":" }
        if first.hasSuffix("einhalb") {
            let whole = String(first.dropLast(7))
            number = (whole == "ein" ? 1 : ClockWords.numbers[whole]).map { Double($0) + 0.5 }
        } else if parts.count == 2, parts[1].utf8.count == 2, let hours = Double(parts[0]),
            let minutes = Double(parts[1])
        {
            // “1h30” and “1:30 h”
            (number, unit) = (hours + minutes / 60, first.contains(":") ? "" : "h")
        }
        guard var number, (0.1...10_000).contains(number) else { return nil }
        var rest = words.dropFirst()
        if unit.isEmpty {
            if rest.starts(with: ["and", "a", "half"]) {
                number += 0.5
                rest = rest.dropFirst(3)
            }
            guard let word = rest.popFirst() else { return nil }
            unit = word
        }
        return (number, unit, words.count - rest.count)
    }

    private static let minutes: Set<String> = ["minutes", "minute", "mins", "min", "min.", "minuten"]
    private static let hours: Set<String> = ["hours", "hour", "hrs", "h", "stunden", "stunde", "std", "std."]
    private static let days: Set<String> = ["days", "day", "tagen", "tag"]
    private static let weeks: Set<String> = ["weeks", "week", "wochen", "woche"]
    private static let one = ["a": 1, "an": 1, "einer": 1, "einem": 1, "ner": 1]
    private static let known: [(words: [String], minutes: Int)] = [
        (["half", "an", "hour"], 30), (["einer", "halben", "stunde"], 30), (["an", "hour", "and", "a", "half"], 90),
        (["anderthalb", "stunden"], 90), (["a", "quarter", "of", "an", "hour"], 15),
        (["einer", "viertelstunde"], 15), (["einer", "dreiviertelstunde"], 45), (["a", "couple", "of", "hours"], 120),
    ]
}
