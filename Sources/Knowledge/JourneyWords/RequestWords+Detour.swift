internal import HunchModel

/// Stops on the way and the way back, for which no app can be asked.
extension RequestWords {
    private static let stops = Dictionary(grouping: RequestLists.phrases("via"), by: { $0[0] })
    private static let waysBack = RequestLists.phrases("way back")

    /// Returns the number of words at the end for the way back or a stop: “nach Leipzig und zurück”, “to Leipzig via Halle”.
    static func detourCount(atEndOf words: ArraySlice<Substring>) -> Int {
        let lower = words.map { $0.lowercased() }
        if let phrase = waysBack.first(where: { lower.suffix($0.count) == $0[...] }),
            lower.dropLast(phrase.count + 1).contains(where: RouteWords.beforeEnds.contains)
        {
            return phrase.count
        }
        return detour(in: words).flatMap { $0.upperBound == words.count ? $0.count : nil } ?? 0
    }

    /// Returns whether words before the places are not part of one: “wie komme ich”, “mit dem Zug”, “morgen um 9”.
    private static func isBeforePlaces(_ words: ArraySlice<String>) -> Bool {
        openingCount(words + ["to"]) == words.count || ModePhrase(words)?.certainty == .phrase
            || JourneyTime(words: words)?.isExplicit == true
    }

    /// Returns the range of the words for a stop, up to another place or the end: “from Berlin via Halle to Leipzig”.
    static func detour(in words: ArraySlice<Substring>) -> Range<Int>? {
        let lower = words.map { $0.lowercased() }
        guard let (start, count) = stop(in: lower), start + count < lower.count,
            // “Haus über dem See” is a name.
            lower[start + count] != "dem"
        else { return nil }
        let typed = words.map { String($0) }
        let end = typed[(start + count)...].firstIndex(where: RouteWords.markerWords.contains) ?? lower.count
        // “From Via Roma” and “to Rome Via Appia” have the name of a street.
        let isSmall = typed[start] == lower[start]
        let former = typed.prefix(max(0, start - 1))
        let isBehindPlace =
            isSmall
            && (former.contains(where: RouteWords.markerWords.contains)
                || former.first.map { RouteWords.markerWords.contains($0.lowercased()) } ?? false)
        // “Berlin via Leipzig to Munich”
        let isBetween =
            isSmall && start > 0 && end + 1 < lower.count && RouteWords.destinationWords.contains(lower[end])
        let isFirst = start == 0 || isSmall && isBeforePlaces(lower[..<start])
        let isBeforePlace = isFirst && (isSmall || lower[start] != "via") && end + 1 < lower.count
        return end > start + count && (isBehindPlace || isBetween || isBeforePlace) ? start..<end : nil
    }

    /// Returns the place and the length of the first phrase before a stop.
    private static func stop(in words: [String]) -> (start: Int, count: Int)? {
        for (start, word) in words.enumerated() {
            if let phrase = stops[word]?.first(where: { words[start...].starts(with: $0) }) {
                return (start, phrase.count)
            }
        }
        return nil
    }
}
