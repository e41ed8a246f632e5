/// A postal address in parts. All parts are optional, and an empty part is stored as `nil`.
public struct PostalAddress: Hashable, Sendable, Codable {
    /// House number and street.
    public var street: String?
    /// Town or city.
    public var city: String?
    /// State, province or region.
    public var state: String?
    /// Postal code.
    public var postalCode: String?
    /// Country name.
    public var country: String?
    /// ISO 3166-1 alpha-2 code, in upper case.
    public var countryCode: String?

    /// Creates an address from its parts.
    public init(
        street: String? = nil, city: String? = nil, state: String? = nil, postalCode: String? = nil,
        country: String? = nil, countryCode: String? = nil
    ) {
        self.street = street.nonEmpty
        self.city = city.nonEmpty
        self.state = state.nonEmpty
        self.postalCode = postalCode.nonEmpty
        self.country = country.nonEmpty
        self.countryCode = countryCode.nonEmpty
    }

    /// The parts on one line, most specific first, separated by commas.
    public var singleLine: String {
        [street, city, state == city ? nil : state, postalCode, country].compactMap { $0 }.joined(separator: ", ")
    }
}

/// A place from a map link, an address or the gazetteer.
public struct MapItem: Hashable, Sendable, Codable {
    /// The name of the place.
    public var name: String?
    /// The coordinate; `nil` if the place still has to be geocoded.
    public var coordinate: Coordinate?
    /// The address.
    public var address: PostalAddress?
    /// The text to search for when the coordinate is unknown.
    public var query: String?
    /// The telephone number as given.
    public var phoneNumber: String?

    /// Creates a map item. Empty texts are stored as `nil`.
    public init(
        name: String? = nil, coordinate: Coordinate? = nil, address: PostalAddress? = nil, query: String? = nil,
        phoneNumber: String? = nil
    ) {
        self.name = name.nonEmpty
        self.coordinate = coordinate
        self.address = address
        self.query = query.nonEmpty
        self.phoneNumber = phoneNumber.nonEmpty
    }
}

extension Optional<String> {
    var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
