internal import FoundationEssentials
internal import GRDB
internal import Glibc
public import HunchModel

extension IndexStore {
    /// The most terms for which an item must have all, if any item does.
    private static let fewTerms = 3
    /// The time after which an item counts as old, in seconds.
    private static let month: Double = 30 * 86_400
    /// The part by which a new item counts more than an old one.
    private static let novelty = 0.1

    /// Returns the items that fit a typed text, the best first.
    ///
    /// Of up to three words, an item must have all of them, if any item does. Of more words, or if none does, the items with
    /// the rarest words come first. Words that no item has are replaced by similar ones.
    ///
    /// - Throws: ``IndexError``.
    public func search(_ text: String, _ options: SearchOptions) throws(IndexError) -> [SearchHit] {
        let typed = TypedText(text, isUnfinished: options.isUnfinished)
        guard typed.terms.contains(where: { !$0.isExcluded }), options.limit > 0 else { return [] }
        return try wrapped {
            try database.read { db in
                let ranked = try rank(typed, db)
                return try hits(ranked, options, db)
            }
        }
    }

    private func rank(_ typed: TypedText, _ db: Database) throws -> [ScoredExpression.Ranked] {
        try frequencies.update(db)
        var terms: [SearchTerm] = []
        let excluded = typed.terms.filter(\.isExcluded).map { SearchTerm($0, stemmer: stemmer) }
        for term in typed.terms where !term.isExcluded {
            var search = SearchTerm(term, stemmer: stemmer)
            search.count = try frequencies.count(search.expression, db)
            if search.count == 0, term.words.count == 1, !term.isQuoted {
                try replace(&search, word: term.words[0], db)
            }
            terms.append(search)
        }
        let found = terms.filter { $0.count > 0 }
        guard !found.isEmpty else { return [] }
        if terms.count <= Self.fewTerms, found.count == terms.count {
            let ranked = try ScoredExpression(all: found, excluded: excluded).ranked(frequencies.items, db)
            if !ranked.isEmpty { return ranked }
        }
        // Items without any of the rarer terms cannot be among the best.
        let byRarity = found.sorted { $0.count < $1.count }
        var selecting: [SearchTerm] = []
        var expected = 0.0
        for term in byRarity {
            guard selecting.isEmpty || expected + term.count <= Double(ScoredExpression.limit) else { break }
            selecting.append(term)
            expected += term.count
        }
        return try ScoredExpression(any: byRarity, selecting: selecting, excluded: excluded)
            .ranked(frequencies.items, db)
    }

    /// Replaces a word that no item has: by words that begin with it, else by words that are spelled alike.
    private func replace(_ search: inout SearchTerm, word: String, _ db: Database) throws {
        if let beginning = SearchTerm.beginning(word) {
            var other = search
            other.alternatives = [beginning]
            other.count = try frequencies.count(other.expression, db)
            if other.count > 0 { return search = other }
        }
        let words = try Spelling.words(like: word, db)
        guard !words.isEmpty else { return }
        search.correct(to: words)
        search.count = try frequencies.count(search.expression, db)
    }

    /// Returns the hits among ranked items, the best first.
    private func hits(_ ranked: [ScoredExpression.Ranked], _ options: SearchOptions, _ db: Database) throws
        -> [SearchHit]
    {
        let reader = try HitReader(options, db)
        let limit = min(options.limit, SearchOptions.maximumLimit)
        // A new item may overtake old ones whose fit is a little better.
        let reach = 1 / (1 + Self.novelty)
        var hits: [(hit: SearchHit, item: Int64)] = []
        var worst = -Double.infinity
        for (item, score) in ranked {
            if hits.count >= limit, score < worst * reach { break }
            guard var (hit, date) = try reader.hit(item) else { continue }
            let age = max(0, options.now.timeIntervalSince1970 - date)
            hit.score = score * (1 + Self.novelty * exp(-age / Self.month))
            hits.append((hit, item))
            if hits.count == limit { worst = hits.map(\.hit.score).min() ?? worst }
        }
        hits.sort { $0.hit.score != $1.hit.score ? $0.hit.score > $1.hit.score : $0.item > $1.item }
        return hits.prefix(limit).map(\.hit)
    }
}
