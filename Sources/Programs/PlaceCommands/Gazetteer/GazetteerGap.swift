import CommandSupport
import Gazetteers
import Geocoding
import HunchModel
import Localization

/// The limits of the gazetteer on this machine, and the command that adds places.
package struct GazetteerGap {
    private let imported: Set<String>
    private let country: String?

    /// - Parameter here: the start of the route or the user's position; `nil` for the region of the time zone, else that of the locale.
    init(environment: [String: String], here: Coordinate?) {
        let gazetteer = (try? GazetteerFile(environment: environment)).flatMap { $0.exists ? try? Gazetteer($0) : nil }
        let sources = (try? gazetteer?.sources()) ?? []
        let around = here.flatMap { try? gazetteer?.places(near: $0, limit: 5) } ?? []
        country =
            around.lazy.compactMap { $0.item.address?.countryCode }.first ?? LocaleRegion.ofTimeZone
            ?? LocaleRegion.current
        imported = Set(sources.map(\.name))
    }

    /// Returns the area that distinguishes a place from others of its name: its country, or its state in the user's own
    /// country.
    func nextArea(of place: GeocodingCandidate) -> String? {
        let address = place.item.address
        return address?.countryCode == country
            ? address?.state : address?.country.map(LocalArea.country)
    }

    /// The command that adds streets, which only extracts of OpenStreetMap have.
    package static let commandForStreets = "hunch gazetteer get osm:REGION"

    /// Returns the command that adds places, stations and sights.
    ///
    /// - Parameter other: the code of the country to search; `nil` for that of the start.
    func command(in other: String? = nil) -> String {
        let hasAll = imported.contains("geonames-allCountries")
        let lists = [other ?? country, "cities500"].compactMap { $0 }
            .filter { !hasAll && !imported.contains("geonames-\($0)") }
        return lists.first.map { "hunch gazetteer get \($0)" } ?? Self.commandForStreets
    }
}
