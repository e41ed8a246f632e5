import HunchModel

extension LinkQuery {
    /// The place that the first of these fields with a value means: coordinates, a Plus Code or a text to geocode.
    ///
    /// - Throws: ``PlaceError`` when it cannot be decoded, is too long or is no position on Earth.
    func item(_ names: String...) throws(PlaceError) -> MapItem? {
        guard let text = try text(among: names) else { return nil }
        return try PlaceText.item(text)
    }

    /// The position that the first of these fields with a value must be.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` when it is there and no position.
    func coordinate(_ names: String..., order: PlaceText.Order = .latitudeFirst) throws(PlaceError) -> Coordinate? {
        guard let text = try text(among: names) else { return nil }
        return try PlaceText.coordinate(text, order: order)
    }

    /// The position of two fields, of which both or none must be there. Where one of the names that all sites use for the
    /// other number is there instead, that counts too.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` for a half and for what is no position.
    func coordinate(latitude: [String], longitude: [String]) throws(PlaceError) -> Coordinate? {
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
    private static let half = PlaceError(.badCoordinate, "the link has only one of latitude and longitude")

    /// The position of one of these fields, or else of two.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` for what is there and no position.
    func coordinate(
        _ pairs: [String], latitude: [String], longitude: [String]
    ) throws(PlaceError) -> Coordinate? {
        guard let text = try text(among: pairs) else {
            return try coordinate(latitude: latitude, longitude: longitude)
        }
        return try PlaceText.coordinate(text)
    }

    /// The position of a field that is only a hint: what is broken is passed over.
    func hint(_ names: String..., order: PlaceText.Order = .latitudeFirst) -> Coordinate? {
        guard let text = try? text(among: names) else { return nil }
        return try? PlaceText.coordinate(text, order: order)
    }

    /// A name of the place.
    ///
    /// - Throws: ``PlaceError`` when it cannot be decoded or is too long.
    func name(_ names: String...) throws(PlaceError) -> String? { try name(among: names) }

    /// The same for fields in an array.
    func name(among names: [String]) throws(PlaceError) -> String? { try PlaceText.name(text(among: names)) }

    /// The zoom level of the first of these fields, when it is on the scale.
    func zoom(_ names: String...) -> Double? { (try? text(among: names)).flatMap { PlaceText.zoom($0) } }
}
