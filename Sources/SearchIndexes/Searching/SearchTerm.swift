internal import Glibc
internal import HunchModel

/// A term of a search with the expressions of FTS5 that stand for it.
struct SearchTerm {
    /// An expression of one phrase, and how much a match of it counts (0…1).
    struct Alternative {
        let expression: String
        let factor: Double
    }

    let term: TypedText.Term
    var alternatives: [Alternative]
    /// The number of items that have it.
    var count = 0.0
    /// The factor of its weight.
    var factor = 1.0

    /// Whether the person may have typed too few letters of a word to find words that begin with them.
    var isBegun: Bool {
        term.isUnfinished && (term.words.last?.unicodeScalars.count ?? 0) < Self.shortestBeginning
    }

    /// Whether it is one letter of a word that the person still types.
    var isOneLetter: Bool {
        isBegun && term.words.count == 1 && term.joined.isEmpty && !WordScanner.isUnspaced(term.words[0])
    }

    /// The expression that selects the items with the term.
    var expression: String { "(" + alternatives.map(\.expression).joined(separator: " OR ") + ")" }

    /// Returns its weight among a number of items: the inverse document frequency, in which rare words count a little more.
    func weight(among items: Double) -> Double {
        factor * pow(log1p((max(items - count, 0) + 0.5) / (count + 0.5)), 1.2)
    }

    /// Creates the term of one stem.
    init(stem: String) {
        term = TypedText.Term(words: [stem])
        alternatives = [Alternative(expression: Self.quoted(stem), factor: 1)]
    }

    init(_ term: TypedText.Term, stemmer: Stemmer?) {
        self.term = term
        factor = Double(term.repetitions)
        let words = term.words
        guard words.count == 1, let word = words.first, !term.isQuoted else {
            let isCut =
                words.last.map { WordScanner.isUnspaced($0) && $0.unicodeScalars.count < WordScanner.gram } ?? false
            let isBegun = term.isUnfinished && (words.last?.unicodeScalars.count ?? 0) >= Self.shortestBeginning
            let phrase = words.map(Self.quoted).joined(separator: " + ") + (isCut || isBegun ? " *" : "")
            alternatives = [Alternative(expression: phrase, factor: 1)]
            return
        }
        if WordScanner.isUnspaced(word) {
            // Shorter texts are the beginnings of grams.
            let isWhole = word.unicodeScalars.count >= WordScanner.gram
            alternatives = [Alternative(expression: Self.quoted(word) + (isWhole ? "" : " *"), factor: 1)]
            return
        }
        let stem = stemmer?.stem(word) ?? word
        defer {
            for joined in term.joined {
                alternatives.append(Alternative(expression: Self.quoted(stemmer?.stem(joined) ?? joined), factor: 1))
                let isUnfinished = term.isUnfinished || term.isJoinedUnfinished
                if isUnfinished, joined == term.joined.last, let beginning = Self.beginning(joined) {
                    alternatives.append(beginning)
                }
            }
        }
        guard term.isUnfinished, let beginning = Self.beginning(word) else {
            // All forms of a word are indexed with their stem. The typed form counts more.
            alternatives = [Alternative(expression: Self.quoted(stem), factor: stem == word ? 1 : Self.otherForms)]
            if stem != word { alternatives.append(Alternative(expression: Self.quoted(word), factor: 1)) }
            return
        }
        alternatives = [Alternative(expression: Self.quoted(word), factor: 1), beginning]
        if stem != word { alternatives.append(Alternative(expression: Self.quoted(stem), factor: 0.7)) }
    }

    /// The factor of other forms of a word.
    private static let otherForms = 0.85
    /// The fewest letters for which words that begin with them are found.
    private static let shortestBeginning = 2

    /// Returns the expression for words that begin with a text; `nil` for one letter.
    static func beginning(_ word: String) -> Alternative? {
        let letters = word.unicodeScalars.count
        if letters > IndexTokenizer.startLength {
            return Alternative(expression: quoted(word) + " *", factor: 0.8)
        }
        // One letter would match nearly everything.
        guard letters >= shortestBeginning else { return nil }
        let isWhole = letters == IndexTokenizer.startLength
        // Of titles and names only: texts have too many words.
        return Alternative(expression: "starts : " + quoted("\u{1}" + word) + (isWhole ? "" : " *"), factor: 0.8)
    }

    /// The most words or pairs of letters that stand for a text.
    private static let pairLimit = 32

    /// Returns the terms that stand for this one if nothing has it: the words of “john.smith”, or the pairs of neighbouring
    /// letters of a text without spaces, which may consist of words that stand apart in an item. Empty for quoted texts and
    /// single words.
    func parts(stemmer: Stemmer?) -> [SearchTerm] {
        guard !term.isQuoted, let first = term.words.first else { return [] }
        guard WordScanner.isUnspaced(first) else {
            guard term.words.count > 1 else { return [] }
            let words = Set(term.words.prefix(Self.pairLimit)).sorted()
            return words.map { SearchTerm(TypedText.Term(words: [$0]), stemmer: stemmer) }
        }
        // The words overlap.
        let letters = first.unicodeScalars + term.words.dropFirst().flatMap { $0.unicodeScalars.suffix(1) }
        guard letters.count > 2 else { return [] }
        let pairs = zip(letters, letters.dropFirst()).prefix(Self.pairLimit).map { "\($0)\($1)" }
        return Set(pairs).sorted().map { SearchTerm(TypedText.Term(words: [$0]), stemmer: nil) }
    }

    /// Replaces the term by other spellings.
    mutating func correct(to words: [String]) {
        alternatives = words.map { Alternative(expression: Self.quoted($0), factor: 0.8) }
    }

    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\"", with: "\"\"") + "\""
    }
}
