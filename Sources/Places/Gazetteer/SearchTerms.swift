import GRDB

/// The words of a query, folded as the full-text index folds them, and the ways to read them as a name and its areas.
struct SearchTerms {
    /// One way to read the words.
    struct Reading {
        /// The words of the name, never empty.
        var name: [String]
        /// The areas named besides, each with the numbers of all areas of that name.
        var areas: [[Int64]]
        /// Whether the words before or after the name say its areas.
        var areaWords: [String]
        /// Whether the last word of the query is the last of the name, so that it may be unfinished.
        var endsInName: Bool
    }

    /// The tokenizer of the index.
    static let tokenizer = FTS5TokenizerDescriptor.unicode61(diacritics: .remove)

    let words: [String]
    /// All readings that the gazetteer's areas allow; the first is that all words are the name.
    let readings: [Reading]

    /// Longer queries are read as names only: the number of readings would grow with them.
    private static let mostSplitWords = 12
    /// The most areas of one name that are looked at.
    private static let mostAreas = 64

    static func words(of text: String, _ tokenizer: any FTS5Tokenizer) throws -> [String] {
        try tokenizer.tokenize(document: text).map(\.token)
    }

    init(words: [String], in db: Database) throws {
        self.words = words
        var readings = [Reading(name: words, areas: [], areaWords: [], endsInName: true)]
        if (2...Self.mostSplitWords).contains(words.count) {
            var known: [Range<Int>: [Int64]] = [:]
            for split in 1..<words.count {
                for (name, rest) in [(0..<split, split..<words.count), (split..<words.count, 0..<split)] {
                    for areas in try Self.areas(of: rest, words, &known, db) {
                        readings.append(
                            Reading(
                                name: Array(words[name]), areas: areas, areaWords: Array(words[rest]),
                                endsInName: name.upperBound == words.count))
                    }
                }
            }
        }
        self.readings = readings
    }

    /// Every way to read some words as one or two names of areas: a state, a country, or both.
    private static func areas(
        of range: Range<Int>, _ words: [String], _ known: inout [Range<Int>: [Int64]], _ db: Database
    ) throws -> [[[Int64]]] {
        var found: [[[Int64]]] = []
        let whole = try numbers(of: range, words, &known, db)
        if !whole.isEmpty { found.append([whole]) }
        for middle in range.dropFirst() {
            let first = try numbers(of: range.lowerBound..<middle, words, &known, db)
            guard !first.isEmpty else { continue }
            let second = try numbers(of: middle..<range.upperBound, words, &known, db)
            if !second.isEmpty { found.append([first, second]) }
        }
        return found
    }

    private static func numbers(
        of range: Range<Int>, _ words: [String], _ known: inout [Range<Int>: [Int64]], _ db: Database
    ) throws -> [Int64] {
        if let numbers = known[range] { return numbers }
        let statement = try db.cachedStatement(sql: "SELECT area_id FROM area_key WHERE key = ? LIMIT \(mostAreas)")
        let numbers = try Int64.fetchAll(statement, arguments: [words[range].joined()])
        known[range] = numbers
        return numbers
    }
}
