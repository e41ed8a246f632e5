import GRDB
import HunchModel

extension Gazetteer {
    /// The places whose names a text may mean, as ``candidates(for:)`` tells them.
    func search(_ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        guard query.text.utf8.count <= GeocodingQuery.maximumTextLength else {
            throw GeocoderError(
                .tooLong, "a query has at most \(GeocodingQuery.maximumTextLength) bytes; give only the place")
        }
        let words = WordFolding.words(of: query.text)
        guard !words.isEmpty else {
            throw GeocoderError(.emptyQuery, "the query has no letter and no digit; give a place")
        }
        guard words.count <= GeocodingQuery.maximumWords else {
            throw GeocoderError(
                .tooLong, "a query has at most \(GeocodingQuery.maximumWords) words; give only the place")
        }
        try Placeless.check(query.text, words)
        return try read { db in
            try AddressSearch(search: GazetteerSearch(db: db, segments: segments, query: query)).candidates(for: words)
        }
    }
}
