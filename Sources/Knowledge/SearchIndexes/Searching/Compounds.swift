internal import FullText
internal import GRDB
internal import HunchModel

/// The compound words of Germanic languages by their last part: “Torte” finds “Kirschtorte”.
struct Compounds {
    /// The languages that write compounds as one word. In others, an equal end mostly is chance, as in “ring” and
    /// “engineering”, and counts only if nothing has the word itself.
    private static let languages: Set<String> = ["da", "de", "nl", "no", "sv"]
    /// The shortest last part, the shortest rest, and the last part from which on the rest may be shorter, in letters: neither
    /// “Art” nor “Tart” finds “Start”, but “räkning” finds “Elräkning”.
    private static let (shortestEnd, shortestFront, longEnd, front) = (4, 3, 5, 2)
    /// Endings of inflected forms in these languages: “Frist” finds “Abgabefristen”.
    private static let inflections = [
        "", "a", "ar", "arna", "e", "en", "ene", "er", "ern", "erna", "erne", "es", "et", "n", "ne", "or", "orna", "r",
        "rna",
        "rne", "s", "t",
    ]
    /// The most words of the index that are compared for one form, and the most compounds of a word.
    private static let (compared, limit) = (500, 32)
    /// The most compounds of which a search of some apps finds out whether these have them.
    private static let looked = 200
    /// The factors of a compound in addition to the word itself, of one instead of it, and of a corrected word.
    static let (beside, instead, corrected) = (0.25, 0.6, 0.4)

    /// Whether compounds count in addition to the word itself.
    let areUsual: Bool
    private let stemmer: Stemmer?
    /// The number of words whose compounds are still looked up.
    private var left = 8

    /// - Returns: `nil` if the file does not have the ends of words yet.
    init?(language: String, stemmer: Stemmer?, _ db: Database) throws {
        guard try WordEndings.exists(db) else { return nil }
        areUsual = Self.languages.contains(language)
        self.stemmer = stemmer
    }

    /// Returns the expressions for compounds of a term that items have, by their first and their last part; empty if compounds
    /// are not usual.
    mutating func beside(
        _ term: SearchTerm, _ frequencies: inout WordFrequencies, _ db: Database
    ) throws -> [SearchTerm.Alternative] {
        guard areUsual, term.isWord, let word = term.term.words.first, word.utf8.count >= Self.shortestEnd else {
            return []
        }
        let first = term.term.isUnfinished ? nil : SearchTerm.beginning(word, factor: Self.beside)
        return try [first].compactMap(\.self) + beginning(withStemOf: word, factor: Self.beside, db)
            + ending(in: word, factor: Self.beside, &frequencies, db)
    }

    /// Returns the expressions for words of the index that begin with the singular of a word in the plural: “Fahrräder” finds
    /// “Fahrradhelm”. Empty for a word that is its own stem, and if compounds are not usual.
    func beginning(withStemOf word: String, factor: Double, _ db: Database) throws -> [SearchTerm.Alternative] {
        guard areUsual, let stem = stemmer?.stem(word), stem != word, word.hasPrefix(stem),
            stem.utf8.count >= Self.shortestEnd,
            let last = stem.utf8.last
        else { return [] }
        // No word of letters comes between the ones with the stem and its successor.
        let end = String(stem.dropLast()) + String(UnicodeScalar(last + 1))
        let words = try String.fetchAll(
            db, sql: "SELECT term FROM spelling WHERE term > ? AND term < ? LIMIT \(Self.compared)",
            arguments: [stem, end])
        let compounds = words.filter { (other: String) -> Bool in
            let rest = other.dropFirst(stem.count)
            guard rest.utf8.count >= Self.shortestFront, !Self.derived.contains(rest) else { return false }
            return !other.hasPrefix(word) && stemmer?.stem(other) != stem
        }
        return Self.shortestFirst(compounds).prefix(Self.limit).map { .init([$0], factor: factor) }
    }

    private static func shortestFirst(_ words: some Sequence<String>) -> [String] {
        words.sorted { $0.utf8.count != $1.utf8.count ? $0.utf8.count < $1.utf8.count : $0 < $1 }
    }

    /// Endings with which a word is derived from a stem: “Buchung” is not a compound of “Buch”.
    private static let derived: Set<Substring> = [
        "ung", "ungen", "ing", "inge", "lich", "liche", "lichen", "isch", "ische", "ischen", "haft", "bar", "chen",
        "lein",
        "ling", "ende", "enden", "ens", "ere", "erin", "erei", "heit", "keit", "ning", "else", "lig",
    ]

    /// Returns the expressions for words of the index that end with a word, in any form.
    mutating func ending(
        in word: String, factor: Double, _ frequencies: inout WordFrequencies, _ db: Database
    ) throws -> [SearchTerm.Alternative] {
        var alternatives: [SearchTerm.Alternative] = []
        for word in try words(endingIn: word, db).prefix(Self.looked) where alternatives.count < Self.limit {
            let alternative = SearchTerm.Alternative([word], factor: factor)
            // Words of other apps do not take up places.
            if frequencies.isScoped, try frequencies.count(alternative.expression, db) == 0 { continue }
            alternatives.append(alternative)
        }
        return alternatives
    }

    /// Returns the words of the index that end with a word in any form, the shortest first. Empty for short words.
    private mutating func words(endingIn word: String, _ db: Database) throws -> [String] {
        guard left > 0, word.utf8.count >= Self.shortestEnd else { return [] }
        left -= 1
        let stem = stemmer?.stem(word) ?? word
        // “Bescheinigungen” finds “Lohnsteuerbescheinigung”, whose stem is shorter.
        let singulars = Self.inflections.filter(word.hasSuffix).map { String(word.dropLast($0.count)) }
            .filter { stemmer?.stem($0) == stem }
        let bases = Set([word, stem] + singulars).filter { $0.utf8.count >= Self.shortestEnd }
        let forms = Set(bases.flatMap { base in Self.inflections.map { base + $0 } })
        var found: Set<String> = []
        for form in forms {
            for other in try WordEndings.words(endingIn: form, limit: Self.compared, db)
            where Self.isCompound(other, end: form.utf8.count) { found.insert(other) }
        }
        return Self.shortestFirst(found)
    }

    /// Returns whether a word may consist of a last part with a number of letters and another word: “sch” before
    /// “immer” is not a word.
    static func isCompound(_ word: String, end: Int) -> Bool {
        let front = word.utf8.dropLast(end)
        return front.count >= (end >= longEnd ? Self.front : shortestFront)
            && front.contains { "aeiouy".utf8.contains($0) }
    }
}
