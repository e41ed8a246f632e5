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

    /// Returns the importance below which a town is doubtful by its name alone, because a small town nearby may have that
    /// name, too. The farther a town is, the larger it has to be.
    ///
    /// - Parameters:
    ///   - distance: the distance from the user in metres.
    ///   - country: the code of its country.
    func leastImportance(at distance: Double, in country: String?) -> Double {
        guard !knowsSmallTowns else { return 0 }
        let steps =
            switch (isAbroad(country), isSettled) {
            case (false, false): Self.atHome
            case (false, true): Self.atHomeOfSettlers
            case (true, false): Self.abroad
            case (true, true): Self.abroadOfSettlers
            }
        return steps.last { distance > $0.beyond }?.importance ?? 0
    }

    private typealias Step = (beyond: Double, importance: Double)
    private static let atHome: [Step] = [(100_000, ofTown(30_000)), (300_000, ofTown(60_000))]
    private static let atHomeOfSettlers: [Step] = [
        (100_000, ofTown(60_000)), (250_000, ofTown(100_000)), (500_000, ofTown(150_000)),
    ]
    private static let abroad: [Step] = [
        (100_000, ofTown(100_000)), (1_000_000, ofTown(200_000)), (2_500_000, ofTown(400_000)),
    ]
    /// On another continent, only the largest cities of the world are certain.
    private static let abroadOfSettlers: [Step] = [
        (100_000, ofTown(100_000)), (1_000_000, ofTown(200_000)), (2_500_000, 0.9),
    ]

    /// Countries whose towns have the names of others, at home or in Europe. In the United States, 46 % of the towns of 15,000
    /// people or more share their name with another one there; in Germany 10 %, in France 3 % (GeoNames, 2024).
    private static let namedAfterOthers: Set<String> = [
        "US", "CA", "AU", "NZ", "ZA", "MX", "PH", "AR", "BR", "CL", "CO", "PE", "VE",
    ]

    /// Returns the importance of a town by its population, as the import estimates it.
    private static func ofTown(_ people: Double) -> Double { 0.05 + 0.85 * log10(1 + people) / 7.6 }
}
