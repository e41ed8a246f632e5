package import HunchModel

/// A coordinate in the output of commands, with at most seven decimals (one centimetre).
package struct CoordinateField: Encodable {
    package let latitude: Double
    package let longitude: Double

    package init(_ coordinate: Coordinate) {
        latitude = Self.rounded(coordinate.latitude)
        longitude = Self.rounded(coordinate.longitude)
    }

    /// The coordinate as `LATITUDE,LONGITUDE`.
    package var text: String { "\(latitude),\(longitude)" }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}

/// An address in the output of commands. Every key is always present.
package struct AddressField: Encodable {
    private let address: PostalAddress

    package init(_ address: PostalAddress) { self.address = address }

    private enum Key: CodingKey { case street, city, state, postalCode, country, countryCode, formatted }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(address.street, forKey: .street)
        try container.encode(address.city, forKey: .city)
        try container.encode(address.state, forKey: .state)
        try container.encode(address.postalCode, forKey: .postalCode)
        try container.encode(address.country, forKey: .country)
        try container.encode(address.countryCode, forKey: .countryCode)
        try container.encode(address.singleLine, forKey: .formatted)
    }
}
