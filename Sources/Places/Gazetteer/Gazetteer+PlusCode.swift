public import HunchModel

extension Gazetteer {
    /// The places that a text may mean, likeliest first: by how well the name matches, then by importance, then by
    /// nearness. Names of a state or country, before or after, narrow.
    ///
    /// A position is itself, with the name and the address of what is known there. A Plus Code is the middle of its area; a short one, as in "CWC8+R9 Mountain View", the area nearest to each of the
    /// places that the text beside it may mean.
    ///
    /// Of an address, what the gazetteer does not know is left away from its comma-separated front, and so are words
    /// with digits; such candidates have at most half the confidence, less when less of the words is left, and none are
    /// given when that is too little.
    ///
    /// A lone word of one or two letters finds only places of that name.
    ///
    /// - Throws: ``GeocoderError`` with `emptyQuery`, `notAPlace`, `tooLong` or `storage`.
    public func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        if let position = try query.position { return try [candidate(at: position, for: query)] }
        guard let text = PlusCodeText(query.text.singleSpaced) else { return try search(query) }
        if let center = text.code.center {
            return [
                GeocodingCandidate(
                    item: MapItem(name: text.code.text, coordinate: center), kind: .spot, confidence: 1,
                    match: .ownName, matched: [text.code.text], distance: query.near?.distance(to: center))
            ]
        }
        guard !text.reference.isEmpty else { return [] }
        var reference = query
        reference.text = text.reference
        var found: [GeocodingCandidate] = []
        for var candidate in try search(reference) {
            // A country is too large to complete a code.
            guard let center = candidate.item.coordinate.flatMap({ text.code.recovered(near: $0).center }) else {
                continue
            }
            candidate.item.coordinate = center
            // A town and its suburbs lead to the same area.
            if let same = found.firstIndex(where: { $0.item.coordinate == candidate.item.coordinate }) {
                found[same].confidence += candidate.confidence
                continue
            }
            candidate.item.name = text.code.text
            candidate.kind = .spot
            candidate.matched.insert(text.code.text, at: 0)
            candidate.distance = candidate.item.coordinate.flatMap { query.near?.distance(to: $0) }
            found.append(candidate)
        }
        return found
    }
}
