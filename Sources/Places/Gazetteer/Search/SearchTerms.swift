internal import HunchModel

/// A query's words with what may stand for each, and the ways to read them as a name and its areas.
struct SearchTerms {
    /// A word that may be the one meant.
    struct Alternative: Hashable {
        var word: String
        /// The fit, 0…1; 1 for the typed word itself.
        var fit: Double
    }

    /// One way to read the words.
    struct Reading {
        /// The indices of the words of the name and its address; never empty.
        var name: [Int]
        /// The areas named besides, each with the numbers of all areas of that name.
        var areas: [[Int64]]
    }

    /// A run of words that is the name of areas.
    private struct Span {
        var range: Range<Int>
        var numbers: [Int64]
    }

    /// Longer queries are read as names only: the number of readings would grow with them.
    private static let mostWords = 14
    private static let mostSpans = 12
    static let longestSpan = 5
    private static let mostReadings = 24
    let words: [String]
    let alternatives: [[Alternative]]
    /// All readings that the gazetteer's areas allow; the first is that all words are the name.
    let readings: [Reading]

    /// - Parameters:
    ///   - alternatives: for each word what may stand for it, itself first.
    ///   - areas: tells the numbers of the areas of a name whose words are joined.
    init(_ words: [String], alternatives: [[Alternative]], areas: (String) throws -> [Int64]) throws {
        self.words = words
        self.alternatives = alternatives
        var readings = [Reading(name: Array(words.indices), areas: [])]
        if (2...Self.mostWords).contains(words.count) {
            let spans = try Self.spans(words, alternatives, areas)
            Self.cover(words.count, spans, from: 0, [], &readings)
        }
        self.readings = readings
    }

    private static func spans(
        _ words: [String], _ alternatives: [[Alternative]], _ areas: (String) throws -> [Int64]
    ) throws -> [Span] {
        var spans: [Span] = []
        for start in words.indices {
            for end in (start + 1)...min(start + longestSpan, words.count) where end - start < words.count {
                var keys = [words[start..<end].joined()]
                if end == start + 1 { keys += alternatives[start].dropFirst().map(\.word) }
                var numbers: [Int64] = []
                for key in keys { numbers += try areas(key) }
                if !numbers.isEmpty { spans.append(Span(range: start..<end, numbers: numbers)) }
            }
        }
        // Long names are the surer ones.
        return Array(spans.sorted { $0.range.count > $1.range.count }.prefix(mostSpans))
    }

    /// Adds a reading for each choice of spans that leaves a word and has no two in one place.
    private static func cover(
        _ count: Int, _ spans: [Span], from first: Int, _ chosen: [Span], _ readings: inout [Reading]
    ) {
        guard chosen.count < 3 else { return }
        for index in spans.indices.dropFirst(first) where readings.count < mostReadings {
            let span = spans[index]
            guard !chosen.contains(where: { $0.range.overlaps(span.range) }) else { continue }
            let all = chosen + [span]
            let name = (0..<count).filter { word in !all.contains { $0.range.contains(word) } }
            guard !name.isEmpty else { continue }
            readings.append(Reading(name: name, areas: all.map(\.numbers)))
            cover(count, spans, from: index + 1, all, &readings)
        }
    }

    /// Whether a word is one or two letters of an alphabet, which begin so many names, and stand in so many, that they
    /// say nothing: “CA” and “DE” are codes of areas. Two characters of Chinese or Japanese are a name.
    static func isShort(_ word: String) -> Bool {
        word.count < 3 && word.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
    }
}
