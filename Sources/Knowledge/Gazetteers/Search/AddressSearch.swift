import Geocoding
import GRDB
import HunchModel
import JourneyWords

/// Interprets a query in several ways until one finds a place: as a name; as an address with a house number; with an
/// abbreviated, unfinished or mistyped word; near a town; without unknown words; and by a part of its words.
struct AddressSearch {
    /// The minimum share of a query's words that must remain, by ``weight(of:)``: that of a city of one word after a
    /// street of four words, three numbers and a postal code.
    private static let leastShare = 1.0 / 7
    /// The maximum confidence of a place that matches only a part of the words.
    private static let mostOfPart = 0.5
    /// The factor for the fit of a street that has no house with the number.
    private static let withoutNumber = 0.6
    /// If only a part of the words matches, places are omitted that are less likely than the first one by this factor.
    private static let leastOfPart = 20.0
    /// The maximum number of towns around which to search.
    private static let mostAnchors = 3
    private static let mostSplits = 8
    /// The maximum number of ignored words after a town, and of words of a town's name.
    private static let mostUnknown = 3
    /// The confidence factor if the likeliest place is doubtful or has a rival. It keeps the confidence below that of a
    /// certain place, so that the user is asked.
    private static let whereDoubtful = 0.7

    let search: GazetteerSearch
    /// Returns what is known around the user.
    let neighbourhood: () throws -> Neighbourhood

    func candidates(for words: [String]) throws -> [GeocodingCandidate] {
        // Of such words, no part is a place, and they are not mistyped.
        let isOnlyExact =
            Placeless.isEveryday(words) || Placeless.isShop(words) || RoadWords.isJunction(search.query.text)
        var found = try asTyped(words).filter {
            try $0.isPlausible(for: words) && (!isOnlyExact || $0.isWhole) && !isTranslated($0)
        }
        found = try withoutUnlikelyCodes(found, words)
        // A list has “Oma” for Oman.
        let areas = Placeless.isEveryday(words) ? [] : try search.areas(named: words)
        guard areas.isEmpty else { return try shown(found.isEmpty ? search.spacedAnew(words) : found, areas) }
        found += try namesakes(of: found)
        if found.isEmpty, !isOnlyExact, let plain = HouseNumber.plain(words) {
            found = try asTyped(plain)
            if found.isEmpty { found = try nearTown(plain) }
        }
        guard found.isEmpty, !isOnlyExact else { return try shown(found) }
        found = try search.abbreviated(words)
        if found.isEmpty {
            found = try search.unfinished(words).filter {
                $0.isPlausible(for: words) && $0.resembles(search.query.text)
            }
        }
        if found.isEmpty {
            found = try search.corrected(words).filter { $0.resembles(search.query.text) }
            if let address = try houses(words, { try search.corrected($0) }) { found = address + found }
        }
        if found.isEmpty { found = try nearTown(words) }
        if found.isEmpty { found = try withoutUnknown(words) }
        return try found.isEmpty ? parts(words) : shown(found)
    }

    /// Returns the places and houses for the words as typed.
    private func asTyped(_ words: [String]) throws -> [PlaceMatch] {
        let found = try search.exact(words)
        guard let address = try houses(words, { try search.exact($0) }),
            found.isEmpty || address.contains(where: \.isHouse)
        else { return found }
        return address.filter(\.isHouse) + found + address.filter { !$0.isHouse }
    }

    // MARK: Unknown words

    /// A query with fewer words.
    private struct Shorter: Equatable {
        let words: [String]
        /// The codes of the countries that have the ignored state. Only places in them without a known state match.
        /// `nil` if no state was ignored.
        var countries: Set<String>?
        /// Whether places near a town match as well; `false` if words in the middle are ignored.
        var isNearTown = true

        func allows(_ place: GazetteerEntry) -> Bool {
            guard let countries else { return true }
            return !place.areas.contains { !$0.isCountry } && place.countryCode.map(countries.contains) ?? true
        }
    }

    /// Returns the places for the words without unknown words next to a town, such as a state, a region or a quarter
    /// that the source does not have.
    private func withoutUnknown(_ words: [String]) throws -> [PlaceMatch] {
        for shorter in try readingsWithoutUnknown(words) {
            var found = try asTyped(shorter.words)
            if found.isEmpty, shorter.isNearTown { found = try nearTown(shorter.words) }
            found = found.filter { shorter.allows($0.entry) }
            guard !found.isEmpty else { continue }
            let share = Self.weight(of: shorter.words) / Self.weight(of: words)
            return found.map { match in
                var match = match.inPart
                match.fit *= share
                return match
            }
        }
        return []
    }

