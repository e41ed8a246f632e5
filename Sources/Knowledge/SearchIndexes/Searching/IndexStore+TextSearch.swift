internal import FullText
internal import FoundationEssentials
internal import GRDB
internal import Synchronization
internal import Glibc
public import HunchModel

extension IndexStore {
    /// The number of items beyond which a word is left out if there are rarer ones.
    private static let frequentItems = 200_000.0
    /// The most terms for which old items with all of them are looked up.
    private static let fewTerms = 3
    /// The part of the items that is expected to have words with one beginning.
    private static let usualPart = 0.01
    /// The most words of a search that are corrected.
    private static let correctedWords = 4
    /// The fewest items whose order may change by their popularity, or by engagement with them in other searches or with
    /// their app.
    private static let reordered = 30
    /// The factor of the number of wanted items for the most items that are read. The words of a short search fit thousands
    /// equally well.
    private static let readFactor = 5
    /// The time after which an item counts as old, in seconds.
    private static let month: Double = 30 * 86_400
    /// The part by which a new item counts more than an old one.
    private static let novelty = 0.1

    /// Returns the items that fit a typed text, the best first.
    ///
    /// Rare words count most. Words that no item has are replaced by similar ones.
    ///
    /// - Throws: ``IndexError``.
    public func search(_ text: String, _ options: SearchOptions) throws(IndexError) -> [SearchHit] {
        var typed = TypedText(text, isUnfinished: options.isUnfinished)
        typed.leaveOut(stopWords)
        guard typed.terms.contains(where: { !$0.isExcluded }), options.limit > 0 else { return [] }
        return try limited(to: options.time) { db in
            // A stemmer is made in a microsecond, and belongs to one thread.
            let feedback = Feedback(stemmer: Stemmer(language: language), stopWords: stopWords)
            let terms = typed.terms.map { SearchTerm($0, stemmer: feedback.stemmer) }
            guard let scope = try SearchScope(options, db) else { return [] }
            let ranked = try frequencies.withLock {
                try rank(terms, needsAll: options.needsAllWords, feedback, scope, &$0, db)
            }
            let engagement =
                try options.countsEngagement
                ? Engagement(TypedWords(text).text, now: options.now.timeIntervalSince1970, db) : nil
            return try hits(ranked, engagement, options, db)
        }
    }

    /// Returns the words of a typed text that no item has, as they were typed, so that a search leaves them out or replaces
    /// them. A part of a compound counts as a word in languages with compounds.
    public func unknownWords(in text: String, _ options: SearchOptions) throws(IndexError) -> [String] {
        let typed = TypedText(text, isUnfinished: false)
        let originals = Dictionary(WordScanner.originals(text).map { ($0.folded, $0.original) }) { first, _ in first }
        return try limited(to: options.time) { db in
            let stemmer = Stemmer(language: language)
            guard let scope = try SearchScope(options, db) else { return [] }
            var compounds = try Compounds(language: language, stemmer: stemmer, db)
            return try frequencies.withLock { frequencies in
                try frequencies.update(db, scope)
                // The parts of addresses and of texts without spaces may stand apart.
                return try typed.terms.filter { !$0.isExcluded && ($0.words.count == 1 || $0.isQuoted) }.filter {
                    var term = SearchTerm($0, stemmer: stemmer)
                    term.alternatives += try compounds?.beside(term, &frequencies, db) ?? []
                    return try frequencies.count(term.expression, db) == 0
                }.map { $0.words.map { originals[$0] ?? $0 }.joined(separator: " ") }
            }
        }
    }

    /// Reads from the database within a time limit.
    func limited<Result>(to time: Duration, _ body: (Database) throws -> Result) throws(IndexError) -> Result {
        try wrapped {
            try SearchDeadline.$instant.withValue(.now + time) { try database.read(body) }
        }
    }

