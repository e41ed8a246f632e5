public import FoundationEssentials
internal import Localization

/// Content of an app that people can find: a note, a song, a message.
public struct SearchableItem: Hashable, Sendable, Identifiable {
    /// The limits of an item. Text is measured in bytes of UTF-8.
    public enum Limit {
        /// The longest identifier or domain.
        public static let identifier = 1_024
        /// The longest text of an item; see ``SearchableAttribute/Field/text``.
        public static let text = 262_144
        /// The longest value of another attribute, and of one of several texts.
        public static let value = 4_096
        /// The largest number of texts of one attribute.
        public static let texts = 64
        /// The largest size of all texts together.
        public static let size = 524_288
        /// The end of the year 9999, in seconds since 1970 (UTC).
        public static let latestDate = 253_402_300_799.0
        /// The largest number of attributes.
        public static let attributes = 64
    }

    /// When searches may find an item.
    public enum Protection: Int, Hashable, Sendable, CaseIterable {
        /// Always.
        case none
        /// Not while the screen is locked.
        case unlocked
    }

    /// The app's identifier of the item, unique in its index.
    public var id: String
    /// The domain, a path of names with dots: `inbox.work`. Deleting `inbox` deletes the items of `inbox.work`, too.
    public var domain: String?
    /// The attributes by name, among them at least `title`. See ``SearchableAttribute/standard``.
    public var attributes: [String: AttributeValue]
    /// The instant at which the item expires; `nil` for never.
    public var expiry: Date?
    /// When searches may find it.
    public var protection: Protection
    /// Whether the content is public, such as an article or an episode. If the user allows popularity, opening it may
    /// be reported in random bits. Leave it `false` for addresses with secrets.
    public var isPublic: Bool

    /// Creates an item. Nothing is checked; see ``problem``.
    public init(
        id: String, domain: String? = nil, attributes: [String: AttributeValue], expiry: Date? = nil,
        protection: Protection = .none, isPublic: Bool = false
    ) {
        self.id = id
        self.domain = domain.nonEmpty
        self.attributes = attributes
        self.expiry = expiry
        self.protection = protection
        self.isPublic = isPublic
    }

    /// The title that people see; empty without one.
    public var title: String { attributes["title"]?.texts.first ?? "" }

    /// The reason why the item cannot be indexed, in one sentence without a full stop; `nil` if it can be.
    public var problem: String? {
        if id.isEmpty { return localized("“%1” is missing", "id") }
        // SQLite ends texts at it.
        if [id, domain ?? ""].contains(where: \.hasNUL) { return localized("“id” or “domain” contains a NUL") }
        if id.utf8.count > Limit.identifier { return localized("“%1” has more than %2 bytes", "id", Limit.identifier) }
        if let domain {
            if domain.utf8.count > Limit.identifier {
                return localized("“%1” has more than %2 bytes", "domain", Limit.identifier)
            }
            if domain.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) {
                return localized("“domain” has an empty part; separate names by single dots")
            }
        }
        if let value = attributes["title"], case .text = value {
        } else if attributes["title"] != nil {
            return localized("“%1” must be a text", "title")
        }
        if title.isEmpty { return localized("“%1” is missing", "title") }
        if attributes.count > Limit.attributes { return localized("it has more than %1 attributes", Limit.attributes) }
        for (name, value) in attributes {
            if let problem = Self.problem(of: name, value) { return problem }
        }
        if let problem = problemOfCoordinate { return problem }
        let size = attributes.values.reduce(0) { $0 + $1.texts.reduce(0) { $0 + $1.utf8.count } }
        return size > Limit.size ? localized("its texts have more than %1 bytes together", Limit.size) : nil
    }

    /// The reason why “latitude” and “longitude” are not a coordinate; `nil` without any.
    private var problemOfCoordinate: String? {
        switch (attributes["latitude"]?.number, attributes["longitude"]?.number) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            do throws(CoordinateError) {
                _ = try Coordinate(latitude: latitude, longitude: longitude)
                return nil
            } catch {
                return error.description
            }
        default: return localized("“latitude” and “longitude” must both be given")
        }
    }

    /// The names of members of an item that are not attributes.
    private static let members: Set<String> = ["id", "domain", "expires", "protected", "public"]

    /// The standard attributes by other names for them. Under such a name, an item would have no link and no place.
    private static let usualMistakes = [
        "uri": "url", "link": "url", "lat": "latitude", "lng": "longitude", "lon": "longitude", "long": "longitude",
    ]

    /// Returns the standard attribute that differs from a name in the case of letters only.
    private static func standardName(like name: String) -> String? {
        guard SearchableAttribute.standard[name] == nil else { return nil }
        return SearchableAttribute.standard.keys.first { $0.lowercased() == name.lowercased() }
    }

    private static func problem(of name: String, _ value: AttributeValue) -> String? {
        // An item that should be protected must not be visible to every app.
        if members.contains(name) {
            return localized("“%1” is not an attribute, but belongs to the item itself", name)
        }
        guard SearchableAttribute.isName(name) else {
            return localized(
                "“%1” cannot be the name of an attribute; use up to 64 letters, digits and underscores", name)
        }
        if let meant = usualMistakes[name.lowercased()] ?? standardName(like: name) {
            return localized("“%1” is not a known attribute; did you mean “%2”?", name, meant)
        }
        let standard = SearchableAttribute.standard[name]
        let fits =
            switch (standard?.type, value) {
            case (nil, _), (.text, .text), (.texts, .texts), (.number, .number), (.date, .number): true
            default: false
            }
        if let standard, !fits { return localized("“%1” must be %2", name, standard.type.words) }
        let limit = standard?.field == .text ? Limit.text : Limit.value
        let texts = value.texts
        if name == "url", texts.contains(where: WebAddress.isScript) {
            return localized("“url” contains a script; give the address of a page, or of something that the app opens")
        }
        if name == "url" || name == "thumbnail", texts.contains(where: { !$0.isEmpty && !WebAddress.hasScheme($0) }) {
            return localized(
                "“%1” is no address with a scheme, such as https://example.org/ or file:///home/me/a.txt", name)
        }
        if texts.count > Limit.texts { return localized("“%1” has more than %2 texts", name, Limit.texts) }
        if texts.contains(where: { $0.utf8.count > limit }) {
            return localized("“%1” has more than %2 bytes", name, limit)
        }
        if texts.contains(where: \.hasNUL) { return localized("“%1” contains a NUL", name) }
        if let number = value.number, !number.isFinite { return localized("“%1” is not a finite number", name) }
        // Milliseconds would be dates after the year 10000.
        if standard?.type == .date, let seconds = value.number, abs(seconds) > Limit.latestDate {
            return localized("“%1” is not a date before the year 10000; give ISO 8601, or seconds since 1970", name)
        }
        return nil
    }
}

extension String {
    /// Whether it contains a NUL.
    fileprivate var hasNUL: Bool {
        // Generic code takes ten times as long.
        utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
    }
}

extension SearchableAttribute.ValueType {
    /// The description of a value of this type.
    fileprivate var words: String {
        switch self {
        case .text: localizedIn("value of an attribute", "a text")
        case .texts: localizedIn("value of an attribute", "a list of texts")
        case .number: localizedIn("value of an attribute", "a number")
        case .date: localizedIn("value of an attribute", "a date in ISO 8601, or in seconds since 1970")
        }
    }
}
