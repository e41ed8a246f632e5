internal import FullText
internal import GRDB
internal import HunchModel

/// Finds words that belong to the subject of a long search, in its best items: pseudo-relevance feedback.
///
/// The number of items and words and the weight were chosen on collections of Debian's documentation. Searches of fewer words
/// mostly want one certain item, and become worse.
///
/// Source: Lavrenko and Croft, Relevance-Based Language Models, 2001 (RM3), with the inverse document frequency.
struct Feedback {
    /// The fewest words of a search.
    static let fewestWords = 6
    private static let items = 5
    private static let words = 20
    private static let weight = 0.3
    /// The most words whose frequency is looked up.
    private static let candidates = 100
    /// The part of an item's text that is read, in bytes.
    private static let textLimit = 16_384

    let stemmer: Stemmer?
    let stopWords: Set<String>

    /// Returns the words as terms that count less than those of the search.
    func terms(
        of ranked: [ScoredExpression.Ranked], _ frequencies: inout WordFrequencies, _ db: Database
    ) throws -> [SearchTerm] {
        let best = ranked.prefix(Self.items)
        let total = best.reduce(0) { $0 + $1.score }
        guard total > 0 else { return [] }
        var weights: [String: Double] = [:]
        for (item, score) in best {
            let words = try words(of: item, db)
            for word in words { weights[word, default: 0] += score / total / Double(words.count) }
        }
        let frequent = weights.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        var terms: [SearchTerm] = []
        for (word, weight) in frequent.prefix(Self.candidates) {
            var term = SearchTerm(stem: word)
            term.count = try frequencies.count(term.expression, db)
            // A word of a single item would only confirm that item.
            guard term.count >= 2 else { continue }
            term.factor = weight
            terms.append(term)
        }
        let items = frequencies.items
        terms.sort { $0.weight(among: items) > $1.weight(among: items) }
        guard let largest = terms.first?.weight(among: items) else { return [] }
        return terms.prefix(Self.words).map { term in
            var term = term
            // Its inverse document frequency counts twice: here, and when items are compared.
            term.factor = Self.weight * term.weight(among: items) / largest
            return term
        }
    }

    /// Returns the stems of an item's words.
    private func words(of item: Int64, _ db: Database) throws -> [String] {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT title, names, substr(text, 1, \(Self.textLimit)) FROM item WHERE id = ?"),
            arguments: [item])
        guard let row else { return [] }
        return (0..<3).flatMap { WordScanner.words(row[$0]) }.map(\.text).filter { word in
            word.utf8.count > 1 && !stopWords.contains(word) && !word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }.map { stemmer?.stem($0) ?? $0 }
    }
}
