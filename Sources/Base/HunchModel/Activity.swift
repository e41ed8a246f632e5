public import FoundationEssentials

/// Content that an app shows on the screen now, as the app reports it: a page, a place, a document.
public struct Activity: Hashable, Sendable, Codable {
    /// The limits of an activity's properties. Text is measured in bytes of UTF-8, the payload in bytes.
    public enum Limit {
        /// The longest type.
        public static let type = 255
        /// The longest title.
        public static let title = 1_024
        /// The largest number of keywords.
        public static let keywords = 32
        /// The longest keyword.
        public static let keyword = 128
        /// The largest payload: 64 KiB.
        public static let payload = 65_536
        /// The longest URL.
        public static let url = 4_096
        /// The longest content identifier, related identifier or group.
        public static let identifier = 1_024
    }

    /// The app's own type of activity, in reverse DNS: `org.example.Guide.restaurant`.
    public var type: String
    /// The title that people see.
    public var title: String
    /// The search terms.
    public var keywords: [String]
    /// The data that the app needs to continue the activity, in its own format.
    public var payload: [UInt8]
    /// The same content on the web, as an `https:` or `http:` URL.
    public var webPageURL: String?
    /// The place that the content is about.
    public var place: MapItem?
    /// The app's identifier of the content. Activities and donations with the same identifier are about the same content.
    public var contentIdentifier: String?
    /// The app's group. The app can delete all activities of a group at once.
    public var group: String?
    /// The identifier of a donation, or the content identifier of another activity, about the same content. Hunch makes
    /// a suggestion for only one of the two, and deletes them together.
    public var relatedIdentifier: String?
    /// The start of the event or the reservation that the content is about; `nil` for other content.
    public var start: Date?
    /// The end of that event or reservation, if it is known.
    public var end: Date?
    /// The type in schema.org of the reservation that the content is about, such as `TrainReservation`; `nil` for an event
    /// or other content.
    public var reservation: String?
    /// An identifier of that reservation's booking that stays the same when its time changes, such as a digest of its number.
    public var booking: String?
    /// The audio or video that the content plays; `nil` if it plays none. It completes what the app's media player says.
    public var media: NowPlayingInfo?
    /// Whether searches may find the activity.
    public var isEligibleForSearch: Bool
    /// Whether Hunch may make suggestions because of the activity.
    public var isEligibleForSuggestion: Bool
    /// The instant at which the activity expires; `nil` for never.
    public var expiry: Date?
    /// Whether Hunch asks the app for unsaved changes before it uses the activity.
    public var needsSave: Bool

    /// Creates an activity. Empty optional texts are stored as `nil`.
    public init(
        type: String, title: String, keywords: [String] = [], payload: [UInt8] = [], webPageURL: String? = nil,
        place: MapItem? = nil, contentIdentifier: String? = nil, group: String? = nil, relatedIdentifier: String? = nil,
        start: Date? = nil, end: Date? = nil, reservation: String? = nil, booking: String? = nil,
        media: NowPlayingInfo? = nil, isEligibleForSearch: Bool = false, isEligibleForSuggestion: Bool = true,
        expiry: Date? = nil, needsSave: Bool = false
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
        self.start = start
        self.end = end
        self.reservation = reservation.nonEmpty
        self.booking = booking.nonEmpty
        self.media = media
        self.isEligibleForSearch = isEligibleForSearch
        self.isEligibleForSuggestion = isEligibleForSuggestion
        self.expiry = expiry
        self.needsSave = needsSave
    }

    /// Returns whether the activity has not expired at `now`.
    public func isValid(at now: Date) -> Bool { expiry.map { now < $0 } ?? true }
}
