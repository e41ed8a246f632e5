public import HunchModel

/// A media app as the media flow knows it, however it is reached: through its MPRIS player or its own interface.
public struct PlayableApp: Sendable, Identifiable {
    /// Desktop identifier, without `.desktop`.
    public let id: String
    /// What people call the app.
    public let name: String
    /// The content that it offers.
    public let dataSource: any PlayableContentDataSource
    /// What prepares and starts playback.
    public let delegate: any PlayableContentDelegate
    private let runs: @Sendable () async -> Bool

    /// Describes an app by one object that is both its data source and its delegate.
    public init(id: String, name: String, content: some PlayableContent) {
        self.id = id
        self.name = name
        dataSource = content
        delegate = content
        runs = { await content.isRunning }
    }

    /// Whether the app runs now. One that does not is offered from what is remembered of it.
    public var isRunning: Bool {
        get async { await runs() }
    }
}

/// The content of one app, with what prepares and starts it.
public protocol PlayableContent: PlayableContentDataSource, PlayableContentDelegate {
    /// Whether the app runs now.
    var isRunning: Bool { get async }
}

/// What is remembered of an app's item: its metadata, and in ``NowPlayingInfo/position`` where to resume.
///
/// Given `nil` for the item, it tells what the app played last in this context. It returns `nil` when nothing is known.
public typealias RememberedPlayback =
    @Sendable (_ item: ContentItem.ID?, _ context: PlaybackContext) async -> NowPlayingInfo?

/// Launches an app by its desktop identifier, to open a URI when there is one. Called only after a person said Play.
///
/// It throws when the app cannot be launched.
public typealias AppLaunch = @Sendable (_ desktopID: String, _ uri: String?) async throws -> Void