    private func readingsWithoutUnknown(_ words: [String]) throws -> [Shorter] {
        // In a name every word counts, so words are ignored only in an address.
        let isAddress = search.query.text.contains(",") || words.contains(where: HouseNumber.isOne)
        guard words.count > 1, isAddress else { return [] }
        var readings: [Shorter] = []
        func add(_ shorter: [String], of countries: Set<String>? = nil, isNearTown: Bool = true) {
            let reading = Shorter(words: shorter, countries: countries, isNearTown: isNearTown)
            if shorter.count < words.count, !readings.contains(reading) { readings.append(reading) }
        }
        // An unknown part between commas is probably a quarter. But without the first word, an unknown street, the rest
        // is useless.
        let parts = search.query.text.split(separator: ",").map { WordFolding.words(of: String($0)) }
        if try parts.dropFirst().contains(where: { try !$0.isEmpty && $0.allSatisfy { try !search.isSomewhere($0) } }) {
            let known = try words.filter { try search.isSomewhere($0) }
            if known.first == words.first, try endsInTown(known) { add(known, isNearTown: false) }
        }
        func isKept(_ word: String) throws -> Bool {
            try word.utf8.contains(where: \.isASCIIDigit)
                || search.isArea(word) && search.countries(ofState: word) == nil
        }
        // If the query ends with a town, there is no unknown word after it.
        let last = try words.lastIndex { try !isKept($0) } ?? 0
        if try endsInTown(Array(words[...last])) { return readings }
        for count in 1...min(Self.mostUnknown, words.count - 1) {
            let rest = Array(words.dropLast(count))
            let end = words.suffix(count)
            let kept = try end.filter(isKept)
            let countries = try end.compactMap { try search.countries(ofState: $0) }.first
            // A word that is the name of another town must not be ignored.
            guard kept.count < count, try endsInTown(rest), try anchors(end.filter { !kept.contains($0) }).isEmpty
            else {
                continue
            }
            add(rest + kept, of: countries)
            add(rest + kept.filter { !$0.utf8.contains(where: \.isASCIIDigit) }, of: countries)
        }
        return readings
    }

    /// Returns whether the last words, apart from numbers, are the name of a town.
    private func endsInTown(_ words: [String]) throws -> Bool {
        let words = words.filter { !$0.utf8.contains(where: \.isASCIIDigit) }
        guard !words.isEmpty else { return false }
        // Longest first: a single word may be part of very many names.
        return try (1...min(Self.mostUnknown, words.count)).reversed().contains {
            try !anchors(Array(words.suffix($0))).isEmpty
        }
    }

    // MARK: Houses

    /// Returns the houses with a number among the words, in the streets of the other words. A street without that
    /// number is a candidate, too.
    ///
    /// - Returns: `nil` if no word can be a house number.
    private func houses(
        _ words: [String], _ find: ([String]) throws -> [PlaceMatch]
    ) throws -> [PlaceMatch]? {
        let numbers = words.indices.filter { HouseNumber.isOne(words[$0]) }
        guard !numbers.isEmpty, words.count > 1 else { return nil }
        var found: [PlaceMatch] = []
        for index in numbers.prefix(3) {
            var rest = words
            var number = rest.remove(at: index)
            // "12 a" may be the number "12a".
            if index < rest.count, rest[index].utf8.count == 1, rest[index].utf8.allSatisfy(\.isASCIILetter),
                number.utf8.allSatisfy(\.isASCIIDigit)
            {
                number += rest[index]
                let joined = rest.enumerated().filter { $0.offset != index }.map(\.element)
                found += try housed(find(joined), number)
                number.removeLast()
            }
            found += try housed(find(rest), number)
        }
        if found.isEmpty, numbers.count > 1 {
            // One number may be a postal code that the source does not have.
            let rest = words.indices.filter { !numbers.contains($0) }.map { words[$0] }
            for index in numbers where !rest.isEmpty {
                found += try housed(find(rest), words[index]).filter(\.isHouse).map { match in
                    // A house with a known postal code has a different one, so it matches only in part.
                    var match = match.entry.postalCode == nil ? match : match.inPart
                    match.fit *= 0.85
                    return match
                }
            }
        }
        return found
    }

