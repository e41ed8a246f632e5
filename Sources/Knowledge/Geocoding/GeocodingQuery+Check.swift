internal import Coordinates
public import HunchModel
internal import JourneyWords
internal import Localization
internal import MapLinks
internal import Places

extension GeocodingQuery {
    /// Checks the query, before any gazetteer is used.
    ///
    /// - Throws: ``GeocoderError`` with `tooLong`, `emptyQuery` or `notAPlace`.
    public func check() throws(GeocoderError) {
        if try position == nil { _ = try checkedWords() }
    }

    /// Returns the folded words of the text.
    package func checkedWords() throws(GeocoderError) -> [String] {
        guard text.utf8.count <= Self.maximumTextLength else {
            throw GeocoderError(
                .tooLong, localized("a query has at most %1 bytes; give only the place", Self.maximumTextLength))
        }
        let words = WordFolding.words(of: text)
        guard !words.isEmpty else {
            throw GeocoderError(.emptyQuery, localized("the query has no letter and no digit; give a place"))
        }
        guard words.count <= Self.maximumWords else {
            throw GeocoderError(
                .tooLong, localized("a query has at most %1 words; give only the place", Self.maximumWords))
        }
        try Placeless.check(text, words)
        return words
    }

    /// The candidate for a text that is a coordinate, which needs no gazetteer; `nil` for any other text.
    ///
    /// - Throws: ``GeocoderError`` with `notAPlace` if it has the form of a coordinate but is out of range.
    public var positionCandidate: GeocodingCandidate? {
        get throws(GeocoderError) { try position.map { candidate(at: $0) } }
    }

    /// Returns a coordinate as a candidate, with the name and address of the known place there. Without a name, the
    /// name is the coordinate.
    package func candidate(at position: Coordinate, known: MapItem? = nil) -> GeocodingCandidate {
        let text = "\(DecimalNumber.text(of: position.latitude)), \(DecimalNumber.text(of: position.longitude))"
        return GeocodingCandidate(
            item: MapItem(name: known?.name ?? text, coordinate: position, address: known?.address), kind: .spot,
            confidence: 1, match: .ownName, matched: [text], distance: near?.distance(to: position))
    }

    /// The coordinate, if the text is one in any notation or a `geo:` link; `nil` for any other text.
    ///
    /// - Throws: ``GeocoderError`` with `notAPlace` if it has the form of a coordinate but is out of range.
    package var position: Coordinate? {
        get throws(GeocoderError) {
            guard text.utf8.count <= Self.maximumTextLength, !Placeless.isTelephone(text),
                let input = try? PlaceInput(checking: text)
            else { return nil }
            let rules: [any PlaceRule] = [GeoRule(), GeometryRule(), CoordinateRule()]
            do throws(PlaceError) {
                for rule in rules {
                    if let place = try rule.place(in: input) { return place.item.coordinate }
                }
            } catch {
                throw GeocoderError(.notAPlace, error.message, underlying: error)
            }
            return nil
        }
    }
}
