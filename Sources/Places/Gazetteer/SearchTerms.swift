import GRDB

/// The words of a query, folded as the full-text index folds them, and the index expressions made of them.
///
/// Words come out of the tokenizer and go into expressions only between quotes, so that no query is syntax.
struct SearchTerms {
    /// How a set of matches was found, best first.
    enum Tier: CaseIterable {
        /// The name is the query's words, all of them or all but those that name its state or country.
        case whole
        /// The words are all in the names of the place and its areas.
        case words
        /// As `words`, with the last word unfinished.
        case prefix
    }

    let words: [String]

    /// Longer queries are not split into name and area: the number of splits would grow with them.
    private static let mostSplitWords = 8

    init(words: [String]) { self.words = words }

    init(_ text: String, tokenizer: any FTS5Tokenizer) throws {
        words = try Self.words(of: text, tokenizer)
    }

    static func words(of text: String, _ tokenizer: any FTS5Tokenizer) throws -> [String] {
        try tokenizer.tokenize(document: text).map(\.token)
    }

    /// Every way to read the query as a name followed or preceded by its areas; the first has no area.
    var readings: [(name: [String], areas: [String])] {
        guard words.count <= Self.mostSplitWords, words.count > 1 else { return [(words, [])] }
        let splits = (1..<words.count).flatMap { split in
            [
                (Array(words[..<split]), Array(words[split...])), (Array(words[split...]), Array(words[..<split])),
            ]
        }
        return [(words, [])] + splits
    }

    /// The expression that finds a tier's matches, or `nil` when the words allow none.
    func expression(for tier: Tier) -> String? {
        guard let last = words.last else { return nil }
        switch tier {
        case .whole:
            return readings.map { reading in
                let name = "whole : \(Self.quoted(reading.name.joined()))"
                return reading.areas.isEmpty
                    ? name : "(\(name) AND context : \(Self.all(reading.areas.map(Self.quoted))))"
            }.joined(separator: " OR ")
        case .words: return Self.anywhere(words.map(Self.quoted))
        case .prefix:
            // One letter fits so much that it says nothing.
            guard last.unicodeScalars.count > 1 || !last.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            let terms = words.dropLast().map(Self.quoted) + ["\(Self.quoted(last)) *"]
            return Self.anywhere(terms)
        }
    }

    /// All terms in the names of the place or its areas, at least one of them in the place's own.
    private static func anywhere(_ terms: [String]) -> String {
        "({words context} : \(all(terms))) AND (words : (\(terms.joined(separator: " OR "))))"
    }

    private static func all(_ terms: [String]) -> String { "(\(terms.joined(separator: " AND ")))" }

    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\"", with: "\"\"") + "\""
    }
}
