internal import HunchModel

/// Places that somebody leaves.
extension RequestWords {
    private static let leaving = RequestLists.words("leaving from")
    /// The maximum number of words before such a word, and of those for a place of one's own.
    private static let (mostBefore, mostOfOwn) = (6, 3)

    /// Returns the text of somebody who leaves a place with “from” before it: “leave work at 5”, “leave Potsdam at 9 for Berlin”.
    static func fromStart(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let mark = words.prefix(mostBefore).firstIndex(where: { leaving.contains($0.lowercased()) }) else {
            return text
        }
        let lower = words.map { $0.lowercased() }
        guard openingCount(lower[..<mark] + ["to"]) == mark else { return text }
        let hasFrom = mark + 1 < lower.count && RouteWords.starts.contains(lower[mark + 1])
        let rest = lower.dropFirst(mark + (hasFrom ? 2 : 1))
        func joined(_ other: some Sequence<Substring>) -> String { (["from"] + other).joined(separator: " ") }
        let start = words[rest.startIndex...]
        if let target = rest.dropFirst().firstIndex(of: "for"), target + 1 < lower.count {
            let place = rest[..<target]
            // “Leave it for Me” is a name.
            let isPlace = isOwnPlace(place) || start.first?.first?.isLowercase == false
            guard isPlace, JourneyTime(words: place) == nil, ModePhrase(place)?.isTravel != true else { return text }
            return joined(start.prefix(place.count) + ["to"] + words[(target + 1)...])
        }
        let isOwn = (1...mostOfOwn).contains { count in
            count <= rest.count && PlaceCategory.named(rest.prefix(count).joined(separator: " "))?.isOwn == true
        }
        return isOwn ? joined(start) : text
    }

    /// Whether its only word apart from those for a time or a mode is one for leaving: “leave at 5”.
    package var namesNoPlace: Bool {
        let words = opening + places
        return words.count == 1 && (time != nil || !modes.isEmpty)
            && Self.leaving.contains(words[words.startIndex].lowercased())
    }

    /// The words of the place if it is only the start of a route: “from work”, “von Potsdam aus”; `nil` for other words.
    package var onlyStart: String? {
        let words = opening + places
        guard let first = words.first else { return nil }
        if words.count == 1, first.hasSuffix("から") {
            let place = String(first.dropLast(2))
            return PlaceCategory.named(place)?.isOwn == true ? place : nil
        }
        let lower = words.map { $0.lowercased() }
        var rest = words.dropFirst()
        guard RouteWords.starts.contains(lower[0]), !rest.isEmpty,
            !lower.dropFirst().contains(where: RouteWords.beforeEnds.contains)
        else { return nil }
        // “von Potsdam aus”, “vom Büro aus”
        let isFramed = lower[0] != "from" && lower.last == "aus" && rest.count > 1
        if isFramed { rest.removeLast() }
        let name = rest.joined(separator: " ")
        // “Vom Fass” is a shop, and no name begins with “from”.
        let isStart =
            isFramed || lower[0] == first && lower[0] == "from"
            || PlaceCategory.named(lower.dropFirst().joined(separator: " "))?.isOwn == true
        return isStart && name.contains(where: \.isLetter) && !name.contains(where: \.isNumber) ? name : nil
    }
}
