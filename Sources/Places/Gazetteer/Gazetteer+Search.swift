import HunchModel
import GRDB

extension Gazetteer {
    /// The places whose names a text may mean, as ``candidates(for:)`` tells them.
    func search(_ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        guard query.text.utf8.count <= GeocodingQuery.maximumTextLength else {
            throw GeocoderError(
                .tooLong, "a query has at most \(GeocodingQuery.maximumTextLength) bytes; give only the place")
        }
        return try read { db in
            let tokenizer = try db.makeTokenizer(SearchTerms.tokenizer)
            let words = try SearchTerms.words(of: query.text, tokenizer)
            guard !words.isEmpty else {
                throw GeocoderError(.emptyQuery, "the query has no letter and no digit; give a place")
            }
            guard words.count <= GeocodingQuery.maximumWords else {
                throw GeocoderError(
                    .tooLong, "a query has at most \(GeocodingQuery.maximumWords) words; give only the place")
            }
            let search = GazetteerSearch(db: db, tokenizer: tokenizer, query: query)
            let found = try search.candidates(for: words)
            guard found.isEmpty else { return found }
            for shorter in try Self.shorterReadings(of: query.text, words, tokenizer) {
                let found = try search.candidates(for: shorter, isPart: true)
                guard let best = found.first else { continue }
                let share = Self.weight(of: shorter) / Self.weight(of: words)
                guard share >= Self.leastShare else { return [] }
                return found.filter { $0.confidence >= best.confidence / 20 }.map { candidate in
                    var candidate = candidate
                    candidate.confidence *= min(0.5, share)
                    return candidate
                }
            }
            return []
        }
    }

    /// The least part of a query's words that has to be left for its places to be an answer: a city after a street with
    /// a name of four words has as much.
    private static let leastShare = 1.0 / 6

    /// How much words say about where a place is: numbers of houses and post offices half as much as names.
    private static func weight(of words: [String]) -> Double {
        words.reduce(0) { $0 + ($1.utf8.contains(where: \.isASCIIDigit) ? 0.5 : 1) }
    }

    /// The words of the address without house numbers and postal codes, then without its street, and so on.
    private static func shorterReadings(
        of text: String, _ all: [String], _ tokenizer: any FTS5Tokenizer
    ) throws -> [[String]] {
        let parts = text.split(separator: ",")
        var readings: [[String]] = []
        for start in parts.indices {
            let words = try SearchTerms.words(of: parts[start...].joined(separator: " "), tokenizer)
            let plain = words.filter { !$0.utf8.contains(where: \.isASCIIDigit) }
            for reading in [words, plain] where !reading.isEmpty && reading != all && !readings.contains(reading) {
                readings.append(reading)
            }
        }
        return readings
    }
}
