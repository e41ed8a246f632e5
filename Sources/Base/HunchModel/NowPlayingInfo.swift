/// The metadata of the current or prepared item, with the playback position: the MPRIS fields that a user sees.
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
    /// `mpris:length` in microseconds; `nil` if unknown (players also send −1 or 0 for that).
    public var length: Int64?
    /// The app's identifier of the item, as in ``ContentItem/id``; `nil` if the app gives none.
    public var item: ContentItem.ID?
    /// The playback position in microseconds from the start; `nil` if unknown.
    public var position: Int64?
    /// The origin of ``position``; `nil` if the player told it.
    public var positionSource: PositionSource?
    /// Whether the item is a live stream. It has neither length nor position, and ``title`` is the station's name.
    public var isLive: Bool {
        get { live ?? false }
        set { live = newValue ? true : nil }
    }
    /// `nil` means false: records from before this property existed do not have it.
    private var live: Bool?

    /// The origin of a position that the player did not report.
    public enum PositionSource: String, Hashable, Sendable, Codable {
        /// Hunch measured how long the item played, and the player can go there.
        case reckoned
        /// Hunch measured how long the item played, but the player cannot go there. It starts from the beginning.
        case unreachable
    }

    /// Creates now-playing info. A length of 0 or less and a negative position become `nil`.
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

    /// Whether at most 3 % of the length is left (at least 2 s, at most 30 s). `false` for live streams and if unknown.
    public var isFinished: Bool {
        guard let position, let length, !isLive else { return false }
        return length - position <= max(2_000_000, min(30_000_000, length / 100 * 3))
    }

    /// Whether playback began and did not reach the end, and can continue there: the position is past 5 s.
    public var isBegun: Bool {
        (position ?? 0) > 5_000_000 && !isFinished && !isLive && positionSource != .unreachable
    }
}

extension Int64 {
    /// A time in microseconds as minutes and seconds: `1:40`.
    package var clock: String {
        let (minutes, seconds) = (self / 1_000_000).quotientAndRemainder(dividingBy: 60)
        return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
