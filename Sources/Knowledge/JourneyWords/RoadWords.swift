internal import HunchModel

/// Recognises road junctions, exits and crossings, which lists of places do not have: “I-71 exit 165”, “A9 Ausfahrt 12”, “Kreuz
/// Schkeuditz”, “Route 33 & Main St”.
package enum RoadWords {
    private static let junctions = RequestLists.words("junction")
    private static let interchanges = RequestLists.words("interchange")
    private static let roads = RequestLists.words("road")
    private static let streets = RequestLists.words("street")

    /// Returns whether a text names a junction of roads.
    package static func isJunction(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "&" }.map(String.init)
        guard words.count > 1 else { return eastern.contains { text.count > $0.count && text.hasSuffix($0) } }
        // “Kreuz Schkeuditz”
        if interchanges.contains(words[0]) { return true }
        if let word = words.firstIndex(where: junctions.contains) {
            // “Exit 12”, “A9 Ausfahrt Dessau”
            let isNumbered = words.dropFirst(word + 1).first.map(isNumber) ?? false
            return word == 0 && isNumbered || hasRoad(words[..<word])
        }
        guard let sign = words.firstIndex(where: crossings.contains), sign > 0, sign < words.count - 1 else {
            return false
        }
        return [words[..<sign], words[(sign + 1)...]].allSatisfy { hasRoad($0) || $0.contains(where: streets.contains) }
    }

    private static let crossings: Set<String> = ["&", "and", "at", "und", "ecke"]
    /// The ends of the names of exits and junctions of Japanese expressways.
    private static let eastern = ["インター", "インターチェンジ", "ジャンクション", "出口"]

    /// Returns whether a road with a number is among words: “I 71”, “A9”, “Route 33”, “B 101”.
    private static func hasRoad(_ words: ArraySlice<String>) -> Bool {
        zip(words, words.dropFirst()).contains { roads.contains($0) && isNumber($1) }
            || words.contains { word in
                let letters = word.prefix(while: \.isLetter)
                return roads.contains(String(letters)) && isNumber(String(word.dropFirst(letters.count)))
            }
    }

    private static func isNumber(_ word: String) -> Bool {
        guard let first = word.utf8.first, first.isASCIIDigit else { return false }
        // “12”, “165A”
        return word.utf8.drop(while: \.isASCIIDigit).count <= 1 && word.utf8.count <= longestNumber
    }

    private static let longestNumber = 5
}
