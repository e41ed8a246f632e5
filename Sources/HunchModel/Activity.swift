public import FoundationEssentials

/// The content that an app shows on the screen: a page, a place, a document.
public struct Activity: Hashable, Sendable, Codable {
    /// The limits of an activity. Sizes are in bytes, of texts in UTF-8.
    public enum Limit {
        /// The maximum size of a type.
        public static let type = 255
        /// The maximum size of a title.
        public static let title = 1_024
        /// The maximum number of keywords.
        public static let keywords = 32
        /// The maximum size of a keyword.
        public static let keyword = 128
        /// The maximum size of a payload: 64 KiB.
        public static let payload = 65_536
        /// The maximum size of a URL.
        public static let url = 4_096
        /// The maximum size of a content identifier, a related identifier or a group.
        public static let identifier = 1_024
    }

    /// The type of the activity in reverse DNS notation: `org.example.Guide.restaurant`.
    public var type: String
    /// The name for people.
    public var title: String
    /// The keywords for searches.
    public var keywords: [String]
    /// The app's own data for continuing the activity.
    public var payload: [UInt8]
    /// The same content on the web, `https:` or `http:`.
    public var webPageURL: String?
    /// The place of the activity.
    public var place: MapItem?
    /// The app's identifier of the content. Activities and donations with the same identifier have the same content.
    public var contentIdentifier: String?
    /// The group with which it is deleted.
    public var group: String?
    /// The identifier of a donation, or the content identifier of another activity, with the same content. Nothing is
    /// suggested twice for them, and they are deleted together.
    public var relatedIdentifier: String?
    /// Whether it may be found in a search.
    public var isEligibleForSearch: Bool
    /// Whether Hunch may make suggestions from it.
    public var isEligibleForSuggestion: Bool
    /// The instant at which the activity expires; `nil` for never.
    public var expiry: Date?
    /// Whether to ask the app for the remaining values when they are needed.
    public var needsSave: Bool

    /// Makes an activity.
    public init(
        type: String, title: String, keywords: [String] = [], payload: [UInt8] = [], webPageURL: String? = nil,
        place: MapItem? = nil, contentIdentifier: String? = nil, group: String? = nil, relatedIdentifier: String? = nil,
        isEligibleForSearch: Bool = false, isEligibleForSuggestion: Bool = true, expiry: Date? = nil,
        needsSave: Bool = false
    ) {
        self.type = type
        self.title = title
        self.keywords = keywords
        self.payload = payload
        self.webPageURL = webPageURL.nonEmpty
        self.place = place
        self.contentIdentifier = contentIdentifier.nonEmpty
        self.group = group.nonEmpty
        self.relatedIdentifier = relatedIdentifier.nonEmpty
        self.isEligibleForSearch = isEligibleForSearch
        self.isEligibleForSuggestion = isEligibleForSuggestion
        self.expiry = expiry
        self.needsSave = needsSave
    }

    /// Returns whether the activity has not expired.
    public func isCurrent(at now: Date) -> Bool { expiry.map { now < $0 } ?? true }
}
