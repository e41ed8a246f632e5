internal import HunchModel
internal import JourneyWords

/// Other wordings of a query that matches no place as a whole: without the words of a request (“how do I get to …”),
/// without the preposition between a place and its area, with spaces in an East Asian address, and with the character
/// for “city” after a Chinese or Japanese name.
package struct Rephrasing {
    /// An equivalent query.
    package struct Wording: Equatable {
        /// The words to search for.
        package var text: String
        /// The place near which to search; `nil` for none.
        package var landmark: String?
        /// Whether words were left out that tell namesakes apart.
        package var isLessExact = false
        /// Whether the words were behind one that does not stand before a town: “zum Adler”.
        package var isBehindArticle = false
        /// Whether the character for “city” was appended.
        package var hasUnit = false
    }

    /// The wordings in the order of attempts; empty for most queries.
    package let wordings: [Wording]

    package init(_ text: String) {
        var wordings: [Wording] = []
        let words = text.split(whereSeparator: \.isWhitespace)
        if let place = Self.withoutRequest(text) { wordings.append(place) }
        // Use the first preposition: the name precedes it, the area follows it.
        for (phrases, isNear) in [(Self.near, true), (Self.within, false)] {
            guard let (start, end) = Self.position(of: phrases, in: words) else { continue }
            let place = words[..<start].joined(separator: " ")
            let area = words[end...].joined(separator: " ")
            wordings.append(isNear ? Wording(text: place, landmark: area) : Wording(text: "\(place), \(area)"))
        }
        if let spaced = Self.spaced(text) { wordings.append(Wording(text: spaced)) }
        if let city = Self.withUnit(text) { wordings.append(Wording(text: city, hasUnit: true)) }
        if let plain = Self.withoutBrackets(text) { wordings.append(Wording(text: plain, isLessExact: true)) }
        self.wordings = wordings
    }

    /// Words that open a request only together with others: “the best way to …”.
    private static let descriptions = Set(RequestLists.words("description"))

    /// Words before the place in a request for one place, besides those before the destination of a route.
    private static let beforePlace = RouteWords.phrases("in near by bei nahe+bei near+to près+de cerca+de vicino+a")

    /// Returns the text without the words of a request for directions; `nil` if it has none.
    private static func withoutRequest(_ text: String) -> Wording? {
        let request = RequestWords(text)
        // “Zug Hamburg” has a travel mode, which would be lost.
        guard request.hasPhrase || request.modes.isEmpty else { return nil }
        // “Best Pizza” and “Long Lake” are names.
        guard
            request.isRequest || request.opening.isEmpty
                || !request.opening.allSatisfy({ descriptions.contains($0.lowercased()) })
        else {
            return nil
        }
        let words = request.places.map { $0.lowercased() }
        let phrase = (beforePlace + RouteWords.beforeDestination)
            .first { $0.count < words.count && words.starts(with: $0) }
        let place = request.places.dropFirst(phrase?.count ?? 0).joined(separator: " ")
        guard phrase != nil || !request.opening.isEmpty || place != text else { return nil }
        return Wording(text: place, isBehindArticle: phrase.map(beforeArticled.contains) ?? false)
    }

    /// German words before a destination that contain an article, which towns do not have.
    private static let beforeArticled: Set<[String]> = [["zum"], ["zur"], ["ins"], ["ans"]]

    /// Prepositions between a place and the area that contains it.
    private static let within = RouteWords.phrases(
        "in at of im am à au aux en dans nel nella em no na te op i på w we v ve в во на")
    /// Prepositions between a place and another one close to it.
    private static let near = RouteWords.phrases(
        "near by around near+to close+to next+to bei nahe neben in+der+nähe+von près+de à+côté+de proche+de cerca+de junto+a "
            + "vicino+a presso perto+de próximo+a bij nabij naast vlakbij nära ved vid nær koło obok blisko przy u blízko "
            + "poblíž около возле рядом+с")

    /// Returns the position of a preposition with at least one word before and after it.
    private static func position(of phrases: [[String]], in words: [Substring]) -> (start: Int, end: Int)? {
        guard words.count >= 3 else { return nil }
        let lower = words.map { $0.lowercased() }
        for start in 1..<(lower.count - 1) {
            let phrase = phrases.first { phrase in
                start + phrase.count < lower.count && lower[start..<(start + phrase.count)].elementsEqual(phrase)
            }
            if let phrase { return (start, start + phrase.count) }
        }
        return nil
    }

    /// The last characters of areas, streets and numbers in addresses of Japan, China and Taiwan, from large to small.
    private static let unitEnds: Set<Character> = [
        "都", "道", "府", "県", "市", "区", "町", "村", "郡", "省", "县", "縣", "區", "镇", "鎮", "乡", "鄉", "路", "街", "巷",
        "弄", "号", "號", "丁", "目", "番", "地",
    ]

    /// Returns a short Chinese or Japanese name with the character for a city appended: 札幌市 for 札幌.
    private static func withUnit(_ text: String) -> String? {
        guard (2...4).contains(text.count), text.unicodeScalars.allSatisfy({ (0x4E00...0x9FFF).contains($0.value) }),
            let last = text.last, !unitEnds.contains(last)
        else { return nil }
        return text + "市"
    }

    /// Returns the name of a town without its river or region in brackets: “Werder” for “Werder (Havel)”.
    private static func withoutBrackets(_ text: String) -> String? {
        guard text.hasSuffix(")"), let bracket = text.firstIndex(of: "("), bracket != text.startIndex else {
            return nil
        }
        return String(text[..<bracket])
    }

    /// Returns an address with its parts apart, from small to large; `nil` for a text of another script or without parts.
    private static func spaced(_ text: String) -> String? {
        guard text.utf8.count <= 256, text.unicodeScalars.contains(where: { (0x4E00...0x9FFF).contains($0.value) })
        else {
            return nil
        }
        var parts: [String] = [""]
        for character in text where character != "〒" {
            parts[parts.count - 1].append(character)
            // A part must have a name, so a lone "町" is the beginning of the next part.
            if unitEnds.contains(character), parts[parts.count - 1].count > 1 { parts.append("") }
        }
        parts.removeAll(where: \.isEmpty)
        // The place comes first elsewhere.
        return parts.count > 1 ? parts.reversed().joined(separator: " ") : nil
    }
}
