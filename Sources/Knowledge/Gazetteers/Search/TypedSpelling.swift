import JourneyWords
/// The original spelling of a query's words, which are folded for the search: “Niš” is not Nice, and “St. Petersburg”
/// is not Saint Petersburg.
struct TypedSpelling {
    /// The words in lower case, by their folded form.
    private var spellings: [String: String] = [:]
    /// The words as typed.
    private let words: Set<String>
    private let text: String
    /// Whether no word has an accent or is abbreviated.
    private var isPlain = true
    private let hasDigraph: Bool

    init(_ text: String) {
        self.text = text
        words = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        hasDigraph = Self.hasDigraph(text)
        for word in Self.words(of: text) {
            let folded = WordFolding.joined(word)
            spellings[folded] = word
            if !Self.isPlain(word) || WordForms.isShortForm(folded) { isPlain = false }
        }
    }

    /// The agreement in spelling between the query and a name with the same folded words.
    enum Agreement {
        /// All words are the same, except for accents that the user omitted.
        case same
        /// A word is abbreviated differently: “Saint” for “St.”.
        case abbreviated
        /// A word with an accent was typed, but the name is spelled differently.
        case different
    }

    /// Compares a name's words that are in the query.
    func agreement(with name: String) -> Agreement {
        if isPlain, !hasDigraph, !Self.hasDigraph(name) { return .same }
        var agreement = Agreement.same
        for word in Self.words(of: name) {
            guard let typed = spellings[WordFolding.joined(word)], typed != word else { continue }
            if !Self.isPlain(typed) { return .different }
            let isSame = WordFolding.letters(of: word) == WordFolding.letters(of: typed)
            // The “e” behind a vowel may be that of an umlaut, but not of two plain names: Mabashi is not Maebashi.
            if isSame, Self.isPlain(word) { return .different }
            if !isSame { agreement = .abbreviated }
        }
        return agreement
    }

    /// Returns whether a code was typed in capitals, or one of three letters alone: “del” in “Calle del Sol” is not Delhi's airport,
    /// and “Koch” none at all. With folding, the codes OERK and ORK would be equal.
    func hasCode(_ code: String) -> Bool {
        hasCapitals(code) || code.utf8.count == 3 && text.utf8.count == 3 && text.uppercased() == code
    }

    /// Returns whether a code was typed in capitals.
    func hasCapitals(_ code: String) -> Bool { words.contains(code) }

    /// Returns whether a name has two to four capital letters and is exactly the query.
    func isCode(_ name: String) -> Bool {
        (2...4).contains(name.utf8.count) && name == text && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// Returns whether a text has “ae”, “oe” or “ue”.
    private static func hasDigraph(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            second | 0x20 == 0x65 && [0x61, 0x6F, 0x75].contains(first | 0x20)
        }
    }

    private static func isPlain(_ word: String) -> Bool { word.utf8.allSatisfy { $0 < 0x80 } }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
}
