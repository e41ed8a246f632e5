import Geocoding
import GRDB
import HunchModel
import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

extension Gazetteer {
    /// The radius in metres within which a place is near the user or an area.
    private static let reach = 50_000.0
    /// The same for an airport.
    private static let reachOfAirport = 150_000.0
    /// The first radius in metres.
    private static let firstReach = 1_500.0
    /// The distance in metres from the centre of a town within which a place without the town's name is one of the town: for
    /// a town, for a smaller place, and for a station, which bears the name of its own part of a town.
    private static let (ofTown, ofSmallPlace, stationOfTown) = (8_000.0, 3_000.0, 1_500.0)
    /// Words in the names of main stations, folded.
    private static let mainStation: Set<String> = [
        "hauptbahnhof", "hbf", "central", "centrale", "centraal", "centralna", "glowny", "glowna", "hlavni",
    ]
    /// The confidence of the nearest place. The others share the rest.
    private static let ofNearest = 0.9

    /// Returns the places for a request for a category.
    ///
    /// A place whose whole name the words are comes before it, such as “Zoo Hannover”. Without a coordinate and an area
    /// there is nothing to search. A town that has such a word as its name is never certain; one of some size is asked
    /// about, such as Stade, which is also French for a stadium.
    func places(for asked: CategoryRequest, _ query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        guard let words = asked.area else {
            let towns = try towns(named: query)
            guard let near = query.near,
                case let found = try places(of: asked.category, near: near, query), !found.isEmpty
            else { return towns }
            return towns.isEmpty ? found : Self.asked(found, towns)
        }
        let named = try search(query)
        if let first = named.first, first.match > .partial { return named }
        var area = query
        area.text = words
        area.isByPlane = asked.category == .airport
        let towns: [GeocodingCandidate]
        if let landmark = CategoryRequest(words), landmark.area.map({ CategoryRequest($0) == nil }) ?? true {
            // “hotel near Dayton airport”
            towns = try places(for: landmark, area)
        } else {
            towns = try search(area)
        }
        if asked.category == .airport { return try airports(of: towns, named: words, query) ?? named }
        guard let town = towns.first, town.match > .partial, let centre = town.item.coordinate else { return named }
        var found = try places(of: asked.category, near: centre, query)
        if found.isEmpty { return Self.only(towns) }
        for index in found.indices {
            // Another town may be meant, or a hotel of that name, and the town may have no such place.
            let isDoubtful = asked.mayBeName || !Self.isOf(town, found[index], asked.category, named: words)
            found[index].confidence *= town.confidence * (isDoubtful ? 0.5 : 1)
            found[index].isDoubtful = isDoubtful || town.isDoubtful
            found[index].distance = query.near.flatMap { near in found[index].item.coordinate?.distance(to: near) }
        }
        return found
    }

    /// Returns the towns of a request as partial matches, of which nothing is known that is asked for.
    private static func only(_ towns: [GeocodingCandidate]) -> [GeocodingCandidate] {
        towns.map { town in
            var town = town
            (town.match, town.confidence) = (.partial, town.confidence / 2)
            return town
        }
    }

    /// Returns the airports of the first of several towns that has one of its name: the Frankfurt with an airport is the one on
    /// the Main. If none has one, such as Tegel after its airport closed, those nearby are only guesses; `nil` without a town.
    private func airports(
        of towns: [GeocodingCandidate], named words: String, _ query: GeocodingQuery
    ) throws(GeocoderError) -> [GeocodingCandidate]? {
        let towns = towns.filter { $0.match > .partial && $0.item.coordinate != nil }
        guard let first = towns.first else { return nil }
        var guesses: [GeocodingCandidate] = []
        for town in towns {
            guard let centre = town.item.coordinate else { continue }
            var found = Self.named(after: town, try places(of: .airport, near: centre, query), named: words)
            for index in found.indices {
                found[index].distance = query.near.flatMap { near in
                    found[index].item.coordinate?.distance(to: near)
                }
            }
            if let airport = found.first, Self.isOf(town, airport, .airport, named: words) {
                return found.map { other in
                    var other = other
                    other.isDoubtful = other.isDoubtful || !Self.isOf(town, other, .airport, named: words)
                    return other
                }
            }
            if town == first { guesses = found }
        }
        if guesses.isEmpty { return Self.only(towns) }
        return guesses.map { guess in
            var guess = guess
            (guess.match, guess.isRespelled, guess.confidence) = (.partial, true, guess.confidence / 2)
            return guess
        }
    }

    /// Returns airports with those first that bear the name of a town, as Dayton's before the larger one of Cincinnati.
    private static func named(
        after town: GeocodingCandidate, _ airports: [GeocodingCandidate], named words: String
    ) -> [GeocodingCandidate] {
        let own = airports.filter { isOf(town, $0, .airport, named: words) }
        let total = own.reduce(0) { $0 + $1.confidence }
        guard total > 0 else { return airports }
        return airports.map { airport in
            var airport = airport
            let isOwn = own.contains(airport)
            airport.confidence *= isOwn ? ofNearest / total : (1 - ofNearest)
            return airport
        }.sorted { $0.confidence > $1.confidence }
    }

