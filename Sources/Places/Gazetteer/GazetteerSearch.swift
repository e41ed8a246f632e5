#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
import GRDB
import HunchModel

/// One run of a query's words against the index.
struct GazetteerSearch {
    /// The most matches of one tier that are weighed; they are the most important ones.
    private static let mostWeighed = 100

    private struct Match {
        var entry: GazetteerEntry
        var tier: SearchTerms.Tier
        /// How much of the place's name the query has, 0…1.
        var coverage: Double
        var distance: Double?

        /// How well the text fits, 0…1.
        var quality: Double {
            switch tier {
            case .whole: 1
            case .words: 0.5 + 0.3 * coverage
            case .prefix: 0.3 + 0.3 * coverage
            }
        }

        /// Importance, and a little for being near: as much as a tenth of the scale, halved at 50 km.
        var rank: Double { entry.importance + (distance.map { 0.1 / (1 + $0 / 50_000) } ?? 0) }

        /// How often this place would be meant among all matches: importance counts by orders of magnitude.
        var weight: Double { pow(10, 6 * rank) * pow(quality, 4) }

        /// Whether it comes before another: a whole name before a part of one, then what fits and is well known.
        func precedes(_ other: Match) -> Bool {
            if (tier == .whole) != (other.tier == .whole) { return tier == .whole }
            let difference = quality + rank - other.quality - other.rank
            return difference == 0 ? entry.number < other.entry.number : difference > 0
        }
    }

    let db: Database
    let tokenizer: any FTS5Tokenizer
    let query: GeocodingQuery

    /// The candidates for the query's words.
    ///
    /// - Parameter isPart: whether some of the query's words are left away; then the last one is taken as finished.
    func candidates(for words: [String], isPart: Bool = false) throws -> [GeocodingCandidate] {
        let terms = try SearchTerms(words: words, in: db)
        var matches: [Match] = []
        var numbers: Set<Int64> = []
        let tiers = SearchTerms.Tier.allCases.filter { !isPart || $0 != .prefix }
        for tier in tiers where tier == .whole || matches.count < query.limit {
            let found = try entries(for: terms, tier).filter { numbers.insert($0.number).inserted }
            matches += try found.map { try match($0, tier, terms) }
        }
        matches.sort { $0.precedes($1) }
        let total = matches.reduce(0) { $0 + $1.weight }
        var shown: [GazetteerEntry] = []
        var candidates: [GeocodingCandidate] = []
        for match in matches where candidates.count < query.limit {
            guard !shown.contains(where: { $0.isSamePlace(as: match.entry) }) else { continue }
            shown.append(match.entry)
            candidates.append(
                match.entry.candidate(
                    confidence: match.quality * match.weight / total, matched: try matched(match, terms),
                    distance: match.distance))
        }
        return candidates
    }

    private func entries(for terms: SearchTerms, _ tier: SearchTerms.Tier) throws -> [GazetteerEntry] {
        guard let expression = terms.expression(for: tier) else { return [] }
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(GazetteerEntry.columns)
                FROM (SELECT rowid FROM place_text WHERE place_text MATCH ? ORDER BY rowid LIMIT ?) AS found
                CROSS JOIN place ON place.id = found.rowid \(GazetteerEntry.areaJoins)
                """)
        return try Row.fetchAll(statement, arguments: [expression, Self.mostWeighed]).map(GazetteerEntry.init)
    }

    private func match(_ entry: GazetteerEntry, _ tier: SearchTerms.Tier, _ terms: SearchTerms) throws -> Match {
        var coverage = 1.0
        if tier != .whole {
            let name = try SearchTerms.words(of: entry.name, tokenizer)
            coverage = Double(name.count { isTyped($0, in: terms, tier) }) / Double(max(name.count, 1))
        }
        return Match(
            entry: entry, tier: tier, coverage: coverage, distance: query.near.map { $0.distance(to: entry.coordinate) }
        )
    }

    private func isTyped(_ word: String, in terms: SearchTerms, _ tier: SearchTerms.Tier) -> Bool {
        terms.words.contains(word) || tier == .prefix && terms.words.last.map(word.hasPrefix) == true
    }

    /// The names that the query's words are in, as the source spells them: the place's, then its areas'.
    private func matched(_ match: Match, _ terms: SearchTerms) throws -> [String] {
        let fitting = terms.readings.filter { reading in
            reading.areas.allSatisfy { numbers in match.entry.areas.contains { numbers.contains($0.id) } }
        }
        let wholes = Set(fitting.map { $0.name.joined() })
        var best: (name: String, words: [String], typed: Int)?
        for name in try [match.entry.name] + lines("SELECT alternates FROM place WHERE id = ?", match.entry.number) {
            let words = try SearchTerms.words(of: name, tokenizer)
            if match.tier == .whole {
                guard wholes.contains(words.joined()) else { continue }
                best = (name, words, words.count)
                break
            }
            let typed = words.count { isTyped($0, in: terms, match.tier) }
            if typed > best?.typed ?? 0 { best = (name, words, typed) }
        }
        var areaWords = Set(terms.words).subtracting(best?.words ?? [])
        var matched = [best?.name ?? match.entry.name]
        for area in match.entry.areas where !areaWords.isEmpty {
            for name in try [area.name] + lines("SELECT aliases FROM area WHERE id = ?", area.id) {
                let words = try SearchTerms.words(of: name, tokenizer)
                guard !words.isEmpty, areaWords.isSuperset(of: words) else { continue }
                matched.append(name)
                areaWords.subtract(words)
                break
            }
        }
        return matched
    }

    private func lines(_ sql: String, _ number: Int64) throws -> [String] {
        let statement = try db.cachedStatement(sql: sql)
        return try String.fetchOne(statement, arguments: [number])?.split(separator: "\n").map(String.init) ?? []
    }
}
