internal import HunchModel

/// Stops on the way and the way back, for which no app can be asked.
extension RequestWords {
    private static let stops = RequestLists.words("via")
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

    /// Returns whether words before the places are no part of one: “wie komme ich”, “mit dem Zug”, “morgen um 9”.
    private static func isBeforePlaces(_ words: ArraySlice<String>) -> Bool {
        openingCount(words + ["to"]) == words.count || ModePhrase(words)?.certainty == .phrase
            || JourneyTime(words: words)?.isExplicit == true
    }

    /// Returns the range of the words for a stop, up to another place or the end: “from Berlin via Halle to Leipzig”.
    static func detour(in words: ArraySlice<Substring>) -> Range<Int>? {
        let lower = words.map { $0.lowercased() }
        guard let start = lower.firstIndex(where: stops.contains), start + 1 < lower.count,
            // “Haus über dem See” is a name.
            lower[start + 1] != "dem"
        else { return nil }
        let end = lower[(start + 1)...].firstIndex(where: RouteWords.beforeEnds.contains) ?? lower.count
        // “From Via Roma” and “to Rome Via Appia” have the name of a street.
        let isSmall = words.dropFirst(start).first.map { $0 == lower[start] } ?? false
        let former = words.prefix(max(0, start - 1))
        let isBehindPlace =
            isSmall
            && (former.contains { RouteWords.beforeEnds.contains(String($0)) }
                || former.first.map { RouteWords.beforeEnds.contains($0.lowercased()) } ?? false)
        let isFirst = start == 0 || isSmall && isBeforePlaces(lower[..<start])
        let isBeforePlace = isFirst && (isSmall || lower[start] != "via") && end + 1 < lower.count
        return end > start + 1 && (isBehindPlace || isBeforePlace) ? start..<end : nil
    }
}