    /// Returns the items that fit, the best first, and the terms that they were compared by.
    private func rank(
        _ terms: [SearchTerm], needsAll: Bool, _ feedback: Feedback, _ scope: SearchScope,
        _ frequencies: inout WordFrequencies, _ db: Database
    ) throws -> (items: [ScoredExpression.Ranked], terms: [SearchTerm]) {
        try frequencies.update(db, scope)
        let excluded = terms.filter(\.term.isExcluded)
        var wanted = terms.filter { !$0.term.isExcluded }
        // One letter of a word selects nothing yet.
        var preferred = needsAll && wanted.count > 1 && wanted.last?.isOneLetter == true ? wanted.popLast() : nil
        if let letter = preferred { preferred?.count = try frequencies.count(letter.expression, db) }
        var corrections = Self.correctedWords
        var compounds = try Compounds(language: language, stemmer: feedback.stemmer, db)
        for index in wanted.indices.dropLast() {
            try Self.look(up: &wanted[index], &compounds, &corrections, &frequencies, db)
        }
        if needsAll || wanted.count == 1, var last = wanted.popLast() {
            if last.term.isUnfinished, wanted.allSatisfy({ $0.count > 0 }) {
                // FTS5 collects all items with any word that begins so, which may take most of the time: not twice.
                last.count = max(frequencies.items * Self.usualPart, 1)
                var open = last
                open.alternatives += try compounds?.beside(last, &frequencies, db) ?? []
                let ranked = try ScoredExpression(
                    all: wanted + [open], preferring: preferred, excluded: excluded, scope: scope
                )
                .ranked(frequencies.items, db)
                if !ranked.isEmpty { return (ranked, wanted + [open]) }
            }
            wanted.append(last)
        }
        if !wanted.isEmpty {
            try Self.look(up: &wanted[wanted.count - 1], &compounds, &corrections, &frequencies, db)
        }
        wanted = try wanted.flatMap { term in
            var parts = term.count > 0 ? [] : term.parts(stemmer: feedback.stemmer)
            for index in parts.indices { parts[index].count = try frequencies.count(parts[index].expression, db) }
            parts.removeAll { $0.count == 0 }
            return parts.isEmpty ? [term] : parts
        }
        let found = wanted.filter { $0.count > 0 }
        guard !found.isEmpty else { return ([], []) }
        if needsAll {
            // The first letters of a word that the user has only begun find nothing yet.
            let missing = wanted.filter { $0.count == 0 && !$0.isBegun }
            guard missing.isEmpty else { return ([], []) }
            let ranked = try ScoredExpression(all: found, preferring: preferred, excluded: excluded, scope: scope)
                .ranked(frequencies.items, db)
            return (ranked, found)
        }
        let frequent = found.first { $0.count > Self.frequentItems }
        let density = try frequent.map { try frequencies.density($0.expression, db) } ?? 1
        let byRarity = Self.compared(found, density: density)
        // Items without any of the rarer terms cannot be among the best.
        var selecting: [SearchTerm] = []
        var expected = 0.0
        for term in byRarity {
            guard selecting.isEmpty || expected + term.count <= Double(ScoredExpression.limit) else { break }
            selecting.append(term)
            expected += term.count
        }
        // Among too many items with any word, only the newest are compared. Those with all words are fewer.
        var best: [ScoredExpression.Ranked] = []
        if expected > Double(ScoredExpression.limit), (2...Self.fewTerms).contains(byRarity.count) {
            best = try ScoredExpression(all: byRarity, excluded: excluded, scope: scope).ranked(frequencies.items, db)
            if best.count == ScoredExpression.limit { return (best, found) }
        }
        var ranked = try ScoredExpression(any: byRarity, selecting: selecting, excluded: excluded, scope: scope)
            .ranked(frequencies.items, limit: ScoredExpression.limit - best.count, db)
        if !best.isEmpty {
            let known = Set(best.map(\.item))
            ranked = (best + ranked.filter { !known.contains($0.item) }).sorted(by: ScoredExpression.isBetter)
        }
        guard found.count >= Feedback.fewestWords else { return (ranked, found) }
        let more = try feedback.terms(of: ranked, &frequencies, db).filter { $0.count * density <= Self.frequentItems }
        ranked = try ScoredExpression(any: byRarity + more, selecting: selecting, excluded: excluded, scope: scope)
            .ranked(frequencies.items, db)
        return (ranked, found)
    }

    /// Returns the terms by which items are compared, the rarest first.
    ///
    /// Words in very many items say little compared with rarer ones, and FTS5 would read all their occurrences.
    ///
    /// - Parameter density: the factor for the terms' numbers of items; see ``WordFrequencies/density(_:_:)``.
    static func compared(_ terms: [SearchTerm], density: Double) -> [SearchTerm] {
        let rare = terms.filter { $0.count * density <= frequentItems }
        return (rare.isEmpty ? terms : rare).sorted { $0.count < $1.count }
    }

