import Coordinates
public import Geocoding
import GRDB
public import HunchModel
import JourneyWords

extension Gazetteer {
    /// Returns the places that a text may mean, likeliest first: by match of the name, then importance, then proximity.
    /// A state or country before or after the name restricts the search to it.
    ///
    /// If the text is a coordinate, the only candidate is that coordinate, with the name and address of a known place
    /// there. If it is a full Plus Code, the only candidate is the centre of its area. A short code is next to a place,
    /// as in "CWC8+R9 Mountain View". Each place that the rest of the text may mean gives the nearest area with that
    /// code.
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
            // “Chase Bank” is not the bank of a town Chase.
            guard let asked = CategoryRequest(query.text),
                asked.area == nil || !Placeless.isShop(WordFolding.words(of: query.text))
            else { return try search(query) }
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

    /// Returns the places whose names a text may mean; see ``candidates(for:)``.
    ///
    /// A text that matches no place as a whole is also searched in other wordings; see ``Rephrasing``.
    func search(_ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        var found = try searchAsWritten(query)
        // “Best Western” is not a request for a town Western.
        guard !found.contains(where: { $0.match > .partial }), !RoadWords.isJunction(query.text),
            !Placeless.isShop(WordFolding.words(of: query.text))
        else { return found }
        for wording in Rephrasing(query.text).wordings {
            var other = query
            other.text = wording.text
            if let landmark = wording.landmark {
                let places = try? searchAsWritten(GeocodingQuery(landmark, limit: 1, near: query.near))
                guard let position = places?.first?.item.coordinate, places?.first?.match != .partial else { continue }
                other.near = position
            }
            guard var again = try? searchAsWritten(other), !again.isEmpty else { continue }
            if wording.hasUnit { again.removeAll { !Self.isNamedByUnit($0) } }
            for index in again.indices
            where wording.isLessExact || wording.isBehindArticle && again[index].kind == .city {
                again[index].isDoubtful = true
            }
            if again.contains(where: { $0.match > .partial }) { return again }
            // A part of the words is not looked for near a landmark: “ramen” is not Ramenki.
            if found.isEmpty, wording.landmark == nil { found = again }
        }
        return found
    }

    /// Returns whether the place is in a country whose cities are named with the character for “city”. Elsewhere, such a name is
    /// a translation: 白馬市 for Whitehorse.
    private static func isNamedByUnit(_ candidate: GeocodingCandidate) -> Bool {
        candidate.item.address?.countryCode.map(PlaceMatch.ofChineseCharacters.contains) ?? true
    }

    private func searchAsWritten(_ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        let words = try query.checkedWords()
        let isCode = Self.isCode(query.text)
        return try read { db in
            var known: Neighbourhood?
            let search = AddressSearch(search: GazetteerSearch(db: db, segments: segments, query: query)) {
                if let known { return known }
                let found = try query.near.map { try self.neighbourhood(of: $0, db) } ?? Neighbourhood()
                known = found
                return found
            }
            var found = try search.candidates(for: words)
            guard isCode else { return found }
            // Capitals are a code: "BER" means an airport and not the town Ber, "CAN" not Caen, "LA" not Lae. Only
            // names in the same capitals match, such as "NYC". But four capitals, such as "LIMA", may also be a town's
            // own name.
            for index in found.indices where found[index].kind != .airport && !found[index].kind.isArea {
                guard let name = found[index].matched.first, name != query.text else { continue }
                let isName =
                    found[index].match == .ownName && query.text.utf8.count > Self.lengthOfIATA
                    && name.uppercased() == query.text
                guard !isName else { continue }
                found[index].match = .partial
                found[index].confidence *= Self.withoutCode
            }
            found.sort { $0.confidence > $1.confidence }
            // An exact code beats partial matches, and an airport's code beats the same code of its city.
            func hasCode(_ candidate: GeocodingCandidate) -> Bool {
                candidate.match > .partial && candidate.matched.first == query.text
            }
            guard found.contains(where: hasCode) else { return found }
            let hasAirport = found.contains { $0.kind == .airport && hasCode($0) }
            found.removeAll { $0.match == .partial || hasAirport && $0.kind != .airport && $0.match == .otherName }
            let total = found.reduce(0) { $0 + $1.confidence }
            for index in found.indices where total > 0 { found[index].confidence /= total }
            for index in found.indices where hasCode(found[index]) {
                let isOverseas = query.isByLand && (found[index].distance ?? 0) > PlaceMatch.overland
                found[index].isDoubtful = found[index].isDoubtful && isOverseas
            }
            return found
        }
    }

    private static let lengthOfIATA = 3
    /// The confidence factor for places that do not have the code. It is low enough not to suggest Lae for "LA".
    private static let withoutCode = 0.1

    /// Returns whether a text has the form of a code: two capital letters (state or city), three (IATA) or four (ICAO).
    private static func isCode(_ text: String) -> Bool {
        (2...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
