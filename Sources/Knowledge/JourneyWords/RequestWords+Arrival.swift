/// Requests to be at a place at a time.
extension RequestWords {
    private static let arrivals = RequestLists.phrases("being there")
    private static let arrivalEnds = RequestLists.words("being there behind")

    /// Returns the number of words at the start and the end that ask to be at a place at a time: “I need to be in Potsdam”,
    /// “in Potsdam sein”; `nil` if there are none.
    static func arrival(in words: [String]) -> (start: Int, end: Int)? {
        let opened = openingCount(words)
        let rest = words.dropFirst(opened)
        if let phrase = arrivals.first(where: { $0.count < rest.count && rest.starts(with: $0) }) {
            return (opened + phrase.count, 0)
        }
        guard let last = words.last, arrivalEnds.contains(last), rest.count > 1 else { return nil }
        // “Um 9 in Potsdam zu sein”
        return (opened, rest.count > 2 && rest.dropLast().last == "zu" ? 2 : 1)
    }

    /// Reads a time before a word for arriving: “Potsdam um 18 Uhr ankommen”, “um 9 da sein”. Returns the words before it.
    static func arrival(
        atEndOf words: ArraySlice<Substring>, _ isLenient: Bool
    ) -> (words: ArraySlice<Substring>, time: JourneyTime)? {
        guard let last = words.last, arrivalEnds.contains(last.lowercased()) else { return nil }
        var rest = words.dropLast()
        if let word = rest.last, ["da", "dort"].contains(word.lowercased()) { rest.removeLast() }
        guard let (count, time) = time(atEndOf: rest, besideModes: false, isLenient) else { return nil }
        rest.removeLast(count)
        dropComma(&rest)
        return (rest, time.ofArrival)
    }

    /// Returns the place in a text that has only a word such as “to” before it: “zum Arzt”, “to grandma”, “au musée”. Returns `nil`
    /// for another text, and for a possible name: “Zum Löwen”, “al dente”.
    package static func place(behindTo text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.first?.first?.isLowercase == true else { return nil }
        let lower = words.map { $0.lowercased() }
        guard
            let phrase = RouteWords.beforeDestination.first(where: { $0.count < lower.count && lower.starts(with: $0) })
        else { return nil }
        let place = words.dropFirst(phrase.count).joined(separator: " ")
        let isSure = RouteWords.beforeEnds.contains(phrase[0]) || phrase == ["naar"]
        return isSure || PlaceCategory.named(place) != nil ? place : nil
    }
}
