internal import AgentInterface
public import HunchDBus

/// What an app has on the screen, told to Hunch: it holds the current activity, answers for those that are saved lazily,
/// and tells an agent that was restarted.
///
///     let activities = try await AppActivities(on: agent)
///     let page = AppActivity(
///         Activity(type: "org.example.Guide.restaurant", title: "Yank Sing",
///                  place: MapItem(name: "Yank Sing", coordinate: try Coordinate(latitude: 37.7922, longitude: -122.3931))),
///         in: activities)
///     try await page.becomeCurrent()
///     try await page.resign()
///
/// An app has one for its connection. One activity of the whole desktop is current: the last that became so. When the agent
/// is restarted, every app's activity becomes current again that was not resigned; so resign it when the app is not the
/// one that the person looks at.
public actor AppActivities {
    /// The most activities that are kept for the app after it has dropped them without invalidating them: the last ones.
    public static let droppedLimit = 16

    /// An activity that the agent has an object for.
    private struct Told {
        weak var activity: AppActivity?
        let path: ObjectPath
    }

    let connection: Connection
    /// The object server of the app's connection, for whatever else the app serves.
    public nonisolated let server: ObjectServer
    private let root: Proxy
    private var told: [Told] = []
    /// What the person looks at, held for the app.
    private var current: AppActivity?
    private var watching: Task<Void, Never>?
    /// What is told is told in order: whoever comes while something is under way waits in line.
    private var isTelling = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static var delegatePath: ObjectPath { HunchNames.activityDelegatePath }

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    /// Makes an app ready to tell. Starts no agent.
    ///
    /// - Parameter agent: its connection gets an object server, in place of one that it has.
    /// - Throws: `DBusError` when the bus is gone.
    public init(on agent: HunchAgent) async throws {
        connection = agent.connection
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
        server = await ObjectServer(on: connection)
        let owners = try await connection.owners(of: HunchNames.agent)
        try await server.export(Self.delegatePath, [delegateInterface()])
        watching = Task(executorPreference: connection.loop) { [weak self] in
            for await owner in owners where owner != nil { await self?.restore() }
        }
    }

    deinit { watching?.cancel() }

    private nonisolated func delegateInterface() -> ExportedInterface {
        ExportedInterface(
            HunchNames.activityDelegate,
            [
                .method("Save", arguments: ["activity"], results: ["changes"]) {
                    [weak self] (call, path: ObjectPath) async throws -> VariantMap in
                    try await self?.save(path, for: call.sender) ?? [:]
                }
            ])
    }

    /// Makes sure that the agent calls: anyone on the bus can.
    ///
    /// - Throws: `DBusError` `…AccessDenied` when somebody else does.
    func checkAgent(_ caller: BusName) async throws {
        guard try await connection.owner(of: HunchNames.agent) == caller else {
            throw DBusError(.accessDenied, "only \(HunchNames.agent) may ask for this")
        }
    }

    // MARK: What becomes of an activity

    func turn(to activity: AppActivity) async throws {
        await begin()
        defer { end() }
        let former = current
        current = activity
        do {
            try await tellCurrent(activity, startsService: true)
        } catch let error as DBusError where !error.isAbsence {
            current = former
            throw error
        }
    }

    func tell(_ activity: AppActivity, _ changes: VariantMap) async throws {
        await begin()
        defer { end() }
        guard !changes.isEmpty, let path = path(of: activity) else { return }
        try await ifThere(path) {
            try await object(path).call(HunchNames.activity, "Update", changes, startsService: false)
        }
    }

    func resign(_ activity: AppActivity) async throws {
        await begin()
        defer { end() }
        if current === activity { current = nil }
        guard let path = path(of: activity) else { return }
        try await ifThere(path) { try await object(path).call(HunchNames.activity, "Resign", startsService: false) }
    }

    func invalidate(_ activity: AppActivity) async throws {
        await begin()
        defer { end() }
        if current === activity { current = nil }
        guard let path = path(of: activity) else { return }
        try await invalidate(path)
    }

    private func invalidate(_ path: ObjectPath) async throws {
        told.removeAll { $0.path == path }
        try await ifThere(path) { try await object(path).call(HunchNames.activity, "Invalidate", startsService: false) }
    }

    private func tellCurrent(_ activity: AppActivity, startsService: Bool) async throws {
        if let path = path(of: activity) {
            try await ifThere(path) {
                try await object(path).call(HunchNames.activity, "BecomeCurrent", startsService: false)
            }
            if self.path(of: activity) != nil { return }
        }
        // The one that was current until now may have been dropped, too.
        for dropped in told.filter({ $0.activity == nil }).dropLast(Self.droppedLimit - 1) {
            try await invalidate(dropped.path)
        }
        let path: ObjectPath = try await root.call(
            HunchNames.activities, "BecomeCurrent", activity.transfer, startsService: startsService)
        told.append(Told(activity: activity, path: path))
    }

    /// An agent has come, perhaps in place of one that knew the current activity.
    private func restore() async {
        await begin()
        defer { end() }
        guard let activity = current else { return }
        if let path = path(of: activity),
            (try? await object(path).property(HunchNames.activity, "Version", as: UInt32.self)) != nil
        {
            return
        }
        told = []
        // When the agent is gone again, it is told when it comes back.
        try? await tellCurrent(activity, startsService: false)
    }

    // MARK: Saving

    private func save(_ path: ObjectPath, for caller: BusName) async throws -> VariantMap {
        try await checkAgent(caller)
        if !told.contains(where: { $0.path == path }) {
            // The answer that names the object may be under way.
            await begin()
            end()
        }
        return await told.first { $0.path == path }?.activity?.save() ?? [:]
    }

    // MARK: Objects of the agent

    private func path(of activity: AppActivity) -> ObjectPath? { told.first { $0.activity === activity }?.path }

    private func object(_ path: ObjectPath) -> Proxy { Proxy(connection, HunchNames.agent, path) }

    /// Calls an object, and drops it where it is there no more: the agent was ended, or the activity had its time.
    private func ifThere(_ path: ObjectPath, _ call: () async throws -> Void) async throws {
        do {
            try await call()
        } catch let error as DBusError where error.isAbsence {
            told.removeAll { $0.path == path }
        }
    }

    private func begin() async {
        guard isTelling else { return isTelling = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        isTelling = false
    }
}

extension DBusError {
    /// Whether it says that the agent, or the object, is not there now.
    fileprivate var isAbsence: Bool {
        [.serviceUnknown, .nameHasNoOwner, .noReply, .timedOut, .unknownObject].contains(name)
    }
}