    private func housed(_ streets: [PlaceMatch], _ number: String) throws -> [PlaceMatch] {
        try streets.filter { $0.entry.kind == .street }.map { street in
            let reader = SegmentReader(segment: street.entry.number >> GazetteerSchema.rankBits, db: search.db)
            let houses = try reader.houses(ofStreet: street.entry.number)
            var match = street
            let rated = houses.compactMap { house in
                HouseNumber.agreement(house.number, with: number).map { (house: house, agreement: $0) }
            }
            if let best = rated.max(by: { $0.agreement < $1.agreement }),
                let position = PlaceCell.coordinate(best.house.cell)
            {
                match.entry = street.entry.house(best.house.number, at: position)
                match.fit *= best.agreement
                match.matched.insert(best.house.number, at: 1)
            } else {
                match = match.inPart
                match.fit *= Self.withoutNumber
            }
            return match
        }
    }

    // MARK: Near a town

    /// Returns the places for the first or last words near the town that the other words name. Sources often have a
    /// street without its town.
    private func nearTown(_ words: [String]) throws -> [PlaceMatch] {
        guard words.count > 1 else { return [] }
        var correctable: (name: [String], anchors: [PlaceMatch])?
        for cut in splits(words) {
            for (name, town) in [(words[..<cut], words[cut...]), (words[cut...], words[..<cut])] {
                let anchors = try anchors(Array(town))
                guard !anchors.isEmpty else { continue }
                if correctable == nil { correctable = (Array(name), anchors) }
                let found = try anchors.flatMap { try near($0, Array(name), { try search.exact($0, in: $1) }) }
                if !found.isEmpty { return found }
            }
        }
        return try correctable.map { name, anchors in
            try anchors.flatMap { try near($0, name, search.corrected) }
        } ?? []
    }

    private func near(
        _ anchor: PlaceMatch, _ name: [String], _ find: ([String], SearchCircle?) throws -> [PlaceMatch]
    ) throws -> [PlaceMatch] {
        let circle = search.circle(around: anchor.entry, radius: Self.reach(of: anchor.entry))
        let plain = try find(name, circle)
        let address = try houses(name, { try find($0, circle) }) ?? []
        return (address + plain).filter { $0.isWhole && $0.mayLie(near: anchor) }.map { match in
            var match = match
            match.matched += anchor.matched.filter { !match.matched.contains($0) }
            match.name = min(match.name, anchor.name)
            match.fit *= 0.95
            return match
        }
    }

    /// Returns the indices at which the words may be split, commas first.
    private func splits(_ words: [String]) -> [Int] {
        var splits: [Int] = []
        var count = 0
        for part in search.query.text.split(separator: ",").dropLast() {
            count += WordFolding.words(of: String(part)).count
            if (1..<words.count).contains(count) { splits.append(count) }
        }
        splits += (1..<words.count).reversed().filter { !splits.contains($0) }
        return Array(splits.prefix(Self.mostSplits))
    }

    /// Returns the towns and postal codes whose whole name the words are, if necessary without the numbers among them.
    private func anchors(_ words: [String]) throws -> [PlaceMatch] {
        let kinds: [PlaceKind] = [.city, .suburb, .district, .postalCode]
        let plain = words.filter { !$0.utf8.contains(where: \.isASCIIDigit) }
        for reading in plain.isEmpty || plain == words ? [words] : [words, plain] {
            let towns = try search.exact(reading, onlyWhole: true).filter {
                $0.isWhole && kinds.contains($0.entry.kind)
            }
            if !towns.isEmpty { return Array(towns.sorted { $0.precedes($1) }.prefix(Self.mostAnchors)) }
        }
        return []
    }

    /// Returns the radius of a town in metres, by its importance.
    private static func reach(of town: GazetteerEntry) -> Double {
        town.kind == .city || town.kind == .district ? 8_000 + 22_000 * town.importance : 6_000
    }

    // MARK: Parts

    /// Returns the places for a part of the words.
    private func parts(_ words: [String]) throws -> [GeocodingCandidate] {
        let isHouse = isHouseWithoutTown(words)
        for shorter in shorterReadings(words) {
            var found = try asTyped(shorter).filter { !isHouse || $0.mayHaveHouse }
            if found.isEmpty, !isHouse {
                let text = shorter.joined(separator: " ")
                found = try search.corrected(shorter).filter { $0.resembles(text) }
            }
            let candidates = try shown(found, search.areas(named: shorter))
            // If the town in “Waterville, Ontario” is unknown, Ontario is the province and not the town in California.
            if candidates.first?.kind.isArea ?? false { return [] }
            guard let best = candidates.first else { continue }
            let share = Self.weight(of: shorter) / Self.weight(of: words)
            guard share >= Self.leastShare else { return [] }
            return candidates.filter { $0.confidence >= best.confidence / Self.leastOfPart }.map { candidate in
                var candidate = candidate
                candidate.isRespelled = false
                candidate.match = .partial
                candidate.confidence *= min(Self.mostOfPart, share)
                return candidate
            }
        }
        return []
    }

