public import FoundationEssentials

/// What an app has on the screen: a page, a place, a document.
public struct Activity: Hashable, Sendable, Codable {
    /// Bounds of what an app may tell. Sizes are bytes of UTF-8 or, of the payload, bytes.
    public enum Limit {
        /// A type.
        public static let type = 255
        /// A title.
        public static let title = 1_024
        /// How many keywords.
        public static let keywords = 32
        /// Each keyword.
        public static let keyword = 128
        /// The payload: 64 KiB.
        public static let payload = 65_536
        /// A URL.
        public static let url = 4_096
        /// A content identifier, a related one, or a group.
        public static let identifier = 1_024
    }

    /// What kind of activity it is to the app, in reverse DNS: `org.example.Guide.restaurant`.
    public var type: String
    /// What a person calls it.
    public var title: String
    /// Words to find it by.
    public var keywords: [String]
    /// What the app needs to go on with it, in its own format.
    public var payload: [UInt8]
    /// The same content on the web, `https:` or `http:`.
    public var webPageURL: String?
    /// The place that it is about.
    public var place: MapItem?
    /// The app's name of the content: activities and donations that have the same one are about the same.
    public var contentIdentifier: String?
    /// What it belongs to, to be deleted with all of it.
    public var group: String?
    /// The identifier of a donation, or the content identifier of another activity, that is about the same: what was
    /// suggested for the one is not suggested for the other, and they are deleted together.
    public var relatedIdentifier: String?
    /// Whether it may be found in a search.
    public var isEligibleForSearch: Bool
    /// Whether something may be suggested because of it.
    public var isEligibleForSuggestion: Bool
    /// When it is worth nothing any more; `nil` for never.
    public var expiry: Date?
    /// Whether the app is to be asked for the rest when it is needed.
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

    /// Whether it is worth something at a time.
    public func isCurrent(at now: Date) -> Bool { expiry.map { now < $0 } ?? true }
}
