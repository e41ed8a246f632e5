import CommandSupport
import GazetteerImport
import Gazetteers
import HunchModel
import Localization
import Places

/// The limits of the gazetteer on this machine, and the command that adds places.
struct GazetteerGap {
    /// Whether there are only the towns of installed packages, or none.
    let hasOnlyTowns: Bool
    private let imported: Set<String>
    private let country: String?

    /// - Parameter here: the user's position; `nil` for the region of the locale.
    init(environment: [String: String], here: Coordinate?) {
        let gazetteer = (try? GazetteerFile(environment: environment)).flatMap { $0.exists ? try? Gazetteer($0) : nil }
        let sources = (try? gazetteer?.sources()) ?? []
        hasOnlyTowns = sources.allSatisfy { GazetteerImport.isPlaceList($0.file) }
        let nearest = here.flatMap { try? gazetteer?.places(near: $0, limit: 1).first }
        country = nearest?.item.address?.countryCode ?? LocaleRegion.current
        imported = Set(sources.map(\.name))
    }

    /// Returns the command that adds places, stations and sights.
    ///
    /// - Parameter other: the code of the country to search; `nil` for that of the user.
    func command(in other: String? = nil) -> String {
        let lists = [other ?? country, "cities500"].compactMap { $0 }.filter { !imported.contains("geonames-\($0)") }
        return "hunch gazetteer get " + (lists.first ?? "osm:REGION")
    }
}
