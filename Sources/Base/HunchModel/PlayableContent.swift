/// A playable item of an app, or a container of items.
public struct ContentItem: Hashable, Sendable, Codable, Identifiable {
    /// The longest identifier in bytes of UTF-8. Identifiers may be URLs.
    public static let identifierLimit = 4_096

    /// The app's identifier of the item, the same at every start. Not empty, and at most ``identifierLimit`` bytes long.
    public let id: String
    /// The first line that a user sees.
    public var title: String
    /// The second line that a user sees: an artist, a show.
    public var subtitle: String?
    /// An image as a URI. Hunch uses only local ones.
    public var artworkURL: String?
    /// Whether it has child items.
    public var isContainer: Bool
    /// Whether it can be played.
    public var isPlayable: Bool
    /// The fraction that the user has played, 0…1; `nil` if unknown.
    public var progress: Double?

    /// Creates a content item. The progress is clamped to 0…1.
    public init(
        id: String, title: String, subtitle: String? = nil, artworkURL: String? = nil, isContainer: Bool = false,
        isPlayable: Bool = true, progress: Double? = nil
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle.nonEmpty
        self.artworkURL = artworkURL.nonEmpty
        self.isContainer = isContainer
        self.isPlayable = isPlayable
        self.progress = progress.map { min(max($0, 0), 1) }
    }
}

/// The context in which an app prepares playback: the device that just became ready, and the limits there.
public struct PlaybackContext: Hashable, Sendable, Codable {
    /// The output for playback; `nil` if no device is involved.
    public var device: AudioDevice?
    /// The limits on reading the app's content.
    public var content: PlayableContentContext

    /// Creates a playback context.
    ///
    /// - Parameter content: `nil` for the limits of the device.
    public init(device: AudioDevice? = nil, content: PlayableContentContext? = nil) {
        self.device = device
        self.content = content ?? PlayableContentContext(device: device)
    }
}

/// An error that a delegate throws to leave the choice of the item to Hunch. Hunch then reads the content tree and
/// takes an item that the user has begun, otherwise the first playable one.
public struct NothingChosen: Error, Hashable {
    /// Creates the error.
    public init() {}
}

/// The content that an app offers for playback, as a tree that Hunch reads page by page.
public protocol PlayableContentDataSource: Sendable {
    /// Returns children of an item, or of the root if `parent` is `nil`.
    ///
    /// - Parameters:
    ///   - offset: the index of the first child to return, from 0.
    ///   - limit: the maximum number of children to return.
    /// - Throws: an error if the content is unavailable; Hunch then suggests nothing.
    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) async throws -> [ContentItem]

    /// Returns the item with this identifier, or `nil` if there is none.
    func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem?

    /// Announces that the children of an item, or of the root, will be read soon. Optional: does nothing by default.
    func beginLoadingChildItems(of parent: ContentItem.ID?) async throws

    /// The items that play now, most specific first, followed by their containers. Optional: empty by default.
    var nowPlayingIdentifiers: [ContentItem.ID] { get async throws }
}

extension PlayableContentDataSource {
    /// Does nothing.
    public func beginLoadingChildItems(of parent: ContentItem.ID?) async throws {}

    /// An empty list.
    public var nowPlayingIdentifiers: [ContentItem.ID] { get async throws { [] } }
}

/// The object that prepares playback before it is suggested, and starts playback when the user asks for it.
public protocol PlayableContentDelegate: Sendable {
    /// Prepares a queue and returns the item that would play first. **Must not start playback.**
    ///
    /// - Parameters:
    ///   - items: the items to queue, first to last. If empty, the app chooses.
    ///   - context: the device and the limits there.
    /// - Returns: the item that Play starts. It must not change after the return.
    /// - Throws: ``NothingChosen`` to leave the choice to Hunch. After any other error, Hunch does not suggest the item.
    func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo

    /// Starts playback. Hunch calls it only after the user pressed Play.
    ///
    /// - Throws: an error when playback did not start.
    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws

    /// Reports that the device or the limits for reading content changed. Optional: does nothing by default.
    func contextChanged(to context: PlayableContentContext) async throws
}

extension PlayableContentDelegate {
    /// Does nothing.
    public func contextChanged(to context: PlayableContentContext) async throws {}
}
