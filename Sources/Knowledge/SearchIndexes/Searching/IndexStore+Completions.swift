internal import FullText
public import HunchModel

extension IndexStore {
    /// The most completions.
    public static let completionLimit = 8
    /// The number of items whose titles are looked at.
    private static let examinedItems = 100

    /// Returns typed texts whose last word is completed by words in the titles of items that would be found, the likeliest
    /// first: at most ``completionLimit``. Empty if the text does not end within a word.
    ///
    /// - Throws: ``IndexError``.
    public func completions(of text: String, _ options: SearchOptions) throws(IndexError) -> [String] {
        guard let word = WordScanner.words(text).last?.text, text.last.map({ $0.isLetter || $0.isNumber }) == true
        else {
            return []
        }
        var options = options
        (options.isUnfinished, options.needsAllWords, options.needsExcerpts) = (true, true, false)
        options.limit = Self.examinedItems
        var scores: [String: (word: String, score: Double)] = [:]
        for hit in try search(text, options) {
            var seen: Set<String> = []
            for (folded, original) in WordScanner.originals(hit.title) where folded.hasPrefix(word) {
                guard seen.insert(folded).inserted else { continue }
                scores[folded, default: (original, 0)].score += hit.score
            }
        }
        // Scripts without spaces have no words to complete.
        let start = text.lastIndex { !$0.isLetter && !$0.isNumber }.map { text.index(after: $0) } ?? text.startIndex
        let best = scores.values.sorted { ($1.score, $0.word) < ($0.score, $1.word) }
        return best.prefix(Self.completionLimit).map { text[..<start] + $0.word }
    }
}
