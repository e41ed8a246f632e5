import Geocoding
import GRDB
import HunchModel
import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Searches the index for the words of a query.
final class GazetteerSearch {
    /// The maximum number of matches of one reading to compare, the most important first.
    private static let mostWeighed = 100
    /// The maximum number of alternatives of a mistyped word.
    private static let mostAlternatives = 24
    /// The maximum number of areas of one name.
    private static let mostAreas = 64
    /// The maximum number of completions of an unfinished word.
    private static let mostEndings = 48

    let db: Database
    let segments: [Int64]
    let query: GeocodingQuery
    private let readers: [SegmentReader]
    private let spelling: TypedSpelling
    private var known: [String: Bool] = [:]
    private var areaNumbers: [String: [Int64]] = [:]
    private var nearest: [String: [SearchTerms.Alternative]] = [:]
    private var exactMatches: [Asked: [PlaceMatch]] = [:]
    private var circles: [Int64: SearchCircle] = [:]

    /// The cache key of a search that several readings share.
    private struct Asked: Hashable {
        let words: [String]
        let onlyWhole: Bool
    }

    init(db: Database, segments: [Int64], query: GeocodingQuery) {
        self.db = db
        self.segments = segments
        self.query = query
        readers = segments.map { SegmentReader(segment: $0, db: db) }
        spelling = TypedSpelling(query.text)
    }

    /// Returns the places for the words as typed.
    ///
    /// - Parameters:
    ///   - circle: the circle that must contain them.
    ///   - onlyWhole: whether the words, except those of an area, have to be a whole name.
    func exact(_ words: [String], in circle: SearchCircle? = nil, onlyWhole: Bool = false) throws -> [PlaceMatch] {
        let asked = Asked(words: words, onlyWhole: onlyWhole)
        if circle == nil, let known = exactMatches[asked] { return known }
        let terms = try SearchTerms(words, alternatives: words.map { [.init(word: $0, fit: 1)] }, areas: areas)
        let found = try matches(terms, in: circle, onlyWhole: onlyWhole)
        if circle == nil { exactMatches[asked] = found }
        return found
    }

    /// Returns the places for the words with an unfinished last word.
    func unfinished(_ words: [String]) throws -> [PlaceMatch] {
        // Two letters are enough if there are other words.
        guard let last = words.last, last.utf8.count > 1, words.count > 1 || !SearchTerms.isShort(last) else {
            return []
        }
        var alternatives: [[SearchTerms.Alternative]] = words.map { [.init(word: $0, fit: 1)] }
        alternatives[words.count - 1] += try endings(of: last)
        guard alternatives[words.count - 1].count > 1 else { return [] }
        return try matches(SearchTerms(words, alternatives: alternatives, areas: areas))
            .filter { !$0.isByTransliteration }.map(\.completed)
    }

    private func endings(of beginning: String) throws -> [SearchTerms.Alternative] {
        var endings: [SearchTerms.Alternative] = []
        for reader in readers {
            for word in try reader.words(beginningWith: beginning, limit: Self.mostEndings) where word != beginning {
                let ending = SearchTerms.Alternative(word: word, fit: 0.75)
                if !endings.contains(ending) { endings.append(ending) }
            }
        }
        return endings
    }

    /// Returns the places for the words with abbreviations in German town names: "Bad Homburg v. d. Höhe", "Freiburg
    /// i. Br.".
    func abbreviated(_ words: [String]) throws -> [PlaceMatch] {
        guard query.text.contains("."), words.dropFirst().contains(where: { Self.particles[$0] != nil }) else {
            return []
        }
        var alternatives = words.map { word in
            ([word] + (Self.particles[word] ?? [])).map {
                SearchTerms.Alternative(word: $0, fit: $0 == word ? 1 : 0.95)
            }
        }
        let found = try matches(SearchTerms(words, alternatives: alternatives, areas: areas))
        guard found.isEmpty, let last = words.last, last.utf8.count > 1, query.text.hasSuffix(".") else { return found }
        alternatives[words.count - 1] += try endings(of: last)
        return try matches(SearchTerms(words, alternatives: alternatives, areas: areas)).map(\.inPart)
    }

