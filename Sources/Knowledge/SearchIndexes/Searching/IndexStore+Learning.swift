internal import FoundationEssentials
internal import GRDB
public import HunchModel

extension IndexStore {
    /// The number of results above an item that count as passed over.
    private static let examined = 20

    /// Learns that the user opened an item, so that later searches show it earlier. The results above it were passed over;
    /// those below it may not have been seen, and count nothing.
    ///
    /// - Parameters:
    ///   - text: the words that the user searched for; empty if the item was opened otherwise.
    ///   - options: the options of that search.
    /// - Throws: ``IndexError``. Then nothing was learned.
    public func learnOpening(
        of item: String, in source: IndexSource, for text: String, _ options: SearchOptions
    ) throws(IndexError) {
        var options = options
        (options.limit, options.needsExcerpts) = (Self.examined, false)
        let hits = try text.isEmpty ? [] : search(text, options)
        let chosen = hits.first { $0.id == item && $0.source == source }
        let passed = chosen == nil ? [] : hits.prefix { $0.id != item || $0.source != source }
        let (now, words) = (options.now.timeIntervalSince1970, TypedWords(text).text)
        try wrapped {
            try database.write { db in
                var weights = try RankingWeights(db)
                for other in passed { if let chosen { weights.learn(chosen.factors, over: other.factors) } }
                try weights.store(db)
                try Engagement.record(
                    opened: Engagement.Key(application: source.application.rawValue, index: source.name, item: item),
                    passed: passed.map(\.key), query: words, now: now, db)
            }
        }
    }
}

extension SearchHit {
    /// The key of the item's counts.
    var key: Engagement.Key {
        Engagement.Key(application: source.application.rawValue, index: source.name, item: id)
    }
}
