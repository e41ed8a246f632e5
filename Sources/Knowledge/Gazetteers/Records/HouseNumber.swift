internal import HunchModel
import JourneyWords

/// House numbers in queries and addresses.
package enum HouseNumber {
    /// The countries in which the number precedes the street.
    private static let numberFirst: Set<String> = [
        "AU", "BD", "CA", "FR", "GB", "HK", "IE", "IL", "IN", "KE", "LK", "LU", "MA", "MC", "MY", "NG", "NZ", "PH",
        "PK",
        "SG", "TH", "TN", "US", "VN", "ZA",
    ]

    /// Returns the street with the number, in the order of the country.
    package static func address(_ number: String, _ street: String, countryCode: String?) -> String {
        countryCode.map(numberFirst.contains) == true ? "\(number) \(street)" : "\(street) \(number)"
    }

    /// Returns whether a word of a query may be a house number: up to five digits and an optional letter.
    static func isOne(_ word: String) -> Bool {
        let digits = word.utf8.prefix { $0.isASCIIDigit }.count
        return (1...5).contains(digits) && word.utf8.count <= digits + 1
    }

    /// Words between a street and its number: "Hauptstr. Nr. 5", "Alcalá nº 42", "Арбат, д. 10".
    private static let signs: Set<String> = Set(
        ["no", "nr", "num", "numero", "nummer", "hausnummer", "n", "д", "дом"].map(WordFolding.joined))
    /// Words before the number of a unit: "Suite 200", "Flat 3", "Top 12", "кв. 7".
    private static let units: Set<String> = Set(
        [
            "suite", "apartment", "unit", "flat", "floor", "fl", "wohnung", "whg", "top", "stiege", "appartement",
            "appt", "app", "interno", "int", "piso", "puerta", "кв", "квартира",
        ].map(WordFolding.joined))

    /// Returns the words of an address without number signs and units.
    ///
    /// - Returns: `nil` if nothing was removed, or no number would be left.
    static func plain(_ words: [String]) -> [String]? {
        var plain: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            let next = index + 1 < words.count ? words[index + 1] : ""
            if units.contains(word), isOne(next) || next.utf8.count == 1 && next.utf8.allSatisfy(\.isASCIILetter) {
                index += 2
            } else if index > 0, signs.contains(word), isOne(next) {
                index += 1
            } else {
                plain.append(word)
                index += 1
            }
        }
        return plain.count < words.count && plain.count > 1 && plain.contains(where: isOne) ? plain : nil
    }

    /// Returns the agreement of a house number with the requested one: 1 if they are equal, less if it contains the
    /// number, as "12a" and "10-14" contain 12; `nil` if they differ.
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
