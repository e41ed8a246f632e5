internal import Localization

/// A point on the WGS 84 ellipsoid, in decimal degrees.
///
/// Latitude is within −90…90, longitude within −180…180. Other finite longitudes are wrapped, since a longitude is an
/// angle. A latitude beyond a pole is an error, since no such point exists.
public struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north of the equator, −90…90.
    public let latitude: Double
    /// Degrees east of the prime meridian, −180…180.
    public let longitude: Double

    /// Creates a coordinate from degrees.
    ///
    /// - Parameters:
    ///   - latitude: degrees, −90…90.
    ///   - longitude: degrees; any finite value, wrapped into −180…180.
    /// - Throws: ``CoordinateError`` if a value is not finite or the latitude is out of range.
    public init(latitude: Double, longitude: Double) throws(CoordinateError) {
        guard latitude.isFinite, longitude.isFinite else { throw .notFinite }
        guard (-90.0...90.0).contains(latitude) else { throw .latitudeOutOfRange(latitude) }
        self.latitude = latitude == 0 ? 0 : latitude
        self.longitude = Self.wrapped(longitude)
    }

    /// Decodes an object with the keys `latitude` and `longitude`, in degrees.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            latitude: container.decode(Double.self, forKey: .latitude),
            longitude: container.decode(Double.self, forKey: .longitude))
    }

    private enum CodingKeys: String, CodingKey { case latitude, longitude }

    private static func wrapped(_ longitude: Double) -> Double {
        if (-180.0...180.0).contains(longitude) { return longitude == 0 ? 0 : longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        return (turned < 0 ? turned + 360 : turned) - 180
    }
}

/// The reason why two numbers are not a coordinate.
public enum CoordinateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value was NaN or infinite.
    case notFinite
    /// The latitude, in degrees, was beyond a pole.
    case latitudeOutOfRange(Double)

    /// One sentence for a user.
    public var description: String {
        switch self {
        case .notFinite: localized("a coordinate needs two finite numbers")
        case .latitudeOutOfRange(let value):
            localized("latitude %1 is outside −90…90 degrees", LocalNumber.exact(value))
        }
    }
}
