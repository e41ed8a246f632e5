internal import AgentInterface
public import HunchDBus
public import HunchModel

/// What an app offers to play, as Hunch asks for it: serves `org.hunch.PlayableContent1` for a data source and a delegate.
///
///     let server = await ObjectServer(on: hunch.connection)
///     let content = try await PlayableContentService(
///         of: "org.example.Podcasts", on: server, dataSource: library, delegate: player)
///
/// The desktop entry says `Implements=org.hunch.PlayableContent1;`. A call that breaks a documented limit is answered with an
/// error and reaches neither of the two; so is an answer of theirs that does.
public actor PlayableContentService {
    /// The most lists that are named when they changed; beyond that all of the content counts as changed.
    public static let changedLimit = 100

    private let server: ObjectServer
    private let name: BusName
    private let path: ObjectPath
    let dataSource: any PlayableContentDataSource
    let delegate: any PlayableContentDelegate
    private var updates = 0
    /// What changed since the updates began, in order.
    private var changed: [String] = []

    /// Where the content is about to be used, as Hunch told last; no limits and no device before it told.
    public private(set) var context = PlayableContentContext()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { server.unownedExecutor }

    /// Serves an app's content, and takes the app's name on the bus so that Hunch finds it. When this returns, calls may
    /// have come already.
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

    /// Serves nothing any more, and gives the name back.
    ///
    /// - Throws: `DBusError` when the bus is gone.
    public func stop() async throws {
        try await server.connection.releaseName(name)
        try await server.unexport(path)
    }

    func take(_ context: PlayableContentContext) { self.context = context }

    // MARK: What changed

    /// Tells that the data source's ``HunchModel/PlayableContentDataSource/nowPlayingIdentifiers`` are others than before.
    ///
    /// - Throws: what the data source throws; `DBusError` when the bus is gone.
    public func nowPlayingChanged() async throws {
        try await server.propertiesChanged(path, HunchNames.playableContent, ["NowPlayingIdentifiers"])
    }

    /// Tells that the children of items are others than before; between ``beginUpdates()`` and ``endUpdates()`` that is told
    /// at their end.
    ///
    /// - Parameter parents: the items, `nil` among them for the root.
    /// - Throws: `DBusError` when the bus is gone.
    public func contentChanged(under parents: [ContentItem.ID?]) async throws {
        for parent in parents where !changed.contains(parent ?? "") { changed.append(parent ?? "") }
        if changed.count > Self.changedLimit { changed = [""] }
        if updates == 0 { try await tellChanged() }
    }

    /// Says that many changes follow: what is read meanwhile may be incomplete. Calls may be nested.
    ///
    /// - Throws: `DBusError` when the bus is gone.
    public func beginUpdates() async throws {
        updates += 1
        if updates == 1 { try await server.emit(path, HunchNames.playableContent, "UpdatesBegan") }
    }

    /// Says that the content is complete again, after it told what changed. Without a beginning nothing happens.
    ///
    /// - Throws: `DBusError` when the bus is gone.
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
