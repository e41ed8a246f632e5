import GRDB
public import HunchModel

extension GeocodingQuery {
    /// Refuses what no gazetteer is asked for, without one.
    ///
    /// - Throws: ``GeocoderError`` with `tooLong`, `emptyQuery` or `notAPlace`.
    public func check() throws(GeocoderError) {
        if try position == nil { _ = try checkedWords() }
    }

    /// The words of the text, folded.
    fileprivate func checkedWords() throws(GeocoderError) -> [String] {
        guard text.utf8.count <= Self.maximumTextLength else {
            throw GeocoderError(.tooLong, "a query has at most \(Self.maximumTextLength) bytes; give only the place")
        }
        let words = WordFolding.words(of: text)
        guard !words.isEmpty else {
            throw GeocoderError(.emptyQuery, "the query has no letter and no digit; give a place")
        }
        guard words.count <= Self.maximumWords else {
            throw GeocoderError(.tooLong, "a query has at most \(Self.maximumWords) words; give only the place")
        }
        try Placeless.check(text, words)
        return words
    }
}

extension Gazetteer {
    /// The places whose names a text may mean, as ``candidates(for:)`` tells them.
    func search(_ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        let words = try query.checkedWords()
        return try read { db in
            try AddressSearch(search: GazetteerSearch(db: db, segments: segments, query: query)).candidates(for: words)
        }
    }
}
