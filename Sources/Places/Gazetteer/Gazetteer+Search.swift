#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
import GRDB
import HunchModel

extension Gazetteer {
    /// The most matches of one tier that are weighed; they are the most important ones.
    private static let mostWeighed = 100

    /// The places that a text may mean, likeliest first: by how well the name matches, then by importance, then by
    /// nearness. Names of a state or country, before or after, narrow.
    ///
    /// Of an address, what the gazetteer does not know is left away from its comma-separated front, and so are words
    /// with digits; such candidates have at most half the confidence.
    ///
    /// - Throws: ``GeocoderError`` with `emptyQuery`, `tooLong` or `storage`.
    public func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        guard query.text.utf8.count <= GeocodingQuery.maximumTextLength else {
            throw GeocoderError(
                .tooLong, "a query has at most \(GeocodingQuery.maximumTextLength) bytes; give only the place")
        }
        return try read { db in
            let tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove))
            let terms = try SearchTerms(query.text, tokenizer: tokenizer)
            guard !terms.words.isEmpty else {
                throw GeocoderError(.emptyQuery, "the query has no letter and no digit; give a place")
            }
            guard terms.words.count <= GeocodingQuery.maximumWords else {
                throw GeocoderError(
                    .tooLong, "a query has at most \(GeocodingQuery.maximumWords) words; give only the place")
            }
            let search = Search(db, tokenizer, query)
            let found = try search.candidates(for: terms)
            guard found.isEmpty else { return found }
            for shorter in try Self.shorterReadings(of: query.text, tokenizer) {
                let found = try search.candidates(for: shorter)
                guard found.isEmpty else {
                    return found.map { candidate in
                        var candidate = candidate
                        candidate.confidence /= 2
                        return candidate
                    }
                }
            }
            return []
        }
    }

    /// The address without house numbers and postal codes, then without its street, and so on.
    private static func shorterReadings(of text: String, _ tokenizer: any FTS5Tokenizer) throws -> [SearchTerms] {
        let parts = text.split(separator: ",")
        let all = try SearchTerms(text, tokenizer: tokenizer).words
        var readings: [[String]] = []
        for start in parts.indices {
            let words = try SearchTerms.words(of: parts[start...].joined(separator: " "), tokenizer)
            let plain = words.filter { !$0.utf8.contains(where: \.isASCIIDigit) }
            for reading in [words, plain] where !reading.isEmpty && reading != all && !readings.contains(reading) {
                readings.append(reading)
            }
        }
        return readings.map(SearchTerms.init(words:))
    }

    /// One run of a query's words against the index.
    private struct Search {
        struct Match {
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
        }

        let db: Database
        let tokenizer: any FTS5Tokenizer
        let query: GeocodingQuery

        init(_ db: Database, _ tokenizer: any FTS5Tokenizer, _ query: GeocodingQuery) {
            self.db = db
            self.tokenizer = tokenizer
            self.query = query
        }

        func candidates(for terms: SearchTerms) throws -> [GeocodingCandidate] {
            var matches: [Match] = []
            var numbers: Set<Int64> = []
            for tier in SearchTerms.Tier.allCases where matches.count < query.limit {
                let found = try entries(for: terms, tier).filter { numbers.insert($0.number).inserted }
                let weighed = try found.map { try match($0, tier, terms) }
                matches += weighed.sorted { left, right in
                    let difference = left.rank + left.quality - right.rank - right.quality
                    return difference == 0 ? left.entry.number < right.entry.number : difference > 0
                }
            }
            let total = matches.reduce(0) { $0 + $1.weight }
            var shown: [GazetteerEntry] = []
            var candidates: [GeocodingCandidate] = []
            for match in matches where candidates.count < query.limit {
                guard !shown.contains(where: { $0.isSamePlace(as: match.entry) }) else { continue }
                shown.append(match.entry)
                candidates.append(
                    match.entry.candidate(
                        confidence: match.quality * match.weight / total,
                        matched: try matched(match.entry, terms, match.tier), distance: match.distance))
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
            return try Row.fetchAll(statement, arguments: [expression, Gazetteer.mostWeighed]).map(GazetteerEntry.init)
        }

        private func match(_ entry: GazetteerEntry, _ tier: SearchTerms.Tier, _ terms: SearchTerms) throws -> Match {
            let distance = query.near.map { $0.distance(to: entry.coordinate) }
            guard tier != .whole else { return Match(entry: entry, tier: tier, coverage: 1, distance: distance) }
            let name = try SearchTerms.words(of: entry.name, tokenizer)
            let typed = Set(terms.words)
            let covered = name.count { word in
                typed.contains(word) || tier == .prefix && terms.words.last.map(word.hasPrefix) == true
            }
            return Match(
                entry: entry, tier: tier, coverage: Double(covered) / Double(max(name.count, 1)), distance: distance)
        }

        /// The names that the query's words are in, as the source spells them: the place's, then its areas'.
        private func matched(
            _ entry: GazetteerEntry, _ terms: SearchTerms, _ tier: SearchTerms.Tier
        ) throws -> [String] {
            var rest = Set(terms.words)
            var matched: [String] = []
            let names = try [entry.name] + alternates(of: entry)
            let wholes = Set(terms.readings.map { $0.name.joined() })
            var best: (name: String, words: [String])?
            for name in names {
                let words = try SearchTerms.words(of: name, tokenizer)
                if tier == .whole, wholes.contains(words.joined()) {
                    best = (name, words)
                    break
                }
                let overlap = words.count { isTyped($0, in: terms, tier) }
                if overlap > (best?.words.count { isTyped($0, in: terms, tier) } ?? 0) { best = (name, words) }
            }
            if let best {
                matched.append(best.name)
                rest.subtract(best.words)
            }
            for area in entry.areas where !rest.isEmpty {
                for name in [area.name] + area.aliases.split(separator: "\n").map(String.init) {
                    let words = try SearchTerms.words(of: name, tokenizer)
                    guard !words.isEmpty, rest.isSuperset(of: words) else { continue }
                    matched.append(name)
                    rest.subtract(words)
                    break
                }
            }
            return matched
        }

        private func isTyped(_ word: String, in terms: SearchTerms, _ tier: SearchTerms.Tier) -> Bool {
            terms.words.contains(word) || tier == .prefix && terms.words.last.map(word.hasPrefix) == true
        }

        private func alternates(of entry: GazetteerEntry) throws -> [String] {
            let statement = try db.cachedStatement(sql: "SELECT alternates FROM place WHERE id = ?")
            return try String.fetchOne(statement, arguments: [entry.number])?.split(separator: "\n").map(String.init)
                ?? []
        }
    }
}
