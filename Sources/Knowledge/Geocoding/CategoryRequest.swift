internal import HunchModel
package import JourneyWords

/// A request for the nearest place of a category: “nearest pharmacy”, “Bahnhof”, “cinema in Berlin”, “Apotheke Potsdam”.
package struct CategoryRequest: Hashable, Sendable {
    package let category: PlaceCategory
    /// The words for the area to search; `nil` for near the user.
    package let area: String?
    /// Whether the text may be the name of a hotel, a restaurant or the like: “Hotel Stuttgart”.
    package private(set) var mayBeName = false

    private static let namedAfterTowns: Set<String> = [
        "hotel", "hostel", "restaurant", "cafe", "bar", "nightclub", "theatre",
    ]

    /// The most words of a category's name.
    private static let longestName = 5

    /// Reads a text. Returns `nil` if it names no category.
    package init?(_ text: String) {
        let typed = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard !typed.isEmpty, typed.count <= GeocodingQuery.maximumWords else { return nil }
        // “my house” is one's own, and “house” is not.
        if let own = Self.category(typed[...]), own.isOwn {
            (category, area) = (own, nil)
            return
        }
        let words = Self.withoutArticles(typed)
        for count in (1...Self.longestName).reversed() where count <= words.count {
            if let category = Self.category(words.prefix(count)) {
                guard let area = Self.area(words.dropFirst(count)), !Self.isRoute(area) else { continue }
                (self.category, self.area) = (category, area.isEmpty ? nil : area.joined(separator: " "))
                let hasPreposition = area.count < words.count - count
                mayBeName = !area.isEmpty && !hasPreposition && Self.namedAfterTowns.contains(category.code)
                return
            }
            // “Potsdam Hauptbahnhof”
            if count < words.count, let category = Self.category(words.suffix(count)),
                !Self.isRoute(words.dropLast(count))
            {
                (self.category, area) = (category, words.dropLast(count).joined(separator: " "))
                mayBeName = Self.namedAfterTowns.contains(category.code)
                return
            }
        }
        return nil
    }

    /// Returns whether words next to the name of a category are an end of a route: “airport to Cleveland”.
    private static func isRoute(_ words: ArraySlice<String>) -> Bool {
        words.contains { betweenEnds.contains($0.lowercased()) }
    }

    private static let betweenEnds: Set<String> = ["to", "from", "nach", "vom", "zum", "zur"]

    private static func category(_ words: ArraySlice<String>) -> PlaceCategory? {
        PlaceCategory.named(words.flatMap { WordFolding.words(of: $0) })
    }

    private static func withoutArticles(_ words: [String]) -> ArraySlice<String> {
        let rest = words.drop { articles.contains($0.lowercased()) }
        return rest.isEmpty ? words[...] : rest
    }

    /// Returns the words of the area behind a category's name, empty for near the user; `nil` if they do not name an
    /// area.
    private static func area(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        let lower = words.map { $0.lowercased() }
        if lower.isEmpty || nearPerson.contains(lower.joined(separator: " ")) { return [] }
        // “near me in Dublin”
        for count in (1...longestName).reversed()
        where count < words.count && nearPerson.contains(lower.prefix(count).joined(separator: " ")) {
            return area(words.dropFirst(count))
        }
        for phrase in prepositions where lower.starts(with: phrase) {
            let rest = words.dropFirst(phrase.count)
            return rest.isEmpty ? nil : rest
        }
        return words
    }

    /// Words before the name of a category.
    private static let articles = Set(
        """
        to into at the a an any some my our nearest closest next nearby near local
        der die das den dem des ein eine einen einer einem zu zum zur ins mein meine meinem meiner nächste nächster nächstes nächsten naechste naechster naechstes \
        nächstgelegene nächstgelegener
        le la les l' un une proche el los las una más cercano cercana il lo uno più vicino vicina o os as um uma mais próximo próxima
        de het een dichtstbijzijnde najbliższy najbliższa najbliższe ближайший ближайшая ближайшее närmaste nærmeste lähin en yakın \
        nejbližší legközelebbi
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Phrases behind the name of a category that mean near the user.
    private static let nearPerson: Set<String> = [
        "near me", "nearby", "near by", "around here", "close by", "here", "near here", "in der nähe", "in meiner nähe",
        "hier", "hier in der nähe", "près de moi", "le plus proche", "la plus proche", "à proximité", "cerca de mí",
        "más cercano", "más cercana", "cerca", "vicino a me", "qui vicino", "più vicino", "più vicina", "perto de mim",
        "mais próximo", "mais próxima", "in de buurt", "w pobliżu", "рядом", "поблизости", "i närheten", "i nærheden",
        "i nærheten", "yakınımda", "poblíž", "a közelben",
    ]

    /// Words between the name of a category and an area, longer ones first.
    private static let prepositions: [[String]] = [
        "in der nähe von", "in der nähe vom", "in the centre of", "in the center of", "close to", "next to", "près de",
        "près du", "cerca de", "vicino a", "perto de", "in de buurt van", "in", "near", "at", "by", "around", "bei",
        "beim",
        "nahe", "im", "am", "an", "von", "à", "a", "en", "de", "du", "di", "da", "do", "em", "w", "we", "в", "на", "i",
        "på",
        "v", "ve",
    ].map { $0.split(separator: " ").map(String.init) }
}
