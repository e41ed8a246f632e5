/// Numbers of houses, as they are written and asked for.
enum HouseNumber {
    /// Where the number stands before the street.
    private static let numberFirst: Set<String> = [
        "AU", "BD", "CA", "FR", "GB", "HK", "IE", "IL", "IN", "KE", "LK", "LU", "MA", "MC", "MY", "NG", "NZ", "PH",
        "PK",
        "SG", "TH", "TN", "US", "VN", "ZA",
    ]

    /// The street's name with the number, in the order of the country.
    static func address(_ number: String, _ street: String, countryCode: String?) -> String {
        countryCode.map(numberFirst.contains) == true ? "\(number) \(street)" : "\(street) \(number)"
    }

    /// Whether a word of a query may be a number of a house: up to five digits, and perhaps a letter.
    static func isOne(_ word: String) -> Bool {
        let digits = word.utf8.prefix { $0.isASCIIDigit }.count
        return (1...5).contains(digits) && word.utf8.count <= digits + 1
    }

    /// How well a house has a number that was asked for: 1 when it is the number, less when it is only within it, as 12 is
    /// in "12a" and in "10-14"; `nil` when it is another.
    static func agreement(_ number: String, with asked: String) -> Double? {
        let words = WordFolding.words(of: number)
        if words.joined() == asked { return 1 }
        guard let wanted = Int(asked.prefix(while: \.isNumber)) else { return nil }
        let numbers = words.compactMap { Int($0.prefix(while: \.isNumber)) }
        if numbers.contains(wanted) { return words.contains(asked) ? 0.95 : 0.85 }
        if number.contains("-"), numbers.count == 2, (numbers[0]...max(numbers[0], numbers[1])).contains(wanted) {
            return 0.9
        }
        return nil
    }
}
