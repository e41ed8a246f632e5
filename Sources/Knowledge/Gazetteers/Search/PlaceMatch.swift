import Geocoding
import HunchModel
import JourneyWords

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// A place that matches a query, with the quality of the match.
struct PlaceMatch {
    var entry: GazetteerEntry
    /// Whether the words are one of the place's names as a whole.
    let isWhole: Bool
    /// The kind of name that matched; ``NameMatch/partial`` if the words were not searched as typed.
    var name: NameMatch
    /// The share of the place's name that is in the query, 0…1.
    private let coverage: Double
    /// The fit between the place's words and the typed words, 0…1.
    var fit: Double
    /// Whether a word is abbreviated in the query but not in the name, or the other way round: “St.” and “Saint”.
    private let isAbbreviated: Bool
    /// Whether it matches by the code of an airport that was not typed in capitals: “lax”.
    let isBySmallCode: Bool
    /// Whether a typing error was corrected, or an unfinished word completed.
    var isRespelled = false
    /// The matched names, as the source spells them.
    var matched: [String]
    private let near: Coordinate?
    /// The states and countries of the place according to all sources, which divide countries differently.
    private(set) var areas: [GazetteerEntry.Area]
    /// Whether a source has its name in several scripts.
    private(set) var isRenowned: Bool

    /// Compares the words with each name of a place. Returns `nil` if no name matches after all.
    init?(
        _ entry: GazetteerEntry, _ hit: SegmentSearch.Hit, _ reading: SearchTerms.Reading, _ terms: SearchTerms,
        spelling: TypedSpelling, near: Coordinate?
    ) {
        let typed = reading.name.map { Set(terms.alternatives[$0].map(\.word)) }
        var best: (name: String, count: Int, coverage: Double, match: NameMatch, isAbbreviated: Bool)?
        let qualified = Self.qualifiedNames(of: entry)
        let names =
            [(entry.name, NameMatch.ownName)]
            + entry.alternates.map { name in
                (name, qualified.contains(name) || Self.isOwnName(name, of: entry) ? .ownName : .otherName)
            }
            + entry.doubtfulNames.map { ($0, .partial) }
        for (name, kind) in names {
            let words = WordFolding.words(of: name)
            guard !words.isEmpty, entry.kind != .city || !Self.isCode(name, of: entry) || spelling.hasCode(name) else {
                continue
            }
            let count = typed.count { alternatives in words.contains(where: alternatives.contains) }
            let covered = words.count { word in typed.contains { $0.contains(word) } }
            let coverage = Double(covered) / Double(words.count)
            let agreement = spelling.agreement(with: name)
            let isOwnCode =
                kind == .partial && spelling.isCode(name) && entry.importance >= Self.leastOfCode
                && names.contains { Self.initials(of: $0.0) == name }
            let isUnsure = agreement == .different || kind == .otherName && Self.isCharacter(name, ofNameOf: entry)
            let match = isUnsure ? .partial : isOwnCode ? .otherName : kind
            if (count, coverage) > (best?.count ?? 0, best?.coverage ?? 0)
                || (count, coverage) == (best?.count ?? 0, best?.coverage ?? 0)
                    && best.map({ match > $0.match }) ?? false
            {
                best = (name, count, coverage, match, agreement == .abbreviated)
            }
        }
        guard let best, !Self.isCode(best.name, of: entry) || hit.fit == 1 && spelling.hasCode(best.name) else {
            return nil
        }
        let others = [entry.street, entry.postalCode, entry.city].compactMap { $0 }.flatMap { text in
            WordFolding.words(of: text) + [WordFolding.joined(text)]
        }
        let ofName = WordFolding.words(of: best.name)
        let isComplete = typed.allSatisfy { alternatives in
            ofName.contains(where: alternatives.contains) || others.contains(where: alternatives.contains)
        }
        self.entry = entry
        areas = entry.areas
        isRenowned = entry.isRenowned
        self.near = near
        coverage = best.coverage
        fit = hit.fit
        isAbbreviated = best.isAbbreviated
        isBySmallCode = Self.isCode(best.name, of: entry) && !spelling.hasCapitals(best.name)
        // The words that are not in the name are in the address.
        isWhole = best.coverage == 1 && best.count > 0
        let isOrdered = Self.isOrdered(typed, as: ofName)
        name = isWhole && isComplete && isOrdered ? best.match : .partial
        var matched = [best.name]
        for text in [entry.street, entry.postalCode, entry.city] {
            guard let text, !matched.contains(text) else { continue }
            let words = WordFolding.words(of: text) + [WordFolding.joined(text)]
            if typed.contains(where: { $0.contains(where: words.contains) }) { matched.append(text) }
        }
        let asked = Set(terms.words)
        for area in entry.areas where reading.areas.contains(where: { $0.contains(area.id) }) {
            matched.append(Self.named(area, by: asked) ?? area.name)
        }
        self.matched = matched
        if qualified.contains(best.name) || best.match == .otherName && best.coverage == 1 && entry.hasNameOfQuarter {
            self.entry.rename(best.name)
        }
    }

    /// Returns the alternate names of a town that an official name extends in parentheses, as “Lübben (Spreewald)” does. A town
    /// with two languages has one more name of its own: GeoNames calls Lübben “Lubin”, as the Sorbs do.
    private static func qualifiedNames(of entry: GazetteerEntry) -> Set<String> {
        guard entry.kind == .city else { return [] }
        let own = WordFolding.words(of: entry.name)
        return Set(
            entry.alternates.compactMap { name in
                guard name.hasSuffix(")"), let end = name.firstRange(of: " (")?.lowerBound else { return nil }
                let short = String(name[..<end])
                return own.starts(with: WordFolding.words(of: short)) ? nil : short
            })
    }

