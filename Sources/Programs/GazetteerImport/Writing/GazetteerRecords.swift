public import Gazetteers
public import Geocoding
public import HunchModel
public import JourneyWords

/// A country or a state that contains places. Its names and codes narrow queries.
public struct GazetteerArea: Hashable, Sendable {
    /// The number of an area within an import.
    public struct ID: Hashable, Sendable {
        let number: Int64
    }

    /// The name for people.
    public var name: String
    /// Other names and codes that find it.
    public var aliases: [String]
    /// The ISO 3166-1 alpha-2 code of its country, in upper case.
    public var countryCode: String?
    /// Whether it is a country rather than a part of one.
    public var isCountry: Bool

    /// Creates an area.
    public init(name: String, aliases: [String], countryCode: String?, isCountry: Bool) {
        self.name = name
        self.aliases = aliases
        self.countryCode = countryCode
        self.isCountry = isCountry
    }
}

/// A place from an importer.
public struct GazetteerPlace: Hashable, Sendable {
    /// The maximum length of a name, in bytes. Longer names are cut.
    public static let maximumNameLength = 1_024
    /// The maximum length of all further names together, in bytes. Names beyond it are omitted.
    public static let maximumAlternatesLength = 65_536

    /// The name for people.
    public var name: String
    /// Further names in current use, in any language.
    public var alternates: [String]
    /// Names that find the place with less certainty: transliterations, historic and colloquial names.
    public var doubtfulNames: [String]
    /// The kind of place.
    public var kind: PlaceKind
    /// The coordinate.
    public var coordinate: Coordinate
    /// Whether the coordinate is only near the place and the importance is a guess. This is so for a town with the
    /// coordinate of its weather station.
    public var isApproximate: Bool
    /// The importance among all places, 0…1, which ranks places of the same name.
    public var importance: Double
    /// The innermost area that contains it, as numbered by the writer.
    public var area: GazetteerArea.ID?
    /// The street with house number.
    public var street: String?
    /// The town that contains it, if it is not a town itself.
    public var city: String?
    /// The postal code.
    public var postalCode: String?
    /// The identifier of the place in its source, by which a later import can add names.
    public var origin: Int64?
    /// The category, by which people ask for the nearest one.
    public var category: PlaceCategory?

    /// Creates a place.
    public init(
        name: String, alternates: [String] = [], doubtfulNames: [String] = [], kind: PlaceKind,
        coordinate: Coordinate, isApproximate: Bool = false, importance: Double,
        area: GazetteerArea.ID? = nil, street: String? = nil, city: String? = nil, postalCode: String? = nil,
        origin: Int64? = nil, category: PlaceCategory? = nil
    ) {
        self.name = name
        self.alternates = alternates
        self.doubtfulNames = doubtfulNames
        self.kind = kind
        self.coordinate = coordinate
        self.isApproximate = isApproximate
        self.importance = importance
        self.area = area
        self.street = street
        self.city = city
        self.postalCode = postalCode
        self.origin = origin
        self.category = category
    }
}

/// An address or a street from an importer.
public struct GazetteerHouse: Hashable, Sendable {
    /// The house number, possibly with letters; `nil` for the street itself.
    public var number: String?
    /// The name of the street.
    public var street: String
    /// The town.
    public var city: String?
    /// The postal code.
    public var postalCode: String?
    /// The coordinate.
    public var coordinate: Coordinate
    /// The innermost area that contains it, as numbered by the writer.
    public var area: GazetteerArea.ID?

    /// Returns the street with the house number, in the order of the country.
    ///
    /// - Parameter countryCode: the ISO 3166-1 alpha-2 code. Without one, the number comes last.
    public static func line(number: String, street: String, countryCode: String?) -> String {
        HouseNumber.address(number, street, countryCode: countryCode)
    }

    /// Creates an address.
    public init(
        number: String?, street: String, city: String? = nil, postalCode: String? = nil, coordinate: Coordinate,
        area: GazetteerArea.ID? = nil
    ) {
        self.number = number
        self.street = street
        self.city = city
        self.postalCode = postalCode
        self.coordinate = coordinate
        self.area = area
    }
}
