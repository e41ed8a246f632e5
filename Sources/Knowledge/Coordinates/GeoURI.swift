public import HunchModel
internal import Localization

/// A `geo:` URI of RFC 5870: a WGS 84 coordinate with optional height and uncertainty.
///
/// Parameters may have any order and case, and decimals may follow commas (`48,2082,16,3738`), which is more lenient than
/// the RFC's grammar. As in its section 3.4.4, all longitudes at a pole are equal (0), and so are both sides of the
/// antimeridian (180).
public struct GeoURI: Hashable, Sendable, CustomStringConvertible {
    /// The coordinate.
    public let coordinate: Coordinate
    /// The height above the geoid in metres; `nil` for a place on the ground.
    public let altitude: Double?
    /// The radius of uncertainty in metres, not negative; `nil` if unknown.
    public let uncertainty: Double?

    /// Creates a URI for a coordinate. Infinite heights and negative uncertainties are omitted.
    public init(_ coordinate: Coordinate, altitude: Double? = nil, uncertainty: Double? = nil) {
        self.coordinate = coordinate.normalizedAsGeoURI
        self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
        self.uncertainty = uncertainty.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// Reads the part of a URI after its scheme.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`, `unsupportedDatum` or `malformedLink`.
    package init(path: Substring) throws(PlaceError) {
        let fields = path.split(separator: ";", omittingEmptySubsequences: false)
        // Check the reference system first, because the meaning of the numbers depends on it.
        let parameters = try GeoParameters(fields.dropFirst())
        let numbers = try PercentEncoding.decode(fields[0])
        let parts = try NumberList.joined(
            numbers.split(separator: ",", omittingEmptySubsequences: false), mayHaveMore: false)
        guard (2...3).contains(parts.count) else {
            throw PlaceError(.badCoordinate, localized("a geo: link needs latitude,longitude and at most an altitude"))
        }
        var values: [Double] = []
        for part in parts {
            guard let value = DecimalNumber.value(of: part) else {
                throw PlaceError(
                    .badCoordinate, localized("“%1” in the geo: link is not a decimal number", part.cut(to: 40)))
            }
            values.append(value)
        }
        self.init(
            try PlaceText.coordinate(values[0], values[1]), altitude: values.count == 3 ? values[2] : nil,
            uncertainty: parameters.uncertainty)
    }

    /// The URI in the RFC's order: coordinates, height, uncertainty. Reads back as an equal value.
    public var description: String {
        var text = "geo:\(DecimalNumber.text(of: coordinate.latitude)),\(DecimalNumber.text(of: coordinate.longitude))"
        if let altitude { text += ",\(DecimalNumber.text(of: altitude))" }
        if let uncertainty { text += ";u=\(DecimalNumber.text(of: uncertainty))" }
        return text
    }
}

extension Coordinate {
    /// The canonical form of RFC 5870 section 3.4.4: longitude 0 at the poles, 180 on the antimeridian.
    fileprivate var normalizedAsGeoURI: Coordinate {
        let longitude = abs(latitude) == 90 ? 0 : longitude == -180 ? 180 : longitude
        return (try? Coordinate(latitude: latitude, longitude: longitude)) ?? self
    }
}

/// The known `;name=value` parameters of a `geo:` URI. Others are legal and ignored.
private struct GeoParameters {
    var uncertainty: Double?

    init(_ fields: ArraySlice<Substring>) throws(PlaceError) {
        var sawDatum = false
        var sawUncertainty = false
        for field in fields {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.decode(parts[0]).lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D }) else {
                throw PlaceError(.malformedLink, localized("the geo: link has a parameter without a valid name"))
            }
            let value = try parts.count == 2 ? PercentEncoding.decode(parts[1]) : ""
            switch name {
            case "crs":
                guard !sawDatum else { throw Self.repeated(name) }
                sawDatum = true
                guard value.lowercased() == "wgs84" else {
                    throw PlaceError(
                        .unsupportedDatum,
                        localized(
                            "the reference system “%1” is not supported; only wgs84 positions can be used",
                            value.cut(to: 40))
                    )
                }
            case "u":
                guard !sawUncertainty else { throw Self.repeated(name) }
                sawUncertainty = true
                guard let radius = DecimalNumber.value(of: value), radius >= 0, !value.hasPrefix("-") else {
                    throw PlaceError(
                        .malformedLink, localized("the uncertainty u of the geo: link is not a number of metres"))
                }
                uncertainty = radius
            default: break
            }
        }
    }

    private static func repeated(_ name: String) -> PlaceError {
        PlaceError(.malformedLink, localized("the geo: link has the parameter %1 twice", name))
    }
}
