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

    /// Whether only the user can name the place: home and work.
    public var isOwn: Bool { code == "home" || code == "work" }

    /// Returns the category with this code if only the user can name its place.
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
    package static func named(_ words: [String]) -> PlaceCategory? {
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
