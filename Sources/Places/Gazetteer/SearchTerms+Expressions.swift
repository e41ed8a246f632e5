/// Index expressions. Words come out of the tokenizer and go into expressions only between quotes, so that no query is
/// syntax.
extension SearchTerms {
    /// How a set of matches was found, best first.
    enum Tier: CaseIterable {
        /// The name is the query's words, all of them or all but those that name its state or country.
        case whole
        /// The words of the name are among those of the place's names.
        case words
        /// As `words`, with the last word unfinished.
        case prefix
    }

    /// The expression that finds a tier's matches, or `nil` when the words allow none.
    func expression(for tier: Tier) -> String? {
        let choices = readings.compactMap { reading -> String? in
            guard let name = Self.name(of: reading, tier) else { return nil }
            guard !reading.areas.isEmpty else { return "(\(name))" }
            let areas = reading.areas.map { numbers in
                "(" + numbers.map { Self.quoted(GazetteerSchema.word(ofArea: $0)) }.joined(separator: " OR ") + ")"
            }
            return "(\(name) AND context : (\(areas.joined(separator: " AND "))))"
        }
        return choices.isEmpty ? nil : choices.joined(separator: " OR ")
    }

    private static func name(of reading: Reading, _ tier: Tier) -> String? {
        switch tier {
        case .whole: return "whole : \(quoted(reading.name.joined()))"
        case .words:
            guard reading.name.count > 1 || !isShort(reading.name[0]) else { return nil }
            return "words : (\(reading.name.map(quoted).joined(separator: " AND ")))"
        case .prefix:
            guard reading.endsInName, let last = reading.name.last, last.utf8.count > 1 else { return nil }
            guard reading.name.count > 1 || !isShort(last) else { return nil }
            let terms = reading.name.dropLast().map(quoted) + ["\(quoted(last)) *"]
            return "words : (\(terms.joined(separator: " AND ")))"
        }
    }

    /// Whether a word is one or two letters of an alphabet, which begin so many names, and stand in so many, that they
    /// say nothing: “CA” and “DE” are codes of areas. Two characters of Chinese or Japanese are a name.
    private static func isShort(_ word: String) -> Bool {
        word.count < 3 && word.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
    }

    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\"", with: "\"\"") + "\""
    }
}
