/// The recognizer for texts that consist only of a date or a time of day, in any common notation.
enum TimeText {
    private static let words: Set<String> = {
        let long = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        return Set(long + long.map { $0.cut(toBytes: 3) } + ["sept", "t", "z", "utc", "gmt", "am", "pm"])
    }()
    /// The longest such text in bytes.
    private static let limit = 64

    /// Returns whether a text is a date with a year, a time of day with hours and minutes of two digits, or both.
    /// Recognizes the basic and extended formats of ISO 8601, RFC 5322, ctime(3), and day and month in any order. A
    /// number alone is not a time.
    static func isTime(_ text: String) -> Bool {
        guard (5...limit).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var numbers: [(digits: Substring, before: UInt8?, after: UInt8?)] = []
        var rest = text.lowercased()[...]
        var before: UInt8?
        var hasWord = false
        while let first = rest.utf8.first {
            let run: Substring
            switch first {
            case 0x30...0x39:
                run = rest.prefix { $0.isNumber }
                numbers.append((run, before, rest.dropFirst(run.count).utf8.first))
            case 0x61...0x7A:
                run = rest.prefix { $0.isLetter }
                guard words.contains(String(run)) else { return false }
                if run.count >= 3 { hasWord = true }
            default:
                guard " ,.:/+-".utf8.contains(first) else { return false }
                run = rest[..<rest.index(after: rest.startIndex)]
            }
            before = run.utf8.last
            rest = rest.dropFirst(run.count)
        }
        let colon = UInt8(ascii: ":")
        let clock = numbers.filter { $0.before == colon || $0.after == colon }
        // Six or more numbers with colons are an address, such as that of a Bluetooth device.
        if (2...5).contains(clock.count), clock[0].digits.count == 2, clock[1].digits.count == 2,
            let hour = Int(clock[0].digits),
            let minute = Int(clock[1].digits), hour < 24, minute < 60
        {
            return true
        }
        // 20250602T093000
        if let date = numbers.first?.digits, date.count == 8, numbers.first?.after == UInt8(ascii: "t") {
            return numbers.count >= 2 && [4, 6].contains(numbers[1].digits.count)
        }
        let date = numbers.filter { $0.before != colon && $0.after != colon }
        let years = date.filter { $0.digits.count == 4 && (1_900...2_100).contains(Int($0.digits) ?? 0) }
        let others = date.filter { $0.digits.count <= 2 && (1...31).contains(Int($0.digits) ?? 0) }
        guard years.count == 1, years.count + others.count == date.count else { return false }
        return others.count == (hasWord ? 1 : 2)
    }
}
