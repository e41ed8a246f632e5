import CommandSupport
import FoundationEssentials
import HunchModel
import Localization
import SearchIndexes

/// The explanation of an item's place among the results of a search.
struct FoundItemExplanation: Encodable {
    /// A factor of the score.
    struct Factor: Encodable {
        let name: String
        let factor: Double
        var shown: Double?
        var opened: Double?
        /// The part of other people's reports that are about the item, 0…1.
        var share: Double?
    }

    let id: String
    let app: AppID
    /// The place among the results, from 1 on.
    let place: Int
    let results: Int
    let score: Double
    let factors: [Factor]

    /// Writes the explanation.
    ///
    /// - Throws: ``CommandError`` if the search does not find the item.
    static func write(of id: String, for text: String, json: Bool) throws {
        let store = try IndexAccess.reader()
        defer { store?.close() }
        let options = SearchOptions(
            limit: SearchOptions.maximumLimit, excluded: try IndexAccess.exclusions(), now: Date())
        let hits = try store?.search(text, options) ?? []
        guard let place = hits.firstIndex(where: { $0.id == id }) else {
            throw CommandError(
                localized("“hunch find” does not find the item “%1” for “%2”", id, text), ExitStatus.nothingFound)
        }
        let explanation = FoundItemExplanation(hits[place], place: place + 1, of: hits.count)
        if json { return try Output.raw(Output.json(explanation)) }
        try Output.line(
            localized(
                "score %1, place %2 of %3", Output.rounded(explanation.score), explanation.place, explanation.results))
        for factor in explanation.factors {
            if let words = words(factor) { try Output.line("× \(Output.rounded(factor.factor))  \(words)") }
        }
    }

    private init(_ hit: SearchHit, place: Int, of results: Int) {
        (id, app, self.place, self.results) = (hit.id, hit.source.application, place, results)
        let factors = hit.factors
        func factor(_ name: String, _ engagement: RankingFactors.Engagement) -> Factor {
            Factor(
                name: name, factor: engagement.factor, shown: engagement.counts.shown, opened: engagement.counts.opened)
        }
        score = factors.score
        self.factors = [
            Factor(name: "text", factor: factors.text), Factor(name: "recency", factor: factors.recency),
            Factor(
                name: "popularity", factor: factors.popularity?.factor ?? 1, share: factors.popularity?.share),
            factor("query", factors.query), factor("item", factors.item), factor("app", factors.application),
        ]
    }

    /// Returns the reason of a factor; `nil` if nothing was counted.
    private static func words(_ factor: Factor) -> String? {
        let (opened, shown) = (Output.rounded(factor.opened ?? 0), Output.rounded(factor.shown ?? 0))
        if let share = factor.share {
            return share > 0
                ? localized(
                    "other people open it, too: about %1 of 1,000 reports",
                    LocalNumber.text(max(1, Int(clamping: (share * 1_000).rounded()))))
                : localized("too few reports of other people are known")
        }
        guard factor.name == "text" || factor.name == "recency" || factor.shown ?? 0 > 0 else { return nil }
        switch factor.name {
        case "text": return localized("the words fit")
        case "recency": return localized("how new it is")
        case "query": return localized("for such words, you opened it %1 of %2 times", opened, shown)
        case "item": return localized("in all searches, you opened it %1 of %2 times", opened, shown)
        default: return localized("you opened results of its app %1 of %2 times", opened, shown)
        }
    }
}
