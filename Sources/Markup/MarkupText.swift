/// Texts of structured data.
enum MarkupText {
    /// Returns a text without white space at its ends, and with single spaces inside.
    static func collapsed(_ text: String) -> String {
        text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }.joined(separator: " ")
    }

    /// The beginnings of addresses in the vocabulary of schema.org.
    private static let vocabularies = [
        "http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/",
    ]

    /// Returns the name of a type or a property in schema.org without its vocabulary; other names as they are.
    static func shortName(_ name: String) -> String {
        for vocabulary in vocabularies where name.hasPrefix(vocabulary) && name.count > vocabulary.count {
            return String(name.dropFirst(vocabulary.count))
        }
        return name.hasPrefix("schema:") ? String(name.dropFirst("schema:".count)) : name
    }
}
