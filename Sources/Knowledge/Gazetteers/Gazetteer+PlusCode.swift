public import HunchModel
public import Places

extension Gazetteer {
    /// Returns the places that a text may mean, likeliest first: by match of the name, then importance, then proximity.
    /// A state or country before or after the name restricts the search to it.
    ///
    /// If the text is a coordinate, the only candidate is that coordinate, with the name and address of a known place
    /// there. If it is a full Plus Code, the only candidate is the centre of its area. A short code stands beside a
    /// place, as in "CWC8+R9 Mountain View". Each place that the rest of the text may mean gives the nearest area with
    /// that code.
    ///
    /// If an address has unknown parts, its first parts and words with digits are dropped until something matches. The
    /// confidence of such candidates is at most ½, and lower the more words were dropped. If too few words are left,
    /// there are no candidates.
    ///
    /// A lone word of one or two letters finds only places of exactly that name.
    ///
    /// - Throws: ``GeocoderError`` with `emptyQuery`, `notAPlace`, `tooLong` or `storage`.
    public func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        if let position = try query.position { return try [candidate(at: position, for: query)] }
        guard let text = PlusCodeText(query.text.singleSpaced) else {
            guard let asked = CategoryRequest(query.text) else { return try search(query) }
            return try places(for: asked, query)
        }
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
            // A country is too large to complete a short code.
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