    /// The words that a letter with a point may abbreviate.
    private static let particles = [
        "a": ["am", "an"], "b": ["bei", "beim"], "d": ["der", "den", "dem"], "i": ["im", "in"], "o": ["ob"],
        "u": ["unter"], "v": ["vor", "von", "vom"],
    ]

    /// Returns the places for the words with typing errors corrected: unknown words are replaced by similar ones.
    func corrected(_ words: [String], in circle: SearchCircle? = nil) throws -> [PlaceMatch] {
        let spaced = try spacedAnew(words, in: circle)
        var found: [PlaceMatch] = []
        var alternatives: [[SearchTerms.Alternative]] = []
        var isChanged = false
        for word in words {
            let others = try isKnown(word) ? [] : neighbours(of: word)
            isChanged = isChanged || !others.isEmpty
            alternatives.append([.init(word: word, fit: 1)] + others)
        }
        if isChanged { found += try matches(SearchTerms(words, alternatives: alternatives, areas: areas), in: circle) }
        guard spaced.isEmpty, found.isEmpty, !isChanged else { return spaced + found.compactMap(\.respelled) }
        // All words exist, but one of them may still be mistyped.
        for index in words.indices where words.count > 1 {
            let others = try neighbours(of: words[index])
            guard !others.isEmpty else { continue }
            var alternatives: [[SearchTerms.Alternative]] = words.map { [.init(word: $0, fit: 1)] }
            alternatives[index] += others
            found += try matches(SearchTerms(words, alternatives: alternatives, areas: areas), in: circle)
        }
        return found.compactMap(\.respelled)
    }

    /// Returns the places for the words with two joined or one split, as in “NewYork”. No letters are changed.
    func spacedAnew(_ words: [String], in circle: SearchCircle? = nil) throws -> [PlaceMatch] {
        // “Eider” is not Eid in Eritrea with the code ER.
        try respaced(words).flatMap { try exact($0, in: circle) }.filter { words.count > 1 || $0.matched.count == 1 }
    }

    /// Returns the cached circle around a place.
    ///
    /// - Parameter radius: the radius in metres, always the same for a place.
    func circle(around place: GazetteerEntry, radius: Double) -> SearchCircle {
        if let known = circles[place.number] { return known }
        let circle = SearchCircle(centre: place.coordinate, radius: radius)
        circles[place.number] = circle
        return circle
    }

