/// A postal address in parts. Every part is optional; an empty part is stored as `nil`.
public struct PostalAddress: Hashable, Sendable, Codable {
    /// House number and street.
    public var street: String?
    /// Town or city.
    public var city: String?
    /// State, province or region.
    public var state: String?
    /// Postal code.
    public var postalCode: String?
    /// Country in words.
    public var country: String?
    /// ISO 3166-1 alpha-2 code, in upper case.
    public var countryCode: String?

    /// Makes an address from its parts.
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

/// A place: what a map link, an address or a gazetteer row means.
public struct MapItem: Hashable, Sendable, Codable {
    /// The title for people.
    public var name: String?
    /// The coordinate; `nil` if it still has to be geocoded.
    public var coordinate: Coordinate?
    /// Its address.
    public var address: PostalAddress?
    /// Text to search for, when no coordinate is known.
    public var query: String?
    /// Telephone number as given.
    public var phoneNumber: String?

    /// Makes a map item.
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
