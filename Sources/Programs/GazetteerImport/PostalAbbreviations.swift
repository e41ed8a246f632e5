/// The postal abbreviations of states, for the countries that use them.
///
/// Sources: USPS Publication 28, Canada Post's addressing guidelines, Australia Post's addressing guidelines.
enum PostalAbbreviations {
    private static let states: [String: [String: String]] = [
        "US": [
            "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
            "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
            "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
            "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts",
            "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana",
            "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico",
            "NY": "New York", "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma",
            "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota",
            "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington",
            "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
        ],
        "CA": [
            "AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick",
            "NL": "Newfoundland and Labrador", "NS": "Nova Scotia", "NT": "Northwest Territories", "NU": "Nunavut",
            "ON": "Ontario", "PE": "Prince Edward Island", "QC": "Quebec", "SK": "Saskatchewan", "YT": "Yukon",
        ],
        "AU": [
            "ACT": "Australian Capital Territory", "NSW": "New South Wales", "NT": "Northern Territory",
            "QLD": "Queensland", "SA": "South Australia", "TAS": "Tasmania", "VIC": "Victoria",
            "WA": "Western Australia",
        ],
    ]

    /// Returns the state's name, or `nil` if the country has no such abbreviation.
    static func name(of code: String, country: String) -> String? { states[country]?[code] }

    /// Returns the abbreviation of a state, as a list of at most one element.
    static func codes(of name: String, country: String) -> [String] {
        states[country]?.filter { $0.value == name }.map(\.key) ?? []
    }
}
