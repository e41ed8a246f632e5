internal import HunchModel

/// A phrase for travel modes in a request, such as “by bike”, “mit Bus und Bahn” or “mit dem RE1”, or only “Rad”.
///
/// Its words are in `Data/requests.txt`.
package struct ModePhrase {
    /// The travel modes; empty for other words next to the places, such as “please”.
    let modes: Set<TransportMode>
    /// The words for which no app can be asked, such as “RE1”, “motorcycle” and “not by car”; `nil` for none.
    let ignored: String?
    /// The certainty that it is not part of a name.
    let certainty: Certainty

    /// The kinds of phrases, the surest last.
    enum Certainty: Comparable {
        /// A preposition with an unknown noun: “mit dem Kanu”.
        case unknown
        /// A noun or a verb that many names contain: “Rad”, “walk”.
        case noun
        /// Another single word: “laufen”, “please”.
        case word
        /// A phrase such as “by bike”.
        case phrase
    }

    /// The maximum number of words.
    static let mostWords = 8
    /// The maximum number of words of an unknown noun: “my new kayak”.
    private static let mostOfUnknown = 2

    /// Whether it is about the journey, unlike “please”.
    var isTravel: Bool { !modes.isEmpty || ignored != nil }

    /// Reads words in lower case. Returns `nil` if they are not one phrase.
    init?(_ words: ArraySlice<String>) {
        guard let first = words.first, words.count <= Self.mostWords else { return nil }
        guard !words.contains(where: Self.isList) else {
            // “By bus, tram or train”, “Bus/Bahn”
            let separate = Self.separated(words)
            guard let phrase = ModePhrase(separate), phrase.isTravel else { return nil }
            self = phrase
            return
        }
        let text = words.joined(separator: " ")
        if let modes = Self.fixed[text] ?? (Self.silent.contains(text) || Self.unasked.contains(text) ? [] : nil) {
            ignored = Self.unasked.contains(text) ? text : nil
            (self.modes, certainty) = (modes, words.count == 1 ? .word : .phrase)
            return
        }
        // “Not by car”
        if let least = Self.negations[first] {
            guard let other = ModePhrase(words.dropFirst()), other.certainty >= least, !other.modes.isEmpty else {
                return nil
            }
            (modes, ignored, certainty) = ([], text, .phrase)
            return
        }
        if let several = Self.several(words) {
            self = several
            return
        }
        let preposition = Self.preposition(of: words)
        let rest = words.dropFirst(preposition.count)
        var modes: Set<TransportMode> = []
        var ignored: [String] = []
        // “mit dem Bus und der Bahn”
        for part in rest.split(whereSeparator: Self.conjunctions.contains) {
            // “by bus or by train”
            let nouns = part.dropFirst(Self.preposition(of: part).count).drop(while: Self.articles.contains)
            guard let noun = Self.noun(nouns) else {
                guard !preposition.isEmpty, nouns.count == rest.count, nouns.count <= Self.mostOfUnknown,
                    nouns.allSatisfy({
                        $0.allSatisfy { $0.isLetter || $0 == "-" } && !RouteWords.beforeEnds.contains($0)
                    })
                else { return nil }
                (self.modes, self.ignored, certainty) = ([], text, .unknown)
                return
            }
            modes.formUnion(noun.modes)
            if let words = noun.ignored { ignored.append(words) }
        }
        guard !modes.isEmpty, !Self.conjunctions.contains(words.last ?? "") else { return nil }
        (self.modes, certainty) = (modes, preposition.isEmpty ? .noun : .phrase)
        self.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
    }

    private init(of phrases: [ModePhrase]) {
        modes = phrases.reduce(into: []) { $0.formUnion($1.modes) }
        let ignored = phrases.compactMap(\.ignored)
        self.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
        certainty = .phrase
    }

    /// Returns the phrase of several, at least one of which is surely one: “zu Fuß oder mit dem Rad”; `nil` for other words.
    private static func several(_ words: ArraySlice<String>) -> ModePhrase? {
        let parts = words.split(omittingEmptySubsequences: false, whereSeparator: conjunctions.contains)
        guard parts.count > 1 else { return nil }
        let phrases = parts.compactMap { ModePhrase($0) }
        guard phrases.count == parts.count, phrases.allSatisfy({ !$0.modes.isEmpty }),
            phrases.contains(where: { $0.certainty == .phrase })
        else { return nil }
        return ModePhrase(of: phrases)
    }

    private static func isList(_ word: String) -> Bool { word.contains { $0 == "," || $0 == "/" } }

    /// Returns the words with “or” in place of commas and strokes between them.
    private static func separated(_ words: ArraySlice<String>) -> ArraySlice<String> {
        let text = words.joined(separator: " ").map { ",/".contains($0) ? " or " : String($0) }.joined()
        let separate = text.split(separator: " ").map(String.init)
        // “Bus, or train”
        let pairs = zip(separate, separate.dropFirst() + [""])
        return pairs.filter { $0 != "or" || !conjunctions.contains($1) }.map(\.0)[...]
    }

    private static func preposition(of words: ArraySlice<String>) -> [String] {
        prepositions.first { $0.count < words.count && words.starts(with: $0) } ?? []
    }

    /// Returns the modes of “rad”, “night train”, “bus 100”, “re1”, “s 5” and “last train”; `nil` for other words.
    private static func noun(_ words: ArraySlice<String>) -> (modes: Set<TransportMode>, ignored: String?)? {
        let text = words.joined(separator: " ")
        if let modes = nouns[text] { return (modes, nil) }
        if let modes = substitutes[text] { return (modes, text) }
        guard let first = words.first else { return nil }
        if adjectives.contains(first) { return noun(words.dropFirst()).map { ($0.modes, text) } }
        guard words.count <= 2 else { return nil }
        if words.count == 2 {
            guard let number = words.last, isLine(number) else { return nil }
            return (nouns[first] ?? lines[first]).map { ($0, text) }
        }
        let letters = String(first.prefix(while: \.isLetter))
        let number = first.dropFirst(letters.count)
        guard !number.isEmpty, number.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return lines[letters].map { ($0, text) }
    }

    /// Returns whether a word is the number of a line: “100”, “M29”.
    private static func isLine(_ word: String) -> Bool {
        let digits = word.drop(while: \.isLetter)
        return word.utf8.count <= 5 && word.utf8.count - digits.utf8.count <= 2 && !digits.isEmpty
            && digits.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// The least certainty of the phrase behind a negation.
    private static let negations: [String: Certainty] = [
        "not": .phrase, "nicht": .phrase, "without": .noun, "ohne": .noun, "no": .noun,
    ]
    private static let conjunctions: Set<String> = ["and", "or", "und", "oder", "&", "+"]
    private static let articles: Set<String> = ["the", "a", "an", "der", "dem", "den", "einem", "einer"]
    private static let adjectives: Set<String> = [
        "first", "last", "next", "earliest", "ersten", "letzten", "nächsten", "erster", "letzter", "nächster",
    ]

    /// The letters before the number of a line.
    private static let lines: [String: Set<TransportMode>] = [
        "s": [.train], "re": [.train], "rb": [.train], "rs": [.train], "ic": [.train], "ec": [.train], "ice": [.train],
        "ir": [.train], "ire": [.train], "tgv": [.train], "rer": [.train], "u": [.subway],
        "linie": TransportMode.transit,
        "line": TransportMode.transit,
    ]

    private static let prepositions = RequestLists.phrases("prepositions")
    private static let nouns = RequestLists.modes("mode")
    /// Vehicles without a mode of their own.
    private static let substitutes = RequestLists.modes("instead")
    private static let fixed = RequestLists.modes("by")
    private static let silent = RequestLists.words("silent")
    private static let unasked = RequestLists.words("unasked")
}
