package import Coordinates
package import HunchModel
import Localization

extension LinkQuery {
    /// Returns the place in the first of these fields with a value: coordinates, a Plus Code or a text to geocode.
    ///
    /// - Throws: ``PlaceError`` if it cannot be decoded, is too long or out of range.
    package func item(_ names: String...) throws(PlaceError) -> MapItem? {
        guard let text = try text(among: names) else { return nil }
        return try PlaceText.item(text)
    }

    /// Returns the coordinate in the first of these fields with a value.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if the value is not a coordinate.
    func coordinate(_ names: String..., order: PlaceText.Order = .latitudeFirst) throws(PlaceError) -> Coordinate? {
        guard let text = try text(among: names) else { return nil }
        return try PlaceText.coordinate(text, order: order)
    }

    /// Returns the coordinate in two fields; `nil` if both are missing. If one is missing, common names such as `lat`
    /// and `lng` are tried for it.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if one is missing or the values are not a coordinate.
    package func coordinate(latitude: [String], longitude: [String]) throws(PlaceError) -> Coordinate? {
        switch (try text(among: latitude), try text(among: longitude)) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            return try PlaceText.coordinate(latitude: latitude, longitude: longitude)
        case (let north?, nil):
            guard let east = try text(among: Self.longitudes) else { throw Self.half }
            return try PlaceText.coordinate(latitude: north, longitude: east)
        case (nil, let east?):
            guard let north = try text(among: Self.latitudes) else { throw Self.half }
            return try PlaceText.coordinate(latitude: north, longitude: east)
        }
    }

    private static let latitudes = ["lat", "latitude"]
    private static let longitudes = ["lon", "lng", "long", "longitude"]
    private static let half = PlaceError(.badCoordinate, localized("the link has only one of latitude and longitude"))

    /// Returns the coordinate in one of the fields `pairs`, which have both numbers, or else in two fields.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if the values are not a coordinate.
    package func coordinate(
        _ pairs: [String], latitude: [String], longitude: [String]
    ) throws(PlaceError) -> Coordinate? {
        guard let text = try text(among: pairs) else {
            return try coordinate(latitude: latitude, longitude: longitude)
        }
        return try PlaceText.coordinate(text)
    }

    /// Returns the coordinate in the first of these fields with a value, as a hint for the search; `nil` if it is
    /// invalid.
    package func hint(_ names: String..., order: PlaceText.Order = .latitudeFirst) -> Coordinate? {
        guard let text = try? text(among: names) else { return nil }
        return try? PlaceText.coordinate(text, order: order)
    }

    /// Returns the name of the place.
    ///
    /// - Throws: ``PlaceError`` if it cannot be decoded or is too long.
    package func name(_ names: String...) throws(PlaceError) -> String? { try name(among: names) }

    /// Returns the name of the place, for fields in an array.
    package func name(among names: [String]) throws(PlaceError) -> String? { try PlaceText.name(text(among: names)) }

    /// Returns the zoom level in the first of these fields; `nil` if it is out of range.
    package func zoom(_ names: String...) -> Double? { (try? text(among: names)).flatMap { PlaceText.zoom($0) } }
}
