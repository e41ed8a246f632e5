/// A destination with two words for “to”: a person or a place, and its town, as in “zu Oma nach Cottbus”.
///
/// None of its parts is the start of a route.
struct TownDestination {
    /// The words of the person or the place, without the word before them.
    let place: ArraySlice<Substring>
    private let town: ArraySlice<Substring>
    /// The text between both in an address.
    private let link: String

    /// Reads words with such a word at their beginning and another one among them; `nil` for other words.
    init?(_ words: ArraySlice<Substring>) {
        guard words.count > 3, let opening = words.first?.lowercased(), Self.openings.contains(opening) else {
            return nil
        }
        let words = Array(words)
        let lower = words.map { $0.lowercased() }
        if Self.isBeforePerson(lower[...]) {
            guard let index = lower.dropFirst(2).firstIndex(of: "a"), index + 1 < words.count else { return nil }
            (place, town, link) = (words[1..<index], words[(index + 1)...], ", ")
            return
        }
        for language in Self.languages {
            guard let link = language.link, let first = language.phrase(lower[...]) else { continue }
            let others = lower.indices.dropFirst(first.count + 1).filter { language.phrase(lower[$0...]) != nil }
            guard others.count == 1, let index = others.first, let second = language.phrase(lower[index...]) else {
                continue
            }
            let (former, latter) = (words[first.count..<index], words[(index + second.count)...])
            // “Nach Cottbus zu Oma” begins with the town.
            let isTownFirst = !language.towns.contains(second)
            let hasTownWord = language.towns.contains(first)
            guard !isTownFirst || hasTownWord else { continue }
            // “Naar Gent naar Utrecht” names two towns, and “naar oma naar Utrecht” names one.
            guard isTownFirst || !hasTownWord || former.first?.first?.isLowercase == true else { continue }
            (place, town) = isTownFirst ? (latter, former) : (former, latter)
            self.link = link
            return
        }
        return nil
    }

    /// The text to search for.
    var text: String { text(of: place.joined(separator: " ")) }

    /// Returns the text to search for with other words for the place.
    func text(of place: String) -> String { place + link + town.joined(separator: " ") }

    /// Returns whether words before a word between the ends of a route begin with one for going somewhere in its language, so that
    /// they are no start: “zum Arzt” before “nach”.
    static func begins(_ words: ArraySlice<String>, before marker: [String]) -> Bool {
        guard let opening = words.first, openings.contains(opening), !RequestWords.isOwnPlace(words) else {
            return false
        }
        return marker == ["a"] && isBeforePerson(words)
            || languages.contains { $0.markers.contains(marker) && $0.phrase(words) != nil }
    }

    // MARK: Languages

    private struct Language {
        /// The words before a town.
        let towns: [[String]]
        /// These, and other words before a destination.
        let phrases: [[String]]
        /// The words between the ends of a route.
        let markers: [[String]]
        /// The text before a town in an address; `nil` if it is the same word as before a destination.
        let link: String?

        init(_ towns: String, _ places: String, between others: String = "", link: String? = nil) {
            self.towns = RouteWords.phrases(towns)
            phrases = RouteWords.phrases("\(towns) \(places)").filter { $0 != ["a"] }
            markers = RouteWords.phrases("\(towns) \(others)")
            self.link = link
        }

        /// Returns the longest phrase at the beginning of words, with others behind it.
        func phrase(_ words: ArraySlice<String>) -> [String]? {
            phrases.first { $0.count < words.count && words.starts(with: $0) }
        }
    }

    private static let languages = [
        Language(
            "nach",
            "zu zu+den zum zur bei bei+den bei+der beim ins in+die in+den an+die an+den ans auf+die auf+den",
            link: " in "),
        Language("naar", "bij", link: " in "), Language("till", "hos", link: ", "),
        Language("til", "hos", link: ", "), Language("do", "k ke", link: ", "),
        Language("до", "к ко", link: ", "), Language("to", "into"),
        Language("à", "chez au aux vers pour", between: "vers"),
        Language("a", "al a+la a+los a+las a+casa hasta hacia", between: "hasta hacia"),
        Language("a", "al alla allo ai alle"), Language("para ao", "para+a para+o à", between: "para+o"),
    ]
    private static let openings = Set(languages.flatMap(\.phrases).compactMap(\.first)).union(beforePersons)

    /// Italian words before a person whom somebody visits. Before other words, they mean “from”.
    private static let beforePersons: Set<String> = ["da", "dal", "dallo", "dalla", "dai"]
    private static let persons = RequestLists.words("visited person")

    private static func isBeforePerson(_ words: ArraySlice<String>) -> Bool {
        beforePersons.contains(words.first ?? "") && persons.contains(words.dropFirst().first ?? "")
    }
}