    /// Returns the weight of words in locating a place. Numbers weigh half as much as names.
    private static func weight(of words: [String]) -> Double {
        words.reduce(0) { $0 + ($1.utf8.contains(where: \.isASCIIDigit) ? 0.5 : 1) }
    }

    /// Returns shorter versions of the address: without its numbers, then without its first part, and so on. An address
    /// without commas is shortened word by word.
    private func shorterReadings(_ all: [String]) -> [[String]] {
        let parts = search.query.text.split(separator: ",").map { WordFolding.words(of: String($0)) }
        var readings: [[String]] = []
        func add(_ words: [String]) {
            let plain = words.filter { !$0.utf8.contains(where: \.isASCIIDigit) }
            // Numbers and single letters are not a place: “1” is not Barrio 1 in Mexico, and “I-71” not a town I.
            guard !plain.allSatisfy(SearchTerms.isShort) else { return }
            for reading in [words, plain] where reading != all && !readings.contains(reading) {
                readings.append(reading)
            }
        }
        for start in parts.indices { add(parts[start...].flatMap { $0 }) }
        if parts.count == 1, all.count > 2, all.contains(where: { $0.utf8.contains(where: \.isASCIIDigit) }) {
            for start in all.indices.dropFirst().prefix(Self.mostSplits) { add(Array(all[start...])) }
        }
        return readings
    }

    // MARK: Candidates

    /// Returns the matches as candidates, likeliest first, merging entries of the same place from several sources.
    private func shown(_ matches: [PlaceMatch], _ areas: [AreaMatch] = []) throws -> [GeocodingCandidate] {
        let words = WordFolding.words(of: search.query.text)
        var places: [PlaceMatch] = []
        for match in matches.sorted(by: { $0.precedes($1) }) {
            if let same = places.firstIndex(where: { $0.entry.isSamePlace(as: match.entry) }) {
                places[same].merge(match)
            } else {
                places.append(match)
            }
        }
        places.sort { $0.precedes($1) }
        let eclipsed = areas.filter { area in places.contains { !$0.entry.kind.isArea && area.isMeant(by: $0) } }
        places.removeAll { place in place.entry.kind.isArea && eclipsed.contains { $0.isMeant(by: place) } }
        // A capital that has the name of its country is as important as the country.
        for index in places.indices {
            for area in eclipsed where area.isCountry && area.isMeant(by: places[index]) {
                places[index].entry.raiseImportance(to: area.importance)
            }
        }
        let areas = areas.filter { area in !places.contains(where: area.isMeant) }
        places = places.map { $0.isTown(ofAddress: words) ? $0.inPart : $0 }.sorted { $0.precedes($1) }
        let home = try places.contains(where: \.isFarByName) ? neighbourhood().countryCode : nil
        func share(of place: PlaceMatch) -> Double { place.quality * place.weight * place.pull(from: home) }
        places =
            places.filter(\.isWhole).sorted { share(of: $0) > share(of: $1) }
            + places.filter { !$0.isWhole }.sorted { share(of: $0) > share(of: $1) }
        // The weight of an area ignores the distance, so that the likeliest place keeps its own weight.
        let scale = places.first.map { 1 / $0.pull(from: home) } ?? 1
        let total =
            places.reduce(0) { $0 + scale * $1.weight * $1.pull(from: home) }
            + areas.reduce(0) { $0 + $1.weight(from: home) }
        let isDoubtful = try isDoubtful(places)
        // A shop of that name itself may be known.
        let isByCommonWord =
            (places.first?.isSettlement ?? false)
            && (Placeless.isEveryday(words) || Placeless.isShop(words)
                || isDoubtful && (Placeless.isOfEachTown(search.query.text) || isSeveralUnlikely(places)))
        let towns = places.prefix(search.query.limit).map { match in
            var candidate = match.entry.candidate(
                confidence: scale * share(of: match) / total * (isDoubtful ? Self.whereDoubtful : 1),
                match: match.name, matched: match.matched, distance: match.distance)
            candidate.isDoubtful = isDoubtful
            candidate.isByCommonWord = isByCommonWord
            candidate.isRespelled = match.isRespelled || match.isByTransliteration && match.isWhole
            return candidate
        }
        let found =
            areas.isEmpty
            ? towns
            : (areas.map { $0.candidate(confidence: $0.weight(from: home) / total) } + towns).sorted {
                $0.confidence > $1.confidence
            }
        return Array(found.prefix(search.query.limit))
    }
}

extension PlaceMatch {
    fileprivate var isHouse: Bool { entry.kind == .house }
}