    /// Returns whether a place is in a town or bears its name. An airport bears it: in the list of large airports, that of
    /// Rostock is missing, and the nearest one is in Kiel. Tegel had one of its own.
    private static func isOf(
        _ town: GeocodingCandidate, _ place: GeocodingCandidate, _ category: PlaceCategory, named words: String
    ) -> Bool {
        let names = Set(WordFolding.words(of: place.item.name ?? ""))
        let ofTown = [words, town.item.name ?? ""].flatMap { WordFolding.words(of: $0) }
        if ofTown.contains(where: names.contains) { return true }
        guard category != .airport, let centre = town.item.coordinate, let position = place.item.coordinate else {
            return false
        }
        let reach = category.code == "station" ? stationOfTown : town.kind == .city ? Self.ofTown : ofSmallPlace
        return centre.distance(to: position) <= reach
    }

    /// The minimum importance of a town that may be meant: that of some 30,000 people.
    private static let leastOfTown = 0.55

    /// Returns the towns whose own name the words are, as partial matches.
    private func towns(named query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        let words = try query.checkedWords()
        return try read { db in
            let found = try GazetteerSearch(db: db, segments: segments, query: query).exact(words, onlyWhole: true)
                .filter { $0.name == .ownName && $0.entry.kind == .city && $0.entry.importance >= Self.leastOfTown }
                .sorted { $0.precedes($1) }.prefix(query.limit)
            let total = found.reduce(0) { $0 + $1.weight }
            return found.map { town in
                town.entry.candidate(
                    confidence: Self.ofNearest * town.weight / total, match: .partial, matched: town.matched,
                    distance: town.distance)
            }
        }
    }

    /// Returns places and towns among which the user has to choose.
    private static func asked(
        _ places: [GeocodingCandidate], _ towns: [GeocodingCandidate]
    ) -> [GeocodingCandidate] {
        (places + towns).map { candidate in
            var candidate = candidate
            (candidate.confidence, candidate.match) = (candidate.confidence / 2, .ownName)
            return candidate
        }.sorted { $0.confidence > $1.confidence }
    }

    /// Returns the places of a category that are nearest to a coordinate. An important place counts as nearer: an
    /// airport with scheduled flights than an airfield.
    private func places(
        of category: PlaceCategory, near centre: Coordinate, _ query: GeocodingQuery
    ) throws(GeocoderError) -> [GeocodingCandidate] {
        let limit = query.limit
        let isMain = try !Self.mainStation.isDisjoint(with: query.checkedWords())
        return try read { db in
            var members: [Int64: Set<UInt32>] = [:]
            for segment in segments {
                let ranks = try SegmentReader(segment: segment, db: db)
                    .source([GazetteerSchema.word(ofCategory: category)], isAll: true).postings.ranks
                if !ranks.isEmpty { members[segment] = Set(ranks) }
            }
            guard !members.isEmpty else { return [] }
            var radius = Self.firstReach
            let reach = category == .airport ? Self.reachOfAirport : Self.reach
            while true {
                let near = try entries(.places, within: radius, of: centre, db) { segment, rank in
                    members[segment]?.contains(rank) ?? false
                }
                // Twice the distance may contain a more important one.
                if !isMain && near.count(where: { $0.distance <= radius / 2 }) >= limit || radius >= reach {
                    return try Self.candidates(near, of: category, isMain: isMain, limit, db)
                }
                radius = min(radius * 3, reach)
            }
        }
    }

    /// The factor by which importance makes a place nearer, as a power of ten.
    ///
    /// One pharmacy is as good as another. But an airport with scheduled flights is meant even if an airfield is nearer, and
    /// of two such airports the user chooses.
    private static func weight(of category: PlaceCategory) -> Double { category == .airport ? 6 : 3 }

    /// The factor by which an airfield is less likely than the best airport.
    private static let effortOfAirfield = 8.0

    private static func candidates(
        _ near: [Near], of category: PlaceCategory, isMain: Bool, _ limit: Int, _ db: Database
    ) throws -> [GeocodingCandidate] {
        var places: [(entry: GazetteerEntry, distance: Double, effort: Double)] = []
        for place in near.prefix(100) {
            let number = GazetteerSchema.place(segment: place.segment, rank: place.entry.rank)
            guard let entry = try GazetteerEntry.entry(number, db) else { continue }
            // GNOME's list has large airports, too, and does not know that they are large.
            let same = places.firstIndex { $0.entry.isSamePlace(as: entry) }
            if let same, places[same].entry.importance >= entry.importance { continue }
            if let same { places.remove(at: same) }
            // Somebody who asks for a main station does not mean the nearest one.
            let isAsked = isMain && !mainStation.isDisjoint(with: WordFolding.words(of: entry.name))
            let effort =
                (place.distance + 50) * pow(10, -weight(of: category) * entry.importance) / (isAsked ? 1_000 : 1)
            places.append((entry, place.distance, effort))
        }
        places.sort { $0.effort < $1.effort }
        // A search for an airport does not mean an airfield if there is an airport with scheduled flights.
        if category == .airport, let least = places.first?.effort {
            places.removeAll { $0.effort > least * Self.effortOfAirfield }
        }
        let shown = places.prefix(limit)
        let rest = shown.dropFirst().reduce(0) { $0 + 1 / $1.effort }
        let ofNearest = shown.first.map { category == .airport ? 1 / (1 + $0.effort * rest) : Self.ofNearest } ?? 1
        return shown.enumerated().map { index, place in
            let share = index == 0 ? (shown.count == 1 ? 1 : ofNearest) : (1 - ofNearest) / place.effort / rest
            return place.entry.candidate(
                confidence: share, match: .ownName, matched: [place.entry.name], distance: place.distance)
        }
    }
}
