internal import HunchModel

/// The words of a query with their alternatives, and the readings of the words as a name within areas.
struct SearchTerms {
    /// An alternative for a word.
    struct Alternative: Hashable {
        var word: String
        /// The fit, 0…1; 1 for the typed word itself.
        var fit: Double
    }

    /// A reading of the words.
    struct Reading {
        /// The indices of the words of the name and its address; never empty.
        var name: [Int]
        /// The named areas, each with the numbers of all areas of that name.
        var areas: [[Int64]]
    }

    /// A range of words that names areas.
    private struct Span {
        var range: Range<Int>
        var numbers: [Int64]
    }

    /// The maximum number of words for readings with areas. Longer queries are read as names only, because the number
    /// of readings grows.
    private static let mostWords = 14
    private static let mostSpans = 12
    static let longestSpan = 5
    private static let mostReadings = 24
    let words: [String]
    let alternatives: [[Alternative]]
    /// The readings, at most ``mostReadings``. In the first, all words are the name. In each other one, some words are
    /// areas of the gazetteer.
    let readings: [Reading]

    /// - Parameters:
    ///   - alternatives: for each word its alternatives, itself first.
    ///   - areas: returns the numbers of the areas of a name, given its joined words.
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
        // Long names are more reliable.
        return Array(spans.sorted { $0.range.count > $1.range.count }.prefix(mostSpans))
    }

    /// Adds a reading for each choice of non-overlapping spans that leaves at least one word.
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

    /// Returns whether a word is only one or two letters of an alphabet, such as the codes “CA” and “DE”. Too many
    /// names contain such words. Two Chinese or Japanese characters can be a name.
    static func isShort(_ word: String) -> Bool {
        word.count < 3 && word.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
    }
}
