/// One thing that an app can play, or a container of such things.
public struct ContentItem: Hashable, Sendable, Codable, Identifiable {
    /// The longest identifier that is accepted, in bytes of UTF-8: it may be an address.
    public static let identifierLimit = 4_096

    /// The app's own name for the item, stable between runs. Not empty, and at most ``identifierLimit`` long.
    public let id: String
    /// The title.
    public var title: String
    /// The subtitle: an artist, a show.
    public var subtitle: String?
    /// A picture, as a URI; only local ones are used.
    public var artworkURL: String?
    /// Whether it has child items.
    public var isContainer: Bool
    /// Whether it can be played.
    public var isPlayable: Bool
    /// The part that was played, 0…1; `nil` if unknown.
    public var progress: Double?

    /// Makes a content item.
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

/// Why an app is asked to prepare: the device that just became ready.
public struct PlaybackContext: Hashable, Sendable, Codable {
    /// The output that playback would use; `nil` when no device is involved.
    public var device: AudioDevice?
    /// The limits for reading the app's content.
    public var content: PlayableContentContext

    /// Makes a playback context.
    ///
    /// - Parameter content: `nil` for what applies to the device.
    public init(device: AudioDevice? = nil, content: PlayableContentContext? = nil) {
        self.device = device
        self.content = content ?? PlayableContentContext(device: device)
    }
}

/// Thrown by a delegate that is to choose what to play and leaves that to Hunch: then the content tree is read for an item
/// that was begun, or else for the first that can be played.
public struct NothingChosen: Error, Hashable {
    /// The error.
    public init() {}
}

/// The content that an app offers, as a tree that is read page by page.
public protocol PlayableContentDataSource: Sendable {
    /// The children of an item, or of the root when `parent` is `nil`.
    ///
    /// - Parameters:
    ///   - offset: index of the first child wanted, from 0.
    ///   - limit: the most children to return.
    /// - Throws: when the app cannot be reached or refuses; nothing is offered then.
    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) async throws -> [ContentItem]

    /// The item with this identifier, or `nil` when the app has none.
    func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem?

    /// Tells that the children of an item, or of the root, will be wanted soon. Optional: does nothing by default.
    func beginLoadingChildItems(of parent: ContentItem.ID?) async throws

    /// The items that play now, most specific first, then what contains them. Optional: empty by default.
    var nowPlayingIdentifiers: [ContentItem.ID] { get async throws }
}

extension PlayableContentDataSource {
    /// Does nothing.
    public func beginLoadingChildItems(of parent: ContentItem.ID?) async throws {}

    /// Empty.
    public var nowPlayingIdentifiers: [ContentItem.ID] { get async throws { [] } }
}

/// The delegate of an app with playable content: prepares content before it is wanted, and starts it on request.
public protocol PlayableContentDelegate: Sendable {
    /// Gets a queue ready and tells what would play first. **Prepares and never starts.**
    ///
    /// - Parameters:
    ///   - items: what to queue, first to last; empty means that the app chooses.
    ///   - context: why.
    /// - Returns: what one press of Play would play, final at the time of return.
    /// - Throws: when nothing can be prepared; the item is then not offered. ``NothingChosen`` where the choice is Hunch's.
    func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo

    /// Starts playback. Called only after a person said Play.
    ///
    /// - Throws: when playback did not start.
    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws

    /// Tells that content is used elsewhere, or under other limits, than before. Optional: does nothing by default.
    func contextChanged(to context: PlayableContentContext) async throws
}

extension PlayableContentDelegate {
    /// Does nothing.
    public func contextChanged(to context: PlayableContentContext) async throws {}
}
