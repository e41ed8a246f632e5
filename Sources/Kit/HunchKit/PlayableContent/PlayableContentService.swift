internal import AgentInterface
internal import EventLoops
public import HunchDBus
public import HunchModel

/// A service that offers an app's playable content to Hunch: `org.hunch.PlayableContent1`, answered by a data source
/// and a delegate.
///
///     let server = await ObjectServer(on: hunch.connection)
///     let content = try await PlayableContentService(
///         of: "org.example.Podcasts", on: server, dataSource: library, delegate: player)
///
/// The desktop entry must have `Implements=org.hunch.PlayableContent1;`. A call that exceeds a documented limit gets an
/// error and reaches neither the data source nor the delegate. If their answer exceeds a limit, Hunch gets an error.
public actor PlayableContentService {
    /// The maximum number of lists that a `ContentChanged` signal names. Beyond that, all content counts as changed.
    public static let changedLimit = 100

    private let server: ObjectServer
    private let name: BusName
    private let path: ObjectPath
    let dataSource: any PlayableContentDataSource
    let delegate: any PlayableContentDelegate
    private var updates = 0
    /// The changed lists since the updates began, in order.
    private var changed: [String] = []

    /// The limits and the device availability that Hunch reported last. Before the first report: no limits, no device.
    public private(set) var context = PlayableContentContext()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { server.unownedExecutor }

    /// Serves an app's content under the app's bus name. Calls can arrive before this returns.
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`. It is also the app's bus name.
    ///   - server: the object server of the app's connection; ``AppActivities/server`` if the app has activities.
    ///   - name: the bus name; `nil` for the app's own. An app whose own name another connection of its process has, such as
    ///     that of GApplication or Qt, gives one below it, and names it in its desktop entry: `X-Hunch-BusName`.
    ///   - dataSource: the source of the content.
    ///   - delegate: the object that prepares and starts playback. Both are held until ``stop()``.
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a valid bus name, `…ObjectPathInUse` when
    ///   content is served already, `…Failed` when another process owns the name. Nothing is served then.
    public init(
        of application: AppID, on server: ObjectServer, as name: BusName? = nil,
        dataSource: any PlayableContentDataSource,
        delegate: any PlayableContentDelegate
    ) async throws {
        self.server = server
        self.dataSource = dataSource
        self.delegate = delegate
        let own = try BusName(application.rawValue)
        self.name = name ?? own
        path = try ObjectPath(application: own)
        try await server.serve(interface(), of: application, as: name)
    }

    /// Stops serving, and releases the bus name.
    ///
    /// - Throws: `DBusError` if the connection is closed.
    public func stop() async throws {
        try await server.connection.releaseName(name)
        try await server.unexport(path)
    }

    func take(_ context: PlayableContentContext) { self.context = context }

    // MARK: Reporting changes

    /// Reports that the data source's ``HunchModel/PlayableContentDataSource/nowPlayingIdentifiers`` changed.
    ///
    /// - Throws: the data source's error; `DBusError` if the connection is closed.
    public func nowPlayingChanged() async throws {
        try await server.propertiesChanged(path, HunchNames.playableContent, ["NowPlayingIds"])
    }

    /// Reports that the children of items changed. Between ``beginUpdates()`` and ``endUpdates()``, the report waits.
    ///
    /// - Parameter parents: the items; `nil` for the root.
    /// - Throws: `DBusError` if the connection is closed.
    public func contentChanged(under parents: [ContentItem.ID?]) async throws {
        for parent in parents where !changed.contains(parent ?? "") { changed.append(parent ?? "") }
        if changed.count > Self.changedLimit { changed = [""] }
        if updates == 0 { try await tellChanged() }
    }

    /// Announces many changes, during which the content may be incomplete. Calls may be nested.
    ///
    /// - Throws: `DBusError` if the connection is closed.
    public func beginUpdates() async throws {
        updates += 1
        if updates == 1 { try await server.emit(path, HunchNames.playableContent, "UpdatesBegan") }
    }

    /// Reports the changes, and that the content is complete again. Does nothing without ``beginUpdates()``.
    ///
    /// - Throws: `DBusError` if the connection is closed.
    public func endUpdates() async throws {
        guard updates > 0 else { return }
        updates -= 1
        guard updates == 0 else { return }
        try await tellChanged()
        try await server.emit(path, HunchNames.playableContent, "UpdatesEnded")
    }

    private func tellChanged() async throws {
        guard !changed.isEmpty else { return }
        let parents = changed
        changed = []
        try await server.emit(path, HunchNames.playableContent, "ContentChanged", parents)
    }
}
