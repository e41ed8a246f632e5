import Geocoding
import HunchModel

extension Gazetteer {
    /// The maximum distance of a town that names a coordinate, in metres.
    private static let townReach = 10_000.0
    /// The maximum distance of a house, a street or another spot, in metres.
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
