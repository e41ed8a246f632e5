internal import FullText
internal import HunchModel

/// The words that a user typed into a search field: words, and phrases in quotation marks. A minus sign before one excludes
/// it.
struct TypedText {
    /// A word, a phrase, or a text in a script without spaces between words.
    struct Term: Hashable {
        /// The words in order: one, unless it is a phrase.
        var words: [String]
        /// The words that it forms with those before and after it, from which only a hyphen separates it.
        var joined: [String] = []
        /// Whether the user may not have finished typing the last of them, although this word is complete.
        var isJoinedUnfinished = false
        /// Whether it is in quotation marks, so that only these forms of the words count.
        var isQuoted = false
        var isExcluded = false
        /// Whether the user may not have finished typing the last word.
        var isUnfinished = false
        /// The number of times that it was typed. It counts so many times.
        var repetitions = 1
    }

    /// The longest text, in bytes. The rest is ignored.
    static let maximumLength = 4_096
    /// The most terms. The others are ignored.
    static let maximumTerms = 64

    private(set) var terms: [Term] = []

    /// Parses a text.
    ///
    /// - Parameter isUnfinished: whether the user still types. Then the last word is the beginning of one, unless something
    ///   follows it.
    init(_ text: String, isUnfinished: Bool) {
        var rest = Substring(text.cut(toBytes: Self.maximumLength))
        while let first = rest.first {
            if first.isWhitespace {
                rest = rest.dropFirst()
                continue
            }
            let isExcluded = first == "-" && rest.dropFirst().first?.isWhitespace == false
            if isExcluded { rest = rest.dropFirst() }
            let mark = rest.first ?? " "
            if let closing = Self.quotationMarks[mark] {
                let quoted = rest.dropFirst().prefix { !closing.contains($0) }
                rest = rest[quoted.endIndex...].dropFirst()
                add(String(quoted), isQuoted: true, isExcluded: isExcluded)
            } else {
                let word = rest.prefix { !$0.isWhitespace && Self.quotationMarks[$0] == nil }
                rest = rest[word.endIndex...]
                add(String(word), isQuoted: false, isExcluded: isExcluded)
                let endsInWord = word.last.map { $0.isLetter || $0.isNumber } ?? false
                if isUnfinished, rest.isEmpty, endsInWord, !isExcluded, let last = terms.last {
                    terms[terms.count - 1].isUnfinished = true
                    if terms.count > 1, let joined = last.joined.first, terms[terms.count - 2].joined.last == joined {
                        terms[terms.count - 2].isJoinedUnfinished = true
                    }
                }
            }
        }
        let counts = Dictionary(terms.map { ($0, 1) }, uniquingKeysWith: +)
        var seen: Set<Term> = []
        terms = terms.filter { seen.insert($0).inserted }.prefix(Self.maximumTerms).map { term in
            var term = term
            term.repetitions = counts[term] ?? 1
            return term
        }
    }

    /// The fewest terms of a text from which stop words are left out.
    private static let manyTerms = 4

    /// Leaves out words that say nothing, if there are many words and others are left.
    mutating func leaveOut(_ stopWords: Set<String>) {
        guard terms.count >= Self.manyTerms else { return }
        let kept = terms.filter {
            $0.isQuoted || $0.isExcluded || $0.words.count > 1 || !stopWords.contains($0.words[0])
        }
        if kept.contains(where: { !$0.isExcluded }) { terms = kept }
    }

    private mutating func add(_ text: String, isQuoted: Bool, isExcluded: Bool) {
        let words = WordScanner.words(text)
        if words.count > 1, words.dropFirst().allSatisfy({ $0.link == .thousands }) {
            // “1,250” is one number, and found as “1250”.
            let number = words.map(\.text).joined()
            terms.append(Term(words: [number], isQuoted: isQuoted, isExcluded: isExcluded))
            return
        }
        // Of “-wi-fi” and “-12.5”, not everything with one of the words is excluded.
        let isExcludedPhrase = isExcluded && words.count > 1
        if isExcludedPhrase, !isQuoted, words.dropFirst().allSatisfy({ $0.link == .hyphen }) {
            terms.append(Term(words: [words.map(\.text).joined()], isExcluded: true))
        }
        if isQuoted || isExcludedPhrase {
            // Shorter grams within the phrase stand before the next word.
            var words = words.map(\.text)
            while words.count > 1, WordScanner.isTail(words[words.count - 1], of: words[words.count - 2]) {
                words.removeLast()
            }
            if !words.isEmpty { terms.append(Term(words: words, isQuoted: true, isExcluded: isExcluded)) }
            return
        }
        if Self.isCompound(text, words) {
            terms.append(Term(words: words.map(\.text), isExcluded: isExcluded))
            return
        }
        var index = 0
        while index < words.count {
            // Grams of one text belong together.
            var end = index + 1
            while words[end - 1].isGram, end < words.count { end += 1 }
            var term = Term(words: Self.withoutTails(Array(words[index..<end])), isExcluded: isExcluded)
            if words[index].link == .hyphen, let former = terms.last?.words.joined() {
                let joined = former + term.words.joined()
                if joined.utf8.count <= WordScanner.maximumLength {
                    terms[terms.count - 1].joined.append(joined)
                    term.joined.append(joined)
                }
            }
            terms.append(term)
            index = end
        }
    }

    /// Returns whether the words of a text without spaces belong together, as those of addresses, dates, times and versions do.
    private static func isCompound(
        _ text: String, _ words: [(text: String, isGram: Bool, link: WordScanner.Link)]
    ) -> Bool {
        guard words.count > 1, words.allSatisfy({ $0.link != .hyphen && !WordScanner.isUnspaced($0.text) }) else {
            return false
        }
        return text.contains { $0 == "@" || $0.isNumber } || text.allSatisfy { $0.isLetter || $0 == "." || $0 == "_" }
    }

    /// Returns words without the shorter grams at the end of a text, which the last whole one contains.
    private static func withoutTails(
        _ words: [(text: String, isGram: Bool, link: WordScanner.Link)]
    ) -> [String] {
        var kept: [String] = []
        for (index, word) in words.enumerated() {
            if index > 0, WordScanner.isTail(word.text, of: words[index - 1].text) { continue }
            kept.append(word.text)
        }
        return kept
    }

    private static let quotationMarks: [Character: Set<Character>] = [
        "\"": ["\""], "“": ["”", "\""], "„": ["“", "”", "\""], "«": ["»", "\""], "»": ["«", "\""],
    ]
}
