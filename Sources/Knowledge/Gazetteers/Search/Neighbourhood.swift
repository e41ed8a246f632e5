import HunchModel
import JourneyWords

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
    /// The names and codes of the nearest town's state, folded; empty if it is not known.
    private(set) var state: Set<String> = []

    /// The maximum importance of a town that the lists of packages leave out.
    static let ofSmallTown = 0.5

    /// Returns whether a place with a country is in another one.
    func isAbroad(_ country: String?) -> Bool {
        guard let country, let countryCode else { return false }
        return country != countryCode
    }

    /// Returns whether a place in these areas is in another state. Sources name states alike.
    func isInOtherState(_ areas: [GazetteerEntry.Area]) -> Bool {
        let others = Self.state(of: areas)
        return !state.isEmpty && !others.isEmpty && state.isDisjoint(with: others)
    }

    /// Adopts the country and the state of a town, unless those of a nearer one are known.
    mutating func adopt(_ town: GazetteerEntry) {
        guard countryCode == nil else { return }
        countryCode = town.countryCode
        state = Self.state(of: town.areas)
    }

    private static func state(of areas: [GazetteerEntry.Area]) -> Set<String> {
        Set(areas.filter { !$0.isCountry }.flatMap { [$0.name] + $0.aliases }.map(WordFolding.joined))
    }

    /// Whether the towns of the country are named after others.
    var isSettled: Bool { countryCode.map(Self.namedAfterOthers.contains) ?? false }

    /// The distance from the user in metres to which a town is certain by its name alone, however small it is.
    var reach: Double { knowsQuarters ? Self.nearest : 40_000 }

    /// Returns the importance below which a town is doubtful by its name alone, because something nearby may have that name,
    /// too. The farther a town is, and the more places have its name, the larger it has to be. Where towns are named after
    /// others, and after persons, that grows faster. A name of several words seldom is that of another thing.
    ///
    /// - Parameters:
    ///   - distance: the distance from the user in metres.
    ///   - namesakes: the number of places in its country that have the name.
    ///   - isInOtherState: whether the town is in another state of the user's country.
    ///   - words: the number of words of the name.
    ///   - isRenowned: whether the town is known in other countries.
    func leastImportance(
        at distance: Double, isAbroad: Bool, isInOtherState: Bool, among namesakes: Int, words: Int, isRenowned: Bool
    ) -> Double {
        // Steps of ten times the distance.
        let steps = log10(max(distance, Self.nearest) / Self.nearest)
        let share = log10(Double(min(max(namesakes, 1), 10)))
        var least: Double
        if knowsSmallTowns {
            let slope = isSettled ? (isAbroad ? 0.07 : 0.3 - 0.08 * steps) : isAbroad ? 0.098 : 0.12
            least = 0.39 + (isAbroad ? 0.11 : isSettled ? 0.02 : 0) + slope * steps
            least += 0.03 * share - 0.04 * Double(words - 1)
        } else {
            least = 0.54 + (isAbroad ? 0.07 : 0.05) * steps
            if isSettled { least += 0.03 + (isAbroad ? 0.08 * steps : 0) }
            // From Ohio, “Lexington” may be the village nearby rather than the city in Kentucky.
            if isSettled, isInOtherState { least += 0.015 + 0.12 * share }
        }
        if knowsQuarters { return least }
        // In a city whose quarters are not known, 190,000 or 450,000 people: in Tokyo, “Ota” is not Ōta in Gunma. But “Hakone”
        // is the spa, and “Asahi”, of which there are many, may be anything.
        guard knowsSmallTowns else { return max(least, 0.68) }
        let isOnlyOne = namesakes < 2 && distance <= Self.outskirts
        return isRenowned && (isAbroad || distance <= Self.excursion)
            ? least + 0.3 * share : max(least, isOnlyOne ? Self.ofTownInOutskirts : 0.63)
    }

    private static let nearest = 100_000.0
    /// The distance in metres within which people of a metropolis know the sights of their country by name.
    private static let excursion = 200_000.0
    /// The distance in metres from a metropolis within which people know its towns by name, and the importance of one of
    /// 100,000 people.
    private static let (outskirts, ofTownInOutskirts) = (60_000.0, 0.61)

    /// Countries whose towns have the names of others, at home or in Europe. In the United States, 46 % of the towns of 15,000
    /// people or more share their name with another one there; in Germany 10 %, in France 3 % (GeoNames, 2024).
    private static let namedAfterOthers: Set<String> = [
        "US", "CA", "AU", "NZ", "ZA", "MX", "PH", "AR", "BR", "CL", "CO", "PE", "VE",
    ]
}
