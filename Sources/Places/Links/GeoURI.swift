public import HunchModel

/// A `geo:` URI of RFC 5870: a position on the WGS 84 ellipsoid, with height and uncertainty where they are known.
///
/// Parameters are taken in any order and case, and longitudes beyond ±180 go around the Earth, which is wider than the
/// RFC's grammar. As its section 3.4.4 has it, all longitudes at a pole are one (0), and the antimeridian is one line (180).
public struct GeoURI: Hashable, Sendable, CustomStringConvertible {
    /// Where.
    public let coordinate: Coordinate
    /// Height above the geoid in metres; `nil` means on the ground, which 0 does not.
    public let altitude: Double?
    /// Radius in metres around the coordinate, not negative; `nil` when not told.
    public let uncertainty: Double?

    /// Makes a URI for a position. Heights that are not finite and uncertainties that are not 0 or more are left out.
    public init(_ coordinate: Coordinate, altitude: Double? = nil, uncertainty: Double? = nil) {
        self.coordinate = coordinate.normalizedAsGeoURI
        self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
        self.uncertainty = uncertainty.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// Reads a URI, scheme included.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`, `unsupportedDatum` or `malformedLink`; `tooLong` beyond
    ///   ``PlaceParser/maximumLinkLength`` bytes.
    public init(_ uri: String) throws(PlaceError) {
        let input = try PlaceInput(checking: uri)
        try input.checkLinkLength()
        guard input.scheme == "geo" else { throw PlaceError(.malformedLink, "the link does not begin with geo:") }
        try self.init(path: input.body)
    }

    init(path: Substring) throws(PlaceError) {
        let fields = path.split(separator: ";", omittingEmptySubsequences: false)
        // The reference system comes first: without it nothing can be said about the numbers.
        let parameters = try GeoParameters(fields.dropFirst())
        let numbers = try PercentEncoding.decode(fields[0])
        let parts = numbers.split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else {
            throw PlaceError(.badCoordinate, "a geo: link needs latitude,longitude and at most an altitude")
        }
        var values: [Double] = []
        for part in parts {
            guard let value = DecimalNumber.value(of: part) else {
                throw PlaceError(.badCoordinate, "“\(part.cut(to: 40))” in the geo: link is not a decimal number")
            }
            values.append(value)
        }
        do {
            let coordinate = try Coordinate(latitude: values[0], longitude: values[1])
            self.init(
                coordinate, altitude: values.count == 3 ? values[2] : nil, uncertainty: parameters.uncertainty)
        } catch {
            throw PlaceText.badCoordinate(values[0], values[1], error)
        }
    }

    /// The URI, in the RFC's own order: coordinates, height, uncertainty. Reads back as an equal value.
    public var description: String {
        var text = "geo:\(DecimalNumber.text(of: coordinate.latitude)),\(DecimalNumber.text(of: coordinate.longitude))"
        if let altitude { text += ",\(DecimalNumber.text(of: altitude))" }
        if let uncertainty { text += ";u=\(DecimalNumber.text(of: uncertainty))" }
        return text
    }
}

extension Coordinate {
    /// The one form that RFC 5870 section 3.4.4 compares: longitude 0 at the poles, 180 on the antimeridian.
    fileprivate var normalizedAsGeoURI: Coordinate {
        let longitude = abs(latitude) == 90 ? 0 : longitude == -180 ? 180 : longitude
        return (try? Coordinate(latitude: latitude, longitude: longitude)) ?? self
    }
}

/// The `;name=value` parameters of a `geo:` URI that this program understands; others are legal and say nothing to it.
private struct GeoParameters {
    var uncertainty: Double?

    init(_ fields: ArraySlice<Substring>) throws(PlaceError) {
        var sawDatum = false
        var sawUncertainty = false
        for field in fields {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.decode(parts[0]).lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D }) else {
                throw PlaceError(.malformedLink, "the geo: link has a parameter without a proper name")
            }
            let value = try parts.count == 2 ? PercentEncoding.decode(parts[1]) : ""
            switch name {
            case "crs":
                guard !sawDatum else { throw Self.repeated(name) }
                sawDatum = true
                guard value.lowercased() == "wgs84" else {
                    throw PlaceError(
                        .unsupportedDatum,
                        "the reference system “\(value.cut(to: 40))” is not understood; only wgs84 positions can be used"
                    )
                }
            case "u":
                guard !sawUncertainty else { throw Self.repeated(name) }
                sawUncertainty = true
                guard let radius = DecimalNumber.value(of: value), radius >= 0, !value.hasPrefix("-") else {
                    throw PlaceError(.malformedLink, "the uncertainty u of the geo: link is not a number of metres")
                }
                uncertainty = radius
            default: break
            }
        }
    }

    private static func repeated(_ name: String) -> PlaceError {
        PlaceError(.malformedLink, "the geo: link has the parameter \(name) twice")
    }
}
