public import Geocoding
import GRDB
public import HunchModel

extension Gazetteer {
    /// Returns the places nearest to a coordinate by great-circle distance, nearest first. Correct across the
    /// antimeridian and at the poles.
    ///
    /// Houses and streets are found only within ``streetReach`` metres, since more distant ones do not describe a
    /// coordinate. The confidence is 1 at the place itself and ½ at a distance of 10 km, or of 100 m for a house or a
    /// street.
    ///
    /// - Parameters:
    ///   - level: the wanted kinds of places.
    ///   - limit: the maximum number of places, clamped to 1…``GeocodingQuery/maximumLimit``.
    /// - Throws: ``GeocoderError`` with `storage`.
    public func places(
        near coordinate: Coordinate, level: PlaceLevel = .any, limit: Int
    ) throws(GeocoderError) -> [GeocodingCandidate] {
        let limit = min(max(limit, 1), GeocodingQuery.maximumLimit)
        return try read { db in
            var found: [GeocodingCandidate] = []
            if level != .place {
                found = try houses(near: coordinate, limit: limit, db)
                if level == .address { return found }
            }
            found += try nearestPlaces(near: coordinate, limit: limit, db)
            return Array(found.sorted { ($0.distance ?? 0) < ($1.distance ?? 0) }.prefix(limit))
        }
    }

    /// The search radius for houses and streets, in metres.
    public static let streetReach = 500.0

    struct Near {
        var segment: Int64
        var entry: CellBlock.Entry
        var distance: Double
    }

    private func nearestPlaces(
        near coordinate: Coordinate, limit: Int, _ db: Database
    ) throws -> [GeocodingCandidate] {
        // Each circle has four times the radius of the last. If a circle contains enough places, they are the nearest,
        // since all others are farther away.
        var radius = 5_000.0
        let halfway = Coordinate.earthRadius * Double.pi
        while true {
            let near = try entries(.places, within: radius, of: coordinate, db)
            var found: [GeocodingCandidate] = []
            // A place may occur twice in a row: from two sources, or under two names.
            var last: GazetteerEntry?
            for place in near where found.count < limit {
                let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
                guard let entry = try GazetteerEntry.entry(number, db),
                    last.map({ $0.coordinate != entry.coordinate || !$0.isSamePlace(as: entry) }) ?? true
                else { continue }
                last = entry
                let distance = coordinate.distance(to: entry.coordinate)
                found.append(
                    entry.candidate(
                        confidence: 1 / (1 + distance / 10_000), match: .partial, matched: [], distance: distance))
            }
            if found.count >= limit || radius >= halfway {
                return found.sorted { ($0.distance ?? 0) < ($1.distance ?? 0) }
            }
            radius = min(radius * 4, halfway)
        }
    }

    private func houses(near coordinate: Coordinate, limit: Int, _ db: Database) throws -> [GeocodingCandidate] {
        var found: [GeocodingCandidate] = []
        func add(_ entry: GazetteerEntry) {
            let distance = coordinate.distance(to: entry.coordinate)
            found.append(
                entry.candidate(
                    confidence: 1 / (1 + distance / 100), match: .partial, matched: [], distance: distance))
        }
        for place in try entries(.houses, within: Self.streetReach, of: coordinate, db).prefix(limit) {
            let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
            let houses = try SegmentReader(segment: place.segment, db: db).houses(ofStreet: number)
            guard houses.indices.contains(Int(place.entry.house)),
                let position = PlaceCell.coordinate(place.entry.cell),
                let street = try GazetteerEntry.entry(number, db)
            else { continue }
            add(street.house(houses[Int(place.entry.house)].number, at: position))
        }
        for place in try entries(.streets, within: Self.streetReach, of: coordinate, db).prefix(limit) {
            let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
            if let entry = try GazetteerEntry.entry(number, db) { add(entry) }
        }
        return Array(found.sorted { ($0.distance ?? 0) < ($1.distance ?? 0) }.prefix(limit))
    }

    /// Returns the entries within a distance, nearest first.
    ///
    /// - Parameter isWanted: whether an entry, by its segment and rank, is among those to return.
    func entries(
        _ layer: CellBlock.Layer, within radius: Double, of centre: Coordinate, _ db: Database,
        where isWanted: (Int64, UInt32) -> Bool = { _, _ in true }
    ) throws -> [Near] {
        var found: [Near] = []
        // The last circle is the whole Earth. Rounding must not exclude the antipode.
        let reach = radius >= Coordinate.earthRadius * 3.14 ? Double.infinity : radius
        for box in centre.boxes(within: radius) {
            let ranges = PlaceCell.ranges(latitude: box.latitude, longitude: box.longitude)
            for segment in segments {
                try SegmentReader(segment: segment, db: db).forEach(layer, in: ranges) { entry in
                    guard isWanted(segment, entry.rank), let position = PlaceCell.coordinate(entry.cell) else { return }
                    let distance = centre.distance(to: position)
                    if distance <= reach + 1 { found.append(Near(segment: segment, entry: entry, distance: distance)) }
                }
            }
        }
        return found.sorted { ($0.distance, $0.entry.rank) < ($1.distance, $1.entry.rank) }
    }
}
