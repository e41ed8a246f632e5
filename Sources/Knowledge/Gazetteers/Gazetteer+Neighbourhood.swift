import Geocoding
import GRDB
import HunchModel

extension Gazetteer {
    /// Returns what is known around a coordinate.
    func neighbourhood(of centre: Coordinate, _ db: Database) throws -> Neighbourhood {
        var neighbourhood = Neighbourhood()
        var (isMetropolis, quarters, small) = (false, 0, 0)
        // Ranks are by importance, so that hundreds of shops do not hide the towns and quarters.
        let important = try entries(.places, within: Self.radius, of: centre, db)
            .sorted { $0.entry.rank < $1.entry.rank }.prefix(Self.mostConsidered)
        for place in important.sorted(by: { $0.distance < $1.distance }) {
            let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
            guard let entry = try GazetteerEntry.entry(number, db),
                ![.airport, .weatherStation].contains(entry.kind)
            else { continue }
            neighbourhood.adopt(entry)
            if !entry.isApproximate, entry.importance < Neighbourhood.ofSmallTown { small += 1 }
            if place.distance <= Self.radiusOfCity {
                if entry.kind == .suburb { quarters += 1 }
                if entry.kind == .city, entry.importance >= Self.leastOfMetropolis { isMetropolis = true }
            }
            let isBehindCity = place.distance > Self.radiusOfCity
            if small >= Self.leastSmallTowns, isBehindCity || quarters >= Self.leastQuarters { break }
        }
        neighbourhood.knowsQuarters = quarters >= Self.leastQuarters || !isMetropolis
        neighbourhood.knowsSmallTowns = small >= Self.leastSmallTowns
        if neighbourhood.countryCode == nil, let nearest = try nearestTown(to: centre, db) {
            neighbourhood.adopt(nearest)
        }
        return neighbourhood
    }

    private func nearestTown(to centre: Coordinate, _ db: Database) throws -> GazetteerEntry? {
        for place in try entries(.places, within: Self.radiusOfCountry, of: centre, db).prefix(Self.mostConsidered) {
            let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
            if let entry = try GazetteerEntry.entry(number, db), entry.countryCode != nil { return entry }
        }
        return nil
    }

    private static let leastQuarters = 3
    private static let leastSmallTowns = 5
    /// The radii in metres in which to look for small towns, for quarters of a city, and for the country.
    private static let (radius, radiusOfCity, radiusOfCountry) = (50_000.0, 20_000.0, 500_000.0)
    /// The minimum importance of a city of five million people.
    private static let leastOfMetropolis = 0.8
    /// The maximum number of places to read.
    private static let mostConsidered = 2_000
}
