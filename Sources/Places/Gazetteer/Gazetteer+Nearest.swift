import GRDB
public import HunchModel

extension Gazetteer {
    /// The places nearest to a position by great-circle distance, nearest first; right across the antimeridian and at
    /// the poles.
    ///
    /// Confidence falls from 1 at the place itself to ½ at 10 km.
    ///
    /// - Parameter limit: the most places to return, 1…``GeocodingQuery/maximumLimit``; other values are brought there.
    /// - Throws: ``GeocoderError`` with `storage`.
    public func places(near coordinate: Coordinate, limit: Int) throws(GeocoderError) -> [GeocodingCandidate] {
        let limit = min(max(limit, 1), GeocodingQuery.maximumLimit)
        return try read { db in
            // Each ring has four times the radius of the last; one that holds enough is surely complete, since every
            // place outside it is farther than every place inside.
            var radius = 5_000.0
            let halfway = Coordinate.earthRadius * Double.pi
            while true {
                let found = try Self.entries(within: radius, of: coordinate, db)
                if found.count >= limit || radius >= halfway {
                    return found.prefix(limit).map { entry, distance in
                        entry.candidate(confidence: 1 / (1 + distance / 10_000), matched: [], distance: distance)
                    }
                }
                radius = min(radius * 4, halfway)
            }
        }
    }

    private static func entries(
        within radius: Double, of centre: Coordinate, _ db: Database
    ) throws -> [(GazetteerEntry, Double)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(GazetteerEntry.columns) FROM place_box
                CROSS JOIN place ON place.id = place_box.id \(GazetteerEntry.areaJoins)
                WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?
                """)
        var found: [Int64: (GazetteerEntry, Double)] = [:]
        for box in centre.boxes(within: radius) {
            let rows = try Row.fetchCursor(
                statement,
                arguments: [
                    box.latitude.lowerBound, box.latitude.upperBound, box.longitude.lowerBound,
                    box.longitude.upperBound,
                ])
            while let row = try rows.next() {
                let entry = try GazetteerEntry(row)
                let distance = centre.distance(to: entry.coordinate)
                // The last ring is the whole Earth: rounding must not leave out the antipodes.
                if distance <= radius || radius >= Coordinate.earthRadius * 3.14 {
                    found[entry.number] = (entry, distance)
                }
            }
        }
        return found.values.sorted { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
    }
}
