import HunchModel

/// A coordinate as commands write it: with at most seven decimals, which are a centimetre.
struct CoordinateField: Encodable {
    let latitude: Double
    let longitude: Double

    init(_ coordinate: Coordinate) {
        latitude = Self.rounded(coordinate.latitude)
        longitude = Self.rounded(coordinate.longitude)
    }

    /// `LATITUDE,LONGITUDE`.
    var text: String { "\(latitude),\(longitude)" }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}

/// An error as commands write it.
struct ErrorField: Encodable {
    let code: String
    let message: String
}

extension ErrorField {
    /// The error as JSON tells it; `nil` where all has been said already.
    init?(_ error: CommandError) {
        guard let message = error.message else { return nil }
        self.init(code: error.code, message: Output.cut(message))
    }
}

/// An address as commands write it: every key always there.
struct AddressField: Encodable {
    private let address: PostalAddress

    init(_ address: PostalAddress) { self.address = address }

    private enum Key: CodingKey { case street, city, state, postalCode, country, countryCode, formatted }

    func encode(to encoder: any Encoder) throws {
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
