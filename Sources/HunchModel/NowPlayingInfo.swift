/// The metadata of the current or prepared item: the fields of MPRIS metadata for people, and the playback position.
///
/// Source: the MPRIS 2.2 metadata guidelines of freedesktop.org.
public struct NowPlayingInfo: Hashable, Sendable, Codable {
    /// `xesam:title`.
    public var title: String
    /// `xesam:artist`, in order.
    public var artists: [String]
    /// `xesam:album`.
    public var album: String?
    /// `mpris:artUrl`, a URI.
    public var artworkURL: String?
    /// `xesam:url`, a URI that the player can open again.
    public var contentURL: String?
    /// `mpris:trackid`: an object path within the player, valid while it runs.
    public var trackIdentifier: String?
    /// `mpris:length` in microseconds; `nil` when unknown (players also send −1 or 0 for that).
    public var length: Int64?
    /// The app's own name of the item, as in ``ContentItem/id``; `nil` when the app tells none.
    public var item: ContentItem.ID?
    /// The playback position in microseconds from the start; `nil` if unknown.
    public var position: Int64?
    /// Whether it is a live stream, which has neither length nor position; ``title`` is then the name of its station.
    public var isLive: Bool {
        get { live ?? false }
        set { live = newValue ? true : nil }
    }
    /// `nil` means false: what was written down before there were live streams says nothing of it.
    private var live: Bool?

    /// Makes now-playing info. A length or position that is not positive is unknown.
    public init(
        title: String, artists: [String] = [], album: String? = nil, artworkURL: String? = nil,
        contentURL: String? = nil, trackIdentifier: String? = nil, length: Int64? = nil, position: Int64? = nil,
        item: ContentItem.ID? = nil
    ) {
        self.title = title
        self.artists = artists.filter { !$0.isEmpty }
        self.album = album.nonEmpty
        self.artworkURL = artworkURL.nonEmpty
        self.contentURL = contentURL.nonEmpty
        self.trackIdentifier = trackIdentifier.nonEmpty
        self.length = length.flatMap { $0 > 0 ? $0 : nil }
        self.position = position.flatMap { $0 >= 0 ? $0 : nil }
        self.item = item.nonEmpty
    }

    /// Whether it was played to its end, as far as position and length tell: all but 3 % of it, at least 2 s and at most 30 s.
    public var isFinished: Bool {
        guard let position, let length, !isLive else { return false }
        return length - position <= max(2_000_000, min(30_000_000, length / 100 * 3))
    }

    /// Whether it was begun and not played to its end: more than 5 s of it were heard.
    public var isBegun: Bool { (position ?? 0) > 5_000_000 && !isFinished && !isLive }
}