    /// Returns whether a name is the code of an airport or a weather station, or that of a city's airport, which must not match
    /// a mistyped or abbreviated word: “Str.” is not Stuttgart.
    private static func isCode(_ name: String, of entry: GazetteerEntry) -> Bool {
        let lengths = entry.kind == .city ? 3...3 : 3...4
        return [.airport, .weatherStation, .city].contains(entry.kind) && lengths.contains(name.utf8.count)
            && name != entry.name && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// Returns whether an alternate name is one Chinese character of the place's own longer name, which lists have by mistake: 原 of
    /// 市原市. But 津市 is called 津.
    private static func isCharacter(_ name: String, ofNameOf entry: GazetteerEntry) -> Bool {
        guard name.count == 1, let character = name.first, character.utf8.count > 2 else { return false }
        return entry.alternates.contains {
            $0.count > 1 && $0.contains(character) && !($0.count == 2 && $0.first == character)
        }
    }

    /// Returns whether an alternate name is as common as the name: each short name of a large airport, such as Heathrow, and
    /// that of a town without its river, such as Halle for Halle (Saale).
    private static func isOwnName(_ name: String, of entry: GazetteerEntry) -> Bool {
        if entry.name.hasSuffix(")"), entry.name.hasPrefix(name + " (") { return true }
        return entry.kind == .airport && entry.importance >= leastOfLargeAirport && !isCode(name, of: entry)
    }

    /// Returns whether the typed words have the same order as in the name: “Hòa Thành” is not Thanh Hóa.
    private static func isOrdered(_ typed: [Set<String>], as name: [String]) -> Bool {
        var rest = name[...]
        for alternatives in typed where name.contains(where: alternatives.contains) {
            guard let place = rest.firstIndex(where: alternatives.contains) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Returns the name of an area that is in the query.
    private static func named(_ area: GazetteerEntry.Area, by words: Set<String>) -> String? {
        ([area.name] + area.aliases).first { name in
            let own = WordFolding.words(of: name)
            return !own.isEmpty && words.isSuperset(of: own)
        }
    }

    /// The minimum importance of an airport with ten million passengers a year.
    private static let leastOfLargeAirport = 0.6

    /// The minimum importance of a town whose initials are its code, such as LA, SF or NYC: that of a city of 800,000
    /// people.
    private static let leastOfCode = 0.7

    private static func initials(of name: String) -> String {
        String(name.split { !$0.isLetter }.compactMap(\.first))
    }

    /// The distance from the query's coordinate in metres; `nil` without one.
    var distance: Double? { near.map { $0.distance(to: entry.coordinate) } }

    /// The fit of the text, 0…1.
    var quality: Double { (isWhole ? 1 : 0.5 + 0.3 * coverage) * fit }

    /// The importance plus a bonus for proximity. The bonus is at most the difference between a town of a million and
    /// one of ten thousand people, and half of that at 50 km.
    var rank: Double { entry.importance + (distance.map { 0.3 / (1 + $0 / 50_000) } ?? 0) }

    /// The weight of the match among all matches, proportional to its probability. A step of ``NameMatch`` is a factor
    /// of ten, and the whole range of importance a factor of a million.
    var weight: Double {
        pow(10, 6 * rank + Double(isByNameOfMetropolis ? NameMatch.ownName.rawValue : name.rawValue)) * pow(quality, 4)
            * (isAbbreviated ? Self.whereAbbreviated : 1)
            * (isByForeignName ? Self.shareOfForeignName : 1)
    }

    /// Whether the words are the name of a metropolis in another language, which is known as well as its own: “Rom” is Rome
    /// rather than one of the villages Rom.
    private var isByNameOfMetropolis: Bool {
        name == .otherName && entry.kind == .city && isRenowned && entry.importance >= Self.leastOfMetropolis
            && !isByUnrelatedName
    }

    /// The minimum importance of a metropolis: that of a city of two million people.
    private static let leastOfMetropolis = 0.75

    /// The factor for a name that has nothing in common with the place's own: a village of that name is likelier.
    private static let shareOfForeignName = 0.1

    /// The factor for a different abbreviation. It prefers St. Petersburg to Saint Petersburg for “St. Petersburg”, but
    /// does not make it certain.
    private static let whereAbbreviated = 0.35

    /// Returns whether it ranks before another match: a whole name before a part, then by quality, importance and kind
    /// of name.
    func precedes(_ other: PlaceMatch) -> Bool {
        if isWhole != other.isWhole { return isWhole }
        let (own, others) = (strength, other.strength)
        return own == others ? entry.number < other.entry.number : own > others
    }

    private var strength: Double { quality + rank + Double(name.rawValue) / 6 }

    /// The same match as a partial one, for words that were changed before the search.
    var inPart: PlaceMatch {
        var match = self
        match.name = .partial
        return match
    }

    /// Merges the match of another source's entry for the same place.
    mutating func merge(_ other: PlaceMatch) {
        // Victoria is a part of Hong Kong, and not the city's own name.
        if other.entry.isApproximate || other.entry.importance > entry.importance - Self.tenfold {
            name = max(name, other.name)
        }
        entry.adopt(other.entry)
        areas += other.areas
        isRenowned = isRenowned || other.isRenowned
    }
}
