public import FoundationEssentials
public import HunchModel

/// A source of gazetteer entries.
public struct GazetteerSource: Hashable, Sendable, Codable {
    /// Names the source; importing a source of the same name replaces it.
    public var name: String
    /// The file that was read, as a path.
    public var file: String
    /// The modification date of the file.
    public var fileDate: Date
    /// The date of the import.
    public var importDate: Date
    /// The licence of the entries.
    public var licence: String
    /// The attribution to show with the entries.
    public var attribution: String
    /// The number of places and streets.
    public var placeCount: Int
    /// The number of houses.
    public var houseCount: Int

    /// Makes a source. The counts are known once the import has ended.
    public init(
        name: String, file: String, fileDate: Date, importDate: Date, licence: String, attribution: String,
        placeCount: Int = 0, houseCount: Int = 0
    ) {
        self.name = name
        self.file = file
        self.fileDate = fileDate
        self.importDate = importDate
        self.licence = licence
        self.attribution = attribution
        self.placeCount = placeCount
        self.houseCount = houseCount
    }
}

/// A country or a state that places lie in, by whose names and codes a query may narrow.
public struct GazetteerArea: Hashable, Sendable {
    /// The name for people.
    public var name: String
    /// Other names and codes by which it is found.
    public var aliases: [String]
    /// ISO 3166-1 alpha-2 code of the country that it is or lies in, in upper case.
    public var countryCode: String?
    /// Whether it is a country rather than a part of one.
    public var isCountry: Bool

    /// Makes an area.
    public init(name: String, aliases: [String], countryCode: String?, isCountry: Bool) {
        self.name = name
        self.aliases = aliases
        self.countryCode = countryCode
        self.isCountry = isCountry
    }
}

/// One place as an importer hands it over.
public struct GazetteerPlace: Hashable, Sendable {
    /// The maximum number of bytes of a name; longer ones are cut.
    public static let maximumNameLength = 1_024
    /// The maximum number of bytes of all further names together; names beyond it are left out.
    public static let maximumAlternatesLength = 65_536

    /// The name for people.
    public var name: String
    /// Further names in current use, in any language.
    public var alternates: [String]
    /// Names that find the place but do not settle that it is meant: transliterations, historic and colloquial names.
    public var doubtfulNames: [String]
    /// The kind of place.
    public var kind: PlaceKind
    /// The coordinate.
    public var coordinate: Coordinate
    /// Whether the position is only near the place, and its importance a guess: that of a town's weather station.
    public var isApproximate: Bool
    /// The importance among all places, 0…1, which ranks places of equal names.
    public var importance: Double
    /// The innermost area that it lies in, as the writer numbered it.
    public var area: GazetteerWriter.AreaID?
    /// House number and street.
    public var street: String?
    /// The town that it lies in, when it is none itself.
    public var city: String?
    /// Its postal code.
    public var postalCode: String?
    /// The number that its source knows it by, where further names come under that number.
    public var origin: Int64?

    /// Makes a place.
    public init(
        name: String, alternates: [String] = [], doubtfulNames: [String] = [], kind: PlaceKind,
        coordinate: Coordinate, isApproximate: Bool = false, importance: Double,
        area: GazetteerWriter.AreaID? = nil, street: String? = nil, city: String? = nil, postalCode: String? = nil,
        origin: Int64? = nil
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
    }
}

/// One address, or a street, as an importer hands it over.
public struct GazetteerHouse: Hashable, Sendable {
    /// The number, with letters where it has some; `nil` for the street itself.
    public var number: String?
    /// The name of the street.
    public var street: String
    /// The town.
    public var city: String?
    /// The postal code.
    public var postalCode: String?
    /// The coordinate.
    public var coordinate: Coordinate
    /// The innermost area that it lies in, as the writer numbered it.
    public var area: GazetteerWriter.AreaID?

    /// The street with the number of a house, in the order of the country.
    ///
    /// - Parameter countryCode: ISO 3166-1 alpha-2; without one the number comes last.
    public static func line(number: String, street: String, countryCode: String?) -> String {
        HouseNumber.address(number, street, countryCode: countryCode)
    }

    /// Makes an address.
    public init(
        number: String?, street: String, city: String? = nil, postalCode: String? = nil, coordinate: Coordinate,
        area: GazetteerWriter.AreaID? = nil
    ) {
        self.number = number
        self.street = street
        self.city = city
        self.postalCode = postalCode
        self.coordinate = coordinate
        self.area = area
    }
}
