internal import AgentInterface
internal import EventLoops
public import HunchDBus

/// The activities of an app. This object keeps the current activity alive, asks delegates for unsaved changes, and
/// reports the current activity again when the agent restarts.
///
///     let activities = try await AppActivities(on: agent)
///     let page = AppActivity(
///         Activity(type: "org.example.Guide.restaurant", title: "Yank Sing",
///                  place: MapItem(
///                     name: "Yank Sing", coordinate: try Coordinate(latitude: 37.7922, longitude: -122.3931))),
///         in: activities)
///     try await page.becomeCurrent()
///     try await page.resign()
///
/// An app creates one `AppActivities` for its connection. The desktop has at most one current activity: the last that
/// became current in any app. When the agent restarts, every app reports its activity that has not resigned. So an app
/// must resign its activity when the user turns to another app.
public actor AppActivities {
    /// The maximum number of activities that Hunch keeps after the app released them without invalidating them.
    public static let droppedLimit = 16

    /// An activity that was reported to the agent, with its object there.
    private struct Told {
        weak var activity: AppActivity?
        let path: ObjectPath
    }

    let connection: Connection
    /// The object server of the app's connection. The app may export other objects on it.
    public nonisolated let server: ObjectServer
    private let root: Proxy
    private var told: [Told] = []
    /// The current activity, held strongly because the app may have released it.
    private var current: AppActivity?
    private var watching: Task<Void, Never>?
    /// Whether a call is in progress. Calls are sent one at a time and in order, and later ones wait.
    private var isTelling = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static var delegatePath: ObjectPath { HunchNames.activityDelegatePath }

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    /// Prepares an app to report activities. Does not start the agent.
    ///
    /// - Parameter agent: the agent. The activities are served on its connection, beside what the app serves there.
    /// - Throws: `DBusError` if the connection is closed.
    public init(on agent: HunchAgent) async throws {
        connection = agent.connection
        root = Proxy(connection, HunchNames.agent, HunchNames.root)
        server = await ObjectServer.shared(on: connection)
        let owners = try await connection.owners(of: HunchNames.agent)
        try await server.export(Self.delegatePath, [delegateInterface()])
        watching = Task(executorPreference: connection.loop) { [weak self] in
            for await owner in owners where owner != nil { await self?.restore() }
        }
    }

    deinit { watching?.cancel() }

    private nonisolated func delegateInterface() -> ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.activityDelegate,
            [
                .method("Save", arguments: ["activity"], results: ["changes"]) {
                    [weak self] (call, path: ObjectPath) async throws -> VariantMap in
                    try await self?.save(path, for: call.sender) ?? [:]
                }
            ])
    }

    // MARK: Changing activities

    func turn(to activity: AppActivity, startsAgent: Bool) async throws {
        await begin()
        defer { end() }
        let former = current
        current = activity
        do {
            try await tellCurrent(activity, startsService: startsAgent)
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
        // The agent kept nothing of it until now, since Hunch was off or paused.
        guard current === activity, self.path(of: activity) == nil else { return }
        do {
            try await tellCurrent(activity, startsService: false)
        } catch let error as DBusError where error.isAbsence {
            // Restored once the agent is back.
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
        // Leaves room for the activity that was current until now, since the app may have released it as well.
        for dropped in told.filter({ $0.activity == nil }).dropLast(Self.droppedLimit - 1) {
            try await invalidate(dropped.path)
        }
        let path: ObjectPath = try await root.call(
            HunchNames.activities, "BecomeCurrent", activity.transfer, startsService: startsService)
        told.append(Told(activity: activity, path: path))
    }

    /// Reports the current activity to an agent that has just started, unless that agent already knows it.
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
        // An error means that the agent is gone again. This function runs again when it is back.
        try? await tellCurrent(activity, startsService: false)
    }

    // MARK: Saving

    private func save(_ path: ObjectPath, for caller: BusName) async throws -> VariantMap {
        try await connection.checkAgent(caller)
        if !told.contains(where: { $0.path == path }) {
            // The reply to `BecomeCurrent`, which contains this path, may still be pending.
            await begin()
            end()
        }
        return await told.first { $0.path == path }?.activity?.save() ?? [:]
    }

    // MARK: Objects of the agent

    private func path(of activity: AppActivity) -> ObjectPath? { told.first { $0.activity === activity }?.path }

    private func object(_ path: ObjectPath) -> Proxy { Proxy(connection, HunchNames.agent, path) }

    /// Calls an object of the agent. Removes the activity from the list if its object no longer exists, because the
    /// agent ended or the activity expired.
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
    /// Whether the agent or the object does not exist now.
    fileprivate var isAbsence: Bool {
        [.serviceUnknown, .nameHasNoOwner, .noReply, .timedOut, .unknownObject].contains(name)
    }
}
