#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The completeness of the gazetteer around the user. Where it is incomplete, a name may be that of a place nearby that is
/// not in the gazetteer.
struct Neighbourhood {
    /// Whether small towns are known. The lists that packages install have towns of about 15,000 people or more.
    var knowsSmallTowns = true
    /// Whether the quarters of a city of over five million people are known.
    var knowsQuarters = true
    /// The country of the nearest town; `nil` if it is not known.
    var countryCode: String?

    /// The maximum importance of a town that the lists of packages leave out.
    static let ofSmallTown = 0.5

    /// Returns whether a place with a country is in another one.
    func isAbroad(_ country: String?) -> Bool {
        guard let country, let countryCode else { return false }
        return country != countryCode
    }

    /// Whether the towns of the country are named after others.
    var isSettled: Bool { countryCode.map(Self.namedAfterOthers.contains) ?? false }

    /// The distance from the user in metres to which a town is certain by its name alone, however small it is.
    var reach: Double { knowsQuarters ? Self.nearest : 40_000 }

    /// Returns the importance below which a town is doubtful by its name alone, because something nearby may have that name,
    /// too. The farther a town is, and the more places have the words in their names, the larger it has to be.
    ///
    /// - Parameters:
    ///   - distance: the distance from the user in metres.
    ///   - namesakes: the number of places that have the words in their names.
    func leastImportance(at distance: Double, isAbroad: Bool, among namesakes: Int) -> Double {
        // Steps of ten times the distance.
        let steps = log10(max(distance, Self.nearest) / Self.nearest)
        var least = 0.47 + (isAbroad ? 0.07 : 0.05) * steps
        if knowsSmallTowns {
            least += 0.1 * log10(Double(min(max(namesakes, 1), 10)))
        } else {
            least += 0.07 + (isSettled ? 0.03 + (isAbroad ? 0.08 * steps : 0) : 0)
        }
        // In a city whose quarters are not known, 190,000 or 450,000 people: in Tokyo, “Ota” is not Ōta in Gunma.
        return knowsQuarters ? least : max(least, knowsSmallTowns ? 0.63 : 0.68)
    }

    private static let nearest = 100_000.0

    /// Countries whose towns have the names of others, at home or in Europe. In the United States, 46 % of the towns of 15,000
    /// people or more share their name with another one there; in Germany 10 %, in France 3 % (GeoNames, 2024).
    private static let namedAfterOthers: Set<String> = [
        "US", "CA", "AU", "NZ", "ZA", "MX", "PH", "AR", "BR", "CL", "CO", "PE", "VE",
    ]
}
