/// Inflected names of places: Russian “из Москвы”, Polish “do Krakowa”, Czech “do Brna”.
package enum NameCases {
    /// Endings of the genitive and the accusative, and those of the nominative, in Slavic languages.
    private static let endings: [(inflected: String, nominative: String)] = [
        ("єва", "їв"), ("ова", "ів"), ("ської", "ська"), ("ы", "а"), ("и", "ь"), ("и", "а"), ("и", "я"), ("у", "а"),
        ("ю", "я"), ("я", "ь"), ("я", "й"), ("а", ""), ("ого", "ый"),
        ("nia", "n"), ("ia", ""), ("ce", "ec"), ("ce", "c"), ("ně", "ň"), ("ně", "eň"), ("y", "a"), ("i", "a"),
        ("i", ""),
        ("a", ""), ("a", "o"), ("e", ""), ("ic", "ice"), ("u", "a"),
    ]

    /// Returns the possible nominatives of an inflected name, at most seven; empty for most names.
    package static func nominatives(of name: String) -> [String] {
        endings.filter { name.hasSuffix($0.inflected) && name.count > $0.inflected.count + 1 }
            .map { name.dropLast($0.inflected.count) + $0.nominative }
    }
}
