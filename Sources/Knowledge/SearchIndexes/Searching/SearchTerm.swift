internal import FullText
internal import Glibc
internal import HunchModel

/// A term of a search with the expressions of FTS5 that stand for it.
struct SearchTerm {
    /// An expression of one phrase, and how much a match of it counts (0…1).
    struct Alternative {
        let expression: String
        let factor: Double
        /// The words of the phrase as they are searched for in a text, and whether the last one is only a prefix.
        let words: [String]
        let isBeginning: Bool

        /// Creates the expression for a phrase.
        ///
        /// - Parameter isStem: whether the word is a stem, which is indexed together with its forms.
        init(_ words: [String], isBeginning: Bool = false, isStem: Bool = false, factor: Double = 1) {
            expression = words.map(SearchTerm.quoted).joined(separator: " + ") + (isBeginning ? " *" : "")
            (self.words, self.isBeginning, self.factor) = (words, isBeginning || isStem, factor)
        }

        /// Creates the expression for titles and names with a word that begins with two or three letters.
        init(start word: String, factor: Double) {
            let isWhole = word.unicodeScalars.count == IndexTokenizer.startLength
            // Of titles and names only: texts have too many words.
            expression = "starts : " + SearchTerm.quoted("\u{1}" + word) + (isWhole ? "" : " *")
            (words, isBeginning, self.factor) = ([word], true, factor)
        }
    }

    let term: TypedText.Term
    var alternatives: [Alternative]
    /// The number of items that have it.
    var count = 0.0
    /// The factor of its weight.
    var factor = 1.0

    /// Whether the user may have typed too few letters of a word to find words that begin with them.
    var isBegun: Bool {
        term.isUnfinished && (term.words.last?.unicodeScalars.count ?? 0) < Self.shortestBeginning
    }

    /// Whether it is one letter of a word that the user still types.
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
        alternatives = [Alternative([stem], isStem: true)]
    }

    init(_ term: TypedText.Term, stemmer: Stemmer?) {
        self.term = term
        factor = Double(term.repetitions)
        let words = term.words
        guard words.count == 1, let word = words.first, !term.isQuoted else {
            let isCut =
                words.last.map { WordScanner.isUnspaced($0) && $0.unicodeScalars.count < WordScanner.gram } ?? false
            let isBegun = term.isUnfinished && (words.last?.unicodeScalars.count ?? 0) >= Self.shortestBeginning
            alternatives = [Alternative(words, isBeginning: isCut || isBegun)]
            return
        }
        if WordScanner.isUnspaced(word) {
            // Shorter texts are the beginnings of grams.
            let isWhole = word.unicodeScalars.count >= WordScanner.gram
            alternatives = [Alternative([word], isBeginning: !isWhole)]
            return
        }
        let stem = stemmer?.stem(word) ?? word
        defer {
            for joined in term.joined {
                alternatives.append(Alternative([stemmer?.stem(joined) ?? joined], isStem: true))
                let isUnfinished = term.isUnfinished || term.isJoinedUnfinished
                if isUnfinished, joined == term.joined.last, let beginning = Self.beginning(joined) {
                    alternatives.append(beginning)
                }
            }
        }
        guard term.isUnfinished, let beginning = Self.beginning(word) else {
            // All forms of a word are indexed with their stem. The typed form counts more.
            alternatives = [Alternative([stem], isStem: true, factor: stem == word ? 1 : Self.otherForms)]
            if stem != word { alternatives.append(Alternative([word])) }
            return
        }
        alternatives = [Alternative([word]), beginning]
        if stem != word { alternatives.append(Alternative([stem], isStem: true, factor: 0.7)) }
    }

    /// The factor of other forms of a word.
    private static let otherForms = 0.85
    /// The fewest letters for which words that begin with them are found.
    private static let shortestBeginning = 2

    /// Returns the expression for words that begin with a text; `nil` for one letter.
    static func beginning(_ word: String, factor: Double = 0.8) -> Alternative? {
        let letters = word.unicodeScalars.count
        if letters > IndexTokenizer.startLength { return Alternative([word], isBeginning: true, factor: factor) }
        // One letter would match nearly everything.
        return letters >= shortestBeginning ? Alternative(start: word, factor: factor) : nil
    }

    /// Whether it is a single word of a script with spaces, outside of quotation marks.
    var isWord: Bool {
        term.words.count == 1 && !term.isQuoted && term.words.first.map { !WordScanner.isUnspaced($0) } ?? false
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

    /// The factors of a corrected word, of a word that only contains one, and of words that begin with a corrected word.
    private static let (corrected, partly, continued) = (0.8, 0.5, 0.4)

    /// Replaces the term by other spellings.
    mutating func correct(to corrections: [Spelling.Correction]) {
        alternatives = corrections.map { Alternative([$0.word], factor: $0.isPart ? Self.partly : Self.corrected) }
        // “zahnartz” means “Zahnarzt”, and so “Zahnarzttermin”, too.
        for correction in corrections where !correction.isPart {
            if correction.word.unicodeScalars.count > IndexTokenizer.startLength {
                alternatives.append(Alternative([correction.word], isBeginning: true, factor: Self.continued))
            }
        }
    }

    fileprivate static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\"", with: "\"\"") + "\""
    }
}
