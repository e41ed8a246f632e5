/// The words of a query whose spelling matters, although they are folded for the search: “Niš” is not Nice, and “St.
/// Petersburg” is a name of its own beside Saint Petersburg.
struct TypedSpelling {
    /// The words in small letters, by their folded form.
    private var spellings: [String: String] = [:]
    private let words: Set<String>
    private let text: String

    init(_ text: String) {
        self.text = text
        let typed = Self.words(of: text)
        words = Set(typed)
        for word in typed {
            let folded = WordFolding.joined(word)
            if !Self.isPlain(word) || WordForms.isKept(folded) { spellings[folded] = word }
        }
    }

    /// The difference in spelling between the query and a name whose words are folded alike.
    enum Agreement {
        /// All words are the same, perhaps with accents that the person left out.
        case same
        /// A word is abbreviated in another way: “Saint” for “St.”.
        case abbreviated
        /// An accent that the person typed is not there.
        case different
    }

    /// Compares a name, as far as it has the words of the query.
    func agreement(with name: String) -> Agreement {
        if spellings.isEmpty { return .same }
        var agreement = Agreement.same
        for word in Self.words(of: name) {
            guard let typed = spellings[WordFolding.joined(word)], typed != word else { continue }
            if !Self.isPlain(typed) { return .different }
            if WordFolding.letters(of: word) != WordFolding.letters(of: typed) { agreement = .abbreviated }
        }
        return agreement
    }

    /// Whether a word was typed in exactly this spelling. Folding makes the codes OERK and ORK the same.
    func has(_ word: String) -> Bool { words.contains(word.lowercased()) }

    /// Whether a name of two to four capital letters was typed, and nothing else.
    func isCode(_ name: String) -> Bool {
        (2...4).contains(name.utf8.count) && name == text && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func isPlain(_ word: String) -> Bool { word.utf8.allSatisfy { $0 < 0x80 } }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
}