    /// Counts the items that have a term. If none has, replaces it: by words that begin with it or end in it, else by words
    /// that are spelled alike.
    private static func look(
        up term: inout SearchTerm, _ compounds: inout Compounds?, _ corrections: inout Int,
        _ frequencies: inout WordFrequencies, _ db: Database
    ) throws {
        term.count = try frequencies.count(term.expression, db)
        guard term.isWord, let word = term.term.words.first else { return }
        if term.count > 0 {
            guard let more = try compounds?.beside(term, &frequencies, db), !more.isEmpty else { return }
            term.alternatives += more
            term.count = try frequencies.count(term.expression, db)
            return
        }
        let longer = try compounds?.ending(in: word, factor: Compounds.instead, &frequencies, db) ?? []
        var other = term
        let first = try compounds?.beginning(withStemOf: word, factor: Compounds.instead, db) ?? []
        other.alternatives = [SearchTerm.beginning(word)].compactMap(\.self) + first + longer
        if !other.alternatives.isEmpty {
            other.count = try frequencies.count(other.expression, db)
            if other.count > 0 { return term = other }
        }
        guard corrections > 0 else { return }
        corrections -= 1
        let words = try Spelling.words(like: word, db) { try frequencies.count(SearchTerm(stem: $0).expression, db) }
        guard !words.isEmpty else { return }
        term.correct(to: words)
        for correction in words where !correction.isPart && compounds?.areUsual == true {
            term.alternatives +=
                try compounds?.ending(in: correction.word, factor: Compounds.corrected, &frequencies, db) ?? []
        }
        term.count = try frequencies.count(term.expression, db)
    }

    /// Returns the factor by which an item counts more because it is new.
    private static func recency(of date: Double, at now: Date) -> Double {
        1 + novelty * exp(-max(0, now.timeIntervalSince1970 - date) / month)
    }

    /// Returns ranked items with those first that may be among the wanted ones, if these are too many to read all of them.
    private func newestFirst(
        _ ranked: [ScoredExpression.Ranked], wanted: Int, reach: Double, at now: Date, _ db: Database
    ) throws -> [ScoredExpression.Ranked] {
        guard ranked.count > wanted * Self.readFactor else { return ranked }
        let lowest = ranked[wanted - 1].score * reach
        let near = ranked.prefix { $0.score >= lowest }
        guard near.count > wanted * Self.readFactor else { return ranked }
        let dates = try dates.withLock { try $0.dates(of: near.map(\.item), db) }
        func value(_ one: ScoredExpression.Ranked) -> Double {
            dates[one.item].map { one.score * Self.recency(of: $0, at: now) } ?? 0
        }
        let sorted = near.map { (value($0), $0) }.sorted { one, other in
            one.0 != other.0 ? one.0 > other.0 : ScoredExpression.isBetter(one.1, other.1)
        }
        return sorted.map(\.1) + ranked.dropFirst(near.count)
    }

    /// Returns the hits among ranked items, the best first.
    private func hits(
        _ ranking: (items: [ScoredExpression.Ranked], terms: [SearchTerm]), _ learned: Engagement?,
        _ options: SearchOptions, _ db: Database
    ) throws -> [SearchHit] {
        let reader = try HitReader(options, db)
        let limit = min(options.limit, SearchOptions.maximumLimit)
        var engagement = learned
        // Items that the user opened for such words may be far behind.
        var engaged = try engagement?.rows(db) ?? []
        let isPopularityKnown = try options.countsEngagement && PopularityRanking.isKnown(db)
        var popularity: PopularityRanking?
        let fewest = engagement == nil && !isPopularityKnown ? limit : max(limit, Self.reordered)
        // A new item may overtake old ones whose fit is a little better.
        let reach = 1 / (1 + Self.novelty)
        let ranked = try newestFirst(ranking.items, wanted: fewest, reach: reach, at: options.now, db)
        var hits: [(hit: SearchHit, item: Int64)] = []
        var worst = -Double.infinity
        var size = 0
        for (item, score) in ranked {
            if hits.count >= fewest, score < worst * reach || hits.count >= fewest * Self.readFactor {
                if engaged.isEmpty { break }
                guard engaged.contains(item) else { continue }
            }
            engaged.remove(item)
            guard let (found, date) = try reader.hit(item) else { continue }
            var hit = found
            hit.factors = RankingFactors(text: score, recency: Self.recency(of: date, at: options.now))
            if isPopularityKnown, let key = hit.popularityKey {
                if popularity == nil { popularity = try PopularityRanking(db) }
                hit.factors = popularity?.complete(hit.factors, of: key) ?? hit.factors
            }
            hit.factors = try engagement?.complete(hit.factors, of: hit.key, db) ?? hit.factors
            size += hit.json.utf8.count
            guard size <= SearchOptions.maximumSize else { break }
            hits.append((hit, item))
            if hits.count == fewest { worst = hits.map(\.hit.score).sorted(by: >)[limit - 1] }
        }
        hits.sort { $0.hit.score != $1.hit.score ? $0.hit.score > $1.hit.score : $0.item > $1.item }
        let excerpt = options.needsExcerpts ? Excerpt(ranking.terms) : nil
        return try hits.prefix(limit).map { found, item in
            var hit = found
            // The time limit ends the lines and keeps the items.
            if let excerpt, !SearchDeadline.hasPassed { hit.excerpt = try HitReader.excerpt(of: item, excerpt, db) }
            return hit
        }
    }
}
