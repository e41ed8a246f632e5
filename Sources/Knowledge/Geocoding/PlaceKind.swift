/// The kind of place of a gazetteer entry. The set is open; sources may add kinds.
public struct PlaceKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The code in the store, in JSON output and on the bus, in camel case.
    public let rawValue: String
    /// Creates a kind from its code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code.
    public var description: String { rawValue }

    /// A country.
    public static let country = PlaceKind(rawValue: "country")
    /// A first-level part of a country: a state, province or region.
    public static let state = PlaceKind(rawValue: "state")
    /// A lower administrative area.
    public static let district = PlaceKind(rawValue: "district")
    /// A city, town or village.
    public static let city = PlaceKind(rawValue: "city")
    /// A part of a city.
    public static let suburb = PlaceKind(rawValue: "suburb")
    /// An airport or airfield.
    public static let airport = PlaceKind(rawValue: "airport")
    /// A weather station.
    public static let weatherStation = PlaceKind(rawValue: "weatherStation")
    /// A street.
    public static let street = PlaceKind(rawValue: "street")
    /// A house, by its number.
    public static let house = PlaceKind(rawValue: "house")
    /// The area of a postal code.
    public static let postalCode = PlaceKind(rawValue: "postalCode")
    /// A road, railway or station.
    public static let transport = PlaceKind(rawValue: "transport")
    /// A building, a farm or another spot.
    public static let spot = PlaceKind(rawValue: "spot")
    /// A park or another bounded area.
    public static let park = PlaceKind(rawValue: "park")
    /// A lake, stream, bay or sea.
    public static let water = PlaceKind(rawValue: "water")
    /// A mountain, hill, island or valley.
    public static let terrain = PlaceKind(rawValue: "terrain")
    /// A place of unknown kind that an app had on the screen lately.
    public static let seen = PlaceKind(rawValue: "seen")
    /// A place that the user named, such as home.
    public static let own = PlaceKind(rawValue: "own")
    /// Anything else.
    public static let other = PlaceKind(rawValue: "other")

    /// Whether it is an area so large that no coordinate represents it.
    public var isArea: Bool { self == .country || self == .state }
}
