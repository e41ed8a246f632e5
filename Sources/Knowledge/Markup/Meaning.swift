/// The subject of a page, as Hunch understands it.
public struct Meaning: Hashable, Sendable {
    /// The kinds of subjects, the one that counts most first if a page has several.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case reservation, event, place, media, product, article, person
    }

    /// The fields, in the order in which they are shown.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case name, status, number
        case start, end, placeName, departurePlace, departureCode, arrivalPlace, arrivalCode, vehicle, seat, underName
        case street, locality, region, postalCode, country, latitude, longitude, map, telephone, openingHours
        case creator, series, duration, brand, price, currency, provider, url, image
    }

    /// A value and where it comes from.
    public struct Value: Hashable, Sendable {
        /// The text, as the page has it. Latitudes and longitudes are numbers in degrees.
        public let text: String
        /// The syntax of the item, or `open-graph`, `geo`, `title` or `address`.
        public let source: String
    }

    /// The kind of the subject.
    public let kind: Kind
    /// Its most special type in schema.org, such as `Restaurant`; for Open Graph its `og:type`.
    public let type: String
    /// The values of the fields that the page has.
    public internal(set) var values: [Field: Value]
    /// Whether the page names several subjects of this kind, none of them in its title, like a list of search results.
    public internal(set) var isOneOfMany = false
    /// The types of the items that say nothing about the subject, in the order of the page.
    public internal(set) var ignored: [String]
}
