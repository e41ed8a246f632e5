import HunchModel

extension GeocodingQuery {
    /// The candidate for a text that is a coordinate, which needs no gazetteer; `nil` for any other text.
    ///
    /// - Throws: ``GeocoderError`` with `notAPlace` if it has the form of a coordinate but is out of range.
    public var positionCandidate: GeocodingCandidate? {
        get throws(GeocoderError) { try position.map { candidate(at: $0) } }
    }

    /// Returns a coordinate as a candidate, with the name and address of the known place there. Without a name, the
    /// name is the coordinate.
    fileprivate func candidate(at position: Coordinate, known: MapItem? = nil) -> GeocodingCandidate {
        let text = "\(DecimalNumber.text(of: position.latitude)), \(DecimalNumber.text(of: position.longitude))"
        return GeocodingCandidate(
            item: MapItem(name: known?.name ?? text, coordinate: position, address: known?.address), kind: .spot,
            confidence: 1, match: .ownName, matched: [text], distance: near?.distance(to: position))
    }

    /// The coordinate, if the text is one in any notation or a `geo:` link; `nil` for any other text.
    ///
    /// - Throws: ``GeocoderError`` with `notAPlace` if it has the form of a coordinate but is out of range.
    var position: Coordinate? {
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

extension Gazetteer {
    /// The maximum distance of a town whose name a coordinate gets, in metres.
    private static let townReach = 10_000.0
    /// The maximum distance of any other place whose name a coordinate gets, in metres.
    private static let spotReach = 100.0
    private static let towns: Set<PlaceKind> = [.city, .suburb, .district]
    /// The maximum number of places around a coordinate that are considered.
    private static let mostAround = 10

    /// Returns a coordinate as the candidate of a query, with the name and address of the gazetteer's place there.
    ///
    /// - Throws: ``GeocoderError`` with `storage`.
    func candidate(at position: Coordinate, for query: GeocodingQuery) throws(GeocoderError) -> GeocodingCandidate {
        let around =
            try places(near: position, level: .address, limit: 1)
            + places(near: position, level: .place, limit: Self.mostAround)
        let known = around.first { place in
            (place.distance ?? .infinity) <= (Self.towns.contains(place.kind) ? Self.townReach : Self.spotReach)
        }
        return query.candidate(at: position, known: known?.item)
    }
}