    /// Returns whether a list has towns with their sizes.
    func knowsSizes() throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM place WHERE kind = ? AND NOT is_approximate)")
        return try Bool.fetchOne(statement, arguments: [PlaceKind.city.rawValue]) ?? false
    }

    private func isKnown(_ word: String) throws -> Bool {
        if try SearchTerms.isShort(word) || isKnownName(word) { return true }
        return try !areas(word).isEmpty
    }

    /// Returns the countries and states of a name, and the states of a name followed by their country.
    func areas(named words: [String]) throws -> [AreaMatch] {
        guard words.count <= SearchTerms.longestSpan * 2, words.count > 1 || !SearchTerms.isShort(words[0]) else {
            return []
        }
        var numbers = Set(try areas(words.joined()))
        for cut in words.indices.dropFirst() {
            let sides = try [words[..<cut], words[cut...]].map { try areas($0.joined()) }
            for (inner, outer) in [(sides[0], sides[1]), (sides[1], sides[0])] where !inner.isEmpty && !outer.isEmpty {
                let parents = Set(outer)
                numbers.formUnion(try inner.filter { try parents.contains(AreaMatch.parent(of: $0, db) ?? 0) })
            }
        }
        var found: [AreaMatch] = []
        for number in numbers.sorted() {
            guard let area = try AreaMatch(number, words, db) else { continue }
            if let same = found.firstIndex(where: { $0.isSame(as: area) }) {
                found[same].merge(area)
            } else {
                found.append(area)
            }
        }
        return found
    }

    /// Returns whether a word is a name or code of a country or state.
    func isArea(_ word: String) throws -> Bool { try !areas(word).isEmpty }

    /// Returns the country codes of the states with a name or code; `nil` if there is none, or a country has it.
    func countries(ofState word: String) throws -> Set<String>? {
        let statement = try db.cachedStatement(
            sql: "SELECT is_country, country_code FROM area_key JOIN area ON area.id = area_id WHERE key = ?")
        let rows = try Row.fetchAll(statement, arguments: [word])
        guard !rows.isEmpty, !rows.contains(where: { $0[0] }) else { return nil }
        return Set(rows.compactMap { $0[1] as String? })
    }

    /// Returns whether a word contains digits, or a place or an area has it.
    func isSomewhere(_ word: String) throws -> Bool {
        if word.utf8.contains(where: \.isASCIIDigit) { return true }
        return try isKnownName(word) || isArea(word)
    }

    private func areas(_ key: String) throws -> [Int64] {
        if let numbers = areaNumbers[key] { return numbers }
        let statement = try db.cachedStatement(
            sql: "SELECT area_id FROM area_key WHERE key = ? LIMIT \(Self.mostAreas)")
        let numbers = try Int64.fetchAll(statement, arguments: [key])
        areaNumbers[key] = numbers
        return numbers
    }

    /// Returns the words similar to a word, the most similar and frequent first.
    private func neighbours(of word: String) throws -> [SearchTerms.Alternative] {
        if let nearest = nearest[word] { return nearest }
        guard let pattern = WordPattern(word) else { return [] }
        var found: [String: Vocabulary.Neighbour] = [:]
        for reader in [SegmentReader(segment: GazetteerSchema.areaSegment, db: db)] + readers {
            for neighbour in try reader.neighbours(of: pattern)
            where neighbour.distance > 0 && !pattern.isAnotherName(neighbour) {
                found[neighbour.word, default: neighbour].count += neighbour.count
            }
        }
        let sorted = found.values.sorted { ($0.distance, -$0.count, $0.word) < ($1.distance, -$1.count, $1.word) }
            .prefix(Self.mostAlternatives).map {
                SearchTerms.Alternative(word: $0.word, fit: $0.distance == 1 ? 0.85 : 0.65)
            }
        nearest[word] = sorted
        return sorted
    }

    /// Returns the words with two of them joined, or one split, if the result is known.
    private func respaced(_ words: [String]) throws -> [[String]] {
        var results: [[String]] = []
        for index in words.indices {
            if index > 0 {
                // Folded again, because “P.za” becomes an abbreviation only when it is joined.
                let joined = WordFolding.joined(words[index - 1] + words[index])
                if try isKnownName(joined) {
                    results.append(words[..<(index - 1)] + [joined] + words[(index + 1)...])
                }
            }
            let word = words[index]
            guard word.utf8.count >= 5, try !isKnownName(word) else { continue }
            for cut in word.indices.dropFirst() {
                let (left, right) = (String(word[..<cut]), String(word[cut...]))
                guard try isKnownName(left), try isKnownName(right) else { continue }
                results.append(words[..<index] + [left, right] + words[(index + 1)...])
            }
        }
        return results.prefix(6).map { $0 }
    }

    private func isKnownName(_ word: String) throws -> Bool {
        if let isKnown = known[word] { return isKnown }
        let isKnown = try readers.contains { try $0.has(word) }
        known[word] = isKnown
        return isKnown
    }

    private func matches(
        _ terms: SearchTerms, in circle: SearchCircle? = nil, onlyWhole: Bool = false
    ) throws -> [PlaceMatch] {
        guard !terms.words.isEmpty else { return [] }
        var best: [Int64: PlaceMatch] = [:]
        let limit = max(query.limit * 2, Self.mostWeighed / max(segments.count, 1))
        for reader in readers {
            for reading in terms.readings {
                let isShort = reading.name.count == 1 && SearchTerms.isShort(terms.words[reading.name[0]])
                let hits = try SegmentSearch(reader: reader).hits(
                    reading, of: terms, in: circle, onlyWhole: onlyWhole || isShort, limit: limit)
                for hit in hits {
                    guard let entry = try GazetteerEntry.entry(hit.number, db),
                        let match = PlaceMatch(entry, hit, reading, terms, spelling: spelling, near: query.near),
                        circle?.contains(entry.coordinate) ?? true,
                        // “Big Ben” is not a part of “nan ben de”, which stands for South Bend.
                        match.isWhole || !match.isByTransliteration
                    else { continue }
                    if let known = best[hit.number], !match.precedes(known) { continue }
                    best[hit.number] = match
                }
            }
        }
        return Array(best.values)
    }
}
