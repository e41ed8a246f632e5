internal import HunchModel
internal import Localization

/// A position in the Universal Transverse Mercator grid: `33U 391545 5820089`, `Zone 33 north E 391545 N 5820089`.
///
/// Source: NGA.STND.0037, "The Universal Grids and the Transverse Mercator and Polar Stereographic Map Projections".
package struct UTMPosition: Hashable, Sendable {
    /// The zones, 6° each, counted eastwards from 180° west.
    static let zones = 1...60
    /// The metres added to northings in the southern hemisphere.
    private static let southernNorthing = 10_000_000.0
    private static let eastings = 100_000.0...900_000.0
    private static let northings = 0.0...10_000_000.0
    /// The projection of every zone, except for the central meridian.
    private static let projection = TransverseMercator(.wgs84, scale: 0.9996, longitude: 0, falseEasting: 500_000)

    let zone: Int
    let isSouth: Bool
    let easting: Double
    /// The metres from the equator, with 10,000 km added in the south.
    let northing: Double

    package init(zone: Int, isSouth: Bool, easting: Double, northing: Double) {
        (self.zone, self.isSouth, self.easting, self.northing) = (zone, isSouth, easting, northing)
    }

    /// The latitude and longitude in WGS 84. The first and the last zone may reach beyond 180°.
    package var degrees: (latitude: Double, longitude: Double) {
        let place = Self.projection.degrees(
            easting: easting, northing: northing - (isSouth ? Self.southernNorthing : 0))
        let longitude = place.longitude + Double(6 * zone - 183)
        return (place.latitude, longitude.magnitude > 180 ? longitude - (longitude < 0 ? -360 : 360) : longitude)
    }

    /// Reads `ZONE BAND EASTING NORTHING`, with an optional hemisphere instead of the band and optional letters next to
    /// the numbers. A hemisphere may also follow the letter S or the numbers behind it.
    ///
    /// - Returns: `nil` if the tokens are something else.
    /// - Throws: ``PlaceError`` with `badCoordinate` if they have this form but are out of range.
    static func degrees(
        of tokens: ArraySlice<GridToken>
    ) throws(PlaceError) -> (latitude: Double, longitude: Double)? {
        var rest = tokens
        guard let number = rest.first, (1...2).contains(number.digits), let zone = Int(number.text) else { return nil }
        rest.removeFirst()
        if rest.count == 2, rest.takeNumber(wholeDigits: 6...7) != nil, rest.takeNumber(wholeDigits: 1...8) != nil {
            throw PlaceError(
                .badCoordinate,
                localized(
                    """
                    UTM zone %1 lies on both sides of the equator; write “%1 north”, “%1 south” or the letter of the \
                    band
                    """,
                    zone)
            )
        }
        guard var word = rest.takeWord() else { return nil }
        // The error for an ambiguous S asks for such a word.
        if word == "S", let index = rest.firstIndex(where: { ["NORTH", "SOUTH"].contains($0.text.uppercased()) }) {
            word = rest.remove(at: index).text.uppercased()
        }
        guard let area = UTMArea(word) else { return nil }
        rest.skip("E")
        guard let easting = rest.takeNumber(wholeDigits: 6...7) else { return nil }
        rest.skip("M", "ME")
        rest.skip("E")
        rest.skip("N")
        guard let northing = rest.takeNumber(wholeDigits: 1...8) else { return nil }
        rest.skip("M", "MN")
        rest.skip("N")
        guard rest.isEmpty else { return nil }
        guard zones.contains(zone) else {
            throw PlaceError(.badCoordinate, localized("a UTM zone is a number from 1 to 60"))
        }
        guard eastings.contains(easting), northings.contains(northing) else {
            throw PlaceError(
                .badCoordinate,
                localized("a UTM easting is between 100000 and 900000 metres, a northing between 0 and 10000000"))
        }
        return try area.degrees { isSouth in
            UTMPosition(zone: zone, isSouth: isSouth, easting: easting, northing: northing).degrees
        }
    }
}

/// The part of a zone, given by the word after the zone.
private enum UTMArea {
    typealias Degrees = (latitude: Double, longitude: Double)

    case north, south
    case band(UTMBand)
    /// The letter S: a band in the north, or the southern hemisphere.
    case ambiguous(UTMBand)

    init?(_ word: String) {
        switch word {
        // N is the first northern band and also the northern hemisphere. The position is the same.
        case "NORTH", "N": self = .north
        case "SOUTH": self = .south
        default:
            guard word.utf8.count == 1, let letter = word.utf8.first, let band = UTMBand(letter) else { return nil }
            self = letter == UInt8(ascii: "S") ? .ambiguous(band) : .band(band)
        }
    }

    /// Returns the position in the matching hemisphere.
    func degrees(_ position: (_ isSouth: Bool) -> Degrees) throws(PlaceError) -> Degrees {
        switch self {
        case .north: return position(false)
        case .south: return position(true)
        case .band(let band):
            let degrees = position(band.isSouth)
            guard band.overlaps(degrees.latitude) else {
                throw PlaceError(.badCoordinate, localized("the northing is not in the latitude band of the UTM zone"))
            }
            return degrees
        case .ambiguous(let band):
            guard !band.contains(position(false).latitude) else {
                throw PlaceError(
                    .badCoordinate,
                    localized("S after the UTM zone may be a band or the south; write “north” or “south”"))
            }
            return position(true)
        }
    }
}
