internal import HunchModel

/// A kind of place that people ask for by a common noun, such as “pharmacy” or “Bahnhof”.
///
/// The categories are in `Data/categories.txt`. Such a word never means a town of that name.
public struct PlaceCategory: Hashable, Sendable, CustomStringConvertible {
    /// The code in the gazetteer, in lower case.
    public let code: String
    /// The code.
    public var description: String { code }

    /// Returns the category of an object by its OpenStreetMap tags; `nil` if it is in none.
    public static func category(ofTags tags: [String: String]) -> PlaceCategory? {
        table.tags.first { rule in
            tags[rule.key] == rule.value && (rule.other.map { other in tags.values.contains(other) } ?? true)
        }?.category
    }

    /// Returns the category of a GeoNames feature code; `nil` if it is in none.
    public static func category(ofFeature code: String) -> PlaceCategory? { table.features[code] }

    /// Whether only the person can name the place: home and work.
    public var isOwn: Bool { code == "home" || code == "work" }

    /// Returns the category with this code if only the person can name its place.
    public init?(own code: String) {
        self.init(code: code)
        if !isOwn { return nil }
    }

    init(code: String) { self.code = code }

    /// Returns the category that a text means as a whole, such as “nach Hause”; `nil` if it means none.
    public static func named(_ text: String) -> PlaceCategory? { named(WordFolding.words(of: text)) }

    /// The airports.
    public static let airport = PlaceCategory(code: "airport")

    /// Returns the category that words mean as a whole, in any language; `nil` if they mean none.
    ///
    /// - Parameter words: the folded words.
    static func named(_ words: some Sequence<String>) -> PlaceCategory? {
        table.names[key(words.joined())].map { table.categories[Int($0)] }
    }

    /// Returns a key for a folded name (64-bit FNV-1a): of some 1,600 names, no two share one.
    fileprivate static func key(_ name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static let table = Table(text: String(decoding: PackageResources.categories_txt, as: UTF8.self))

    private struct Table {
        /// An OpenStreetMap tag. A value after “+” must be the value of another tag: `amenity=place_of_worship+muslim`.
        typealias TagRule = (key: String, value: String, other: String?, category: PlaceCategory)

        var categories: [PlaceCategory] = []
        var tags: [TagRule] = []
        var features: [String: PlaceCategory] = [:]
        /// The categories by the keys of their names.
        var names: [UInt64: UInt8] = [:]

        init(text: String) {
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let fields = line.split(separator: "|", omittingEmptySubsequences: false)
                let category = PlaceCategory(code: String(fields[0]))
                for tag in fields[1].split(separator: " ") {
                    let parts = tag.split { $0 == "=" || $0 == "+" }.map { String($0) }
                    tags.append((parts[0], parts[1], parts.count > 2 ? parts[2] : nil, category))
                }
                for code in fields[2].split(separator: " ") where features[String(code)] == nil {
                    features[String(code)] = category
                }
                for name in fields[3].split(separator: ",") {
                    let key = PlaceCategory.key(WordFolding.joined(String(name)))
                    if names[key] == nil { names[key] = UInt8(categories.count) }
                }
                categories.append(category)
            }
        }
    }
}

/// A request for the nearest place of a category: “nearest pharmacy”, “Bahnhof”, “cinema in Berlin”, “Apotheke Potsdam”.
package struct CategoryRequest: Hashable, Sendable {
    package let category: PlaceCategory
    /// The words for the area to search; `nil` for near the person.
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
        let words = Self.withoutArticles(typed)
        for count in (1...Self.longestName).reversed() where count <= words.count {
            if let category = Self.category(words.prefix(count)) {
                guard let area = Self.area(words.dropFirst(count)) else { continue }
                (self.category, self.area) = (category, area.isEmpty ? nil : area.joined(separator: " "))
                let hasPreposition = area.count < words.count - count
                mayBeName = !area.isEmpty && !hasPreposition && Self.namedAfterTowns.contains(category.code)
                return
            }
            // “Potsdam Hauptbahnhof”
            if count < words.count, let category = Self.category(words.suffix(count)) {
                (self.category, area) = (category, words.dropLast(count).joined(separator: " "))
                mayBeName = Self.namedAfterTowns.contains(category.code)
                return
            }
        }
        return nil
    }

    private static func category(_ words: ArraySlice<String>) -> PlaceCategory? {
        PlaceCategory.named(words.flatMap { WordFolding.words(of: $0) })
    }

    private static func withoutArticles(_ words: [String]) -> ArraySlice<String> {
        let rest = words.drop { articles.contains($0.lowercased()) }
        return rest.isEmpty ? words[...] : rest
    }

    /// Returns the words of the area behind a category's name, empty for near the person; `nil` if they are no area.
    private static func area(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        let lower = words.map { $0.lowercased() }
        if lower.isEmpty || nearPerson.contains(lower.joined(separator: " ")) { return [] }
        for phrase in prepositions where lower.starts(with: phrase) {
            let rest = words.dropFirst(phrase.count)
            return rest.isEmpty ? nil : rest
        }
        return words
    }

    /// Words before the name of a category.
    private static let articles = Set(
        """
        the a an any some nearest closest next nearby near local
        der die das den dem des ein eine einen einer einem zum zur nächste nächster nächstes nächsten naechste naechster naechstes \
        nächstgelegene nächstgelegener
        le la les l' un une proche el los las una más cercano cercana il lo uno più vicino vicina o os as um uma mais próximo próxima
        de het een dichtstbijzijnde najbliższy najbliższa najbliższe ближайший ближайшая ближайшее närmaste nærmeste lähin en yakın \
        nejbližší legközelebbi
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Phrases behind the name of a category that mean near the person.
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
