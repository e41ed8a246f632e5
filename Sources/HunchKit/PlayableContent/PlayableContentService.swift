internal import AgentInterface
public import HunchDBus
public import HunchModel

/// Serves an app's playable content to Hunch: `org.hunch.PlayableContent1` for a data source and a delegate.
///
///     let server = await ObjectServer(on: hunch.connection)
///     let content = try await PlayableContentService(
///         of: "org.example.Podcasts", on: server, dataSource: library, delegate: player)
///
/// The desktop entry says `Implements=org.hunch.PlayableContent1;`. A call that breaks a documented limit is answered with an
/// error and reaches neither of the two; so is an answer of theirs that does.
public actor PlayableContentService {
    /// The maximum number of changed lists that are named. Beyond it, all content counts as changed.
    public static let changedLimit = 100

    private let server: ObjectServer
    private let name: BusName
    private let path: ObjectPath
    let dataSource: any PlayableContentDataSource
    let delegate: any PlayableContentDelegate
    private var updates = 0
    /// The lists that changed since the updates began, in order.
    private var changed: [String] = []

    /// The context in which the content is about to be used, as Hunch sent it last; at first without limits and
    /// device.
    public private(set) var context = PlayableContentContext()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { server.unownedExecutor }

    /// Serves an app's content, and acquires the app's bus name so that Hunch finds it. Calls may arrive before this
    /// returns.
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`; the bus name of the app, too.
    ///   - server: the one of the app's connection; ``AppActivities/server`` where the app has activities.
    ///   - dataSource: answers what there is.
    ///   - delegate: prepares and plays. The server holds both until ``stop()``.
    /// - Throws: `DBusError`: `…InvalidArgs` when the identifier is no bus name, `…ObjectPathInUse` when content is served
    ///   already, `…Failed` when another process has the name; nothing is served then.
    public init(
        of application: String, on server: ObjectServer, dataSource: any PlayableContentDataSource,
        delegate: any PlayableContentDelegate
    ) async throws {
        self.server = server
        self.dataSource = dataSource
        self.delegate = delegate
        name = try BusName(application)
        path = try ObjectPath(application: name)
        try await server.export(path, [interface()])
        do {
            guard try await server.connection.requestName(name) == .owner else {
                throw DBusError(.failed, "another process is \(name) on this session bus")
            }
        } catch {
            try await server.unexport(path)
            throw error
        }
    }

    /// Stops serving, and releases the name.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    public func stop() async throws {
        try await server.connection.releaseName(name)
        try await server.unexport(path)
    }

    func take(_ context: PlayableContentContext) { self.context = context }

    // MARK: Changes

    /// Announces that the data source's ``HunchModel/PlayableContentDataSource/nowPlayingIdentifiers`` changed.
    ///
    /// - Throws: errors of the data source; `DBusError` if the bus is gone.
    public func nowPlayingChanged() async throws {
        try await server.propertiesChanged(path, HunchNames.playableContent, ["NowPlayingIdentifiers"])
    }

    /// Announces that the children of items changed. Between ``beginUpdates()`` and ``endUpdates()``, the
    /// announcement waits for the end.
    ///
    /// - Parameter parents: the items; `nil` for the root.
    /// - Throws: `DBusError` if the bus is gone.
    public func contentChanged(under parents: [ContentItem.ID?]) async throws {
        for parent in parents where !changed.contains(parent ?? "") { changed.append(parent ?? "") }
        if changed.count > Self.changedLimit { changed = [""] }
        if updates == 0 { try await tellChanged() }
    }

    /// Begins a series of changes, during which content may be incomplete. Calls may be nested.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    public func beginUpdates() async throws {
        updates += 1
        if updates == 1 { try await server.emit(path, HunchNames.playableContent, "UpdatesBegan") }
    }

    /// Ends a series of changes and announces them. Does nothing without a beginning.
    ///
    /// - Throws: `DBusError` if the bus is gone.
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
