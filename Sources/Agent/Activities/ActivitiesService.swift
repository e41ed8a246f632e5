internal import Apps
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Suggestions

/// Keeps the activities of apps and makes suggestions from them.
///
/// Activities are kept in memory only and belong to the connections that reported them. The history gets only the
/// places that were on the screen, and the items that were opened.
actor ActivitiesService {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let bus: Connection
    let history: HistoryKeeper
    let habits: Habits
    let present: CurrentContext
    let desk: SuggestionDesk
    let directions: DirectionsService
    let launcher: DesktopLauncher
    let installed: InstalledAppsCache
    private let server: ObjectServer
    var table = ActivityTable()
    private var rates = CallerRates(burst: 100, perSecond: 2)
    /// Updates may come more often than new activities.
    private var changeRates = CallerRates(burst: 200, perSecond: 10)
    private var random = SystemRandomNumberGenerator()
    private var watches: [BusName: Task<Void, Never>] = [:]
    /// The requests for saving activities that are under way.
    private var saves: [LiveActivity.ID: Task<Void, Never>] = [:]
    /// The number of activities that the person left.
    private var departures = 0
    /// Increases each time the person pauses, excludes or forgets, so that older work is dropped.
    private(set) var epoch = 0
    /// The places that the person just left, by app.
    var leaving: [String: LeftPlace] = [:]
    /// The suggestions made from activities.
    var offered: [Suggestion.ID: LiveActivity] = [:]
    let problems: ProblemReporter

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, directions: DirectionsService) {
        configuration = environment.configuration
        loop = environment.loop
        bus = environment.bus
        server = environment.server
        history = environment.history
        habits = environment.habits
        present = environment.present
        launcher = environment.launcher
        installed = environment.installed
        problems = environment.problems
        self.desk = desk
        self.directions = directions
    }

    /// Cancels all work under way.
    func close() {
        for task in watches.values { task.cancel() }
        for task in saves.values { task.cancel() }
        watches = [:]
        drop { _ in true }
    }

    // MARK: Reports of apps

    /// Adds an activity and makes it current. Returns the path of its object.
    func becomeCurrent(_ map: VariantMap, owner: BusName, application: String) async throws -> ObjectPath {
        try charge(application)
        let activity = try Activity(transfer: map)
        let delegate = try map.value("delegate", as: ObjectPath.self)
        let isKept = try await isKept(application)
        let id = SuggestionIdentifier.make(using: &random)
        let path = try HunchNames.activityPath(id)
        let life = LiveActivity(
            id: id, application: application, owner: owner, activity: isKept ? activity : nil,
            delegate: isKept ? delegate : nil, date: configuration.now())
        let former = try table.add(life)
        if let former { try await server.unexport(HunchNames.activityPath(former.id)) }
        do {
            try await server.export(path, [interface(of: id, owner: owner)])
        } catch {
            _ = table.remove { $0.id == id }
            throw error
        }
        follow(owner)
        await turn(to: id)
        return path
    }

    /// Makes an activity current again.
    func becomeCurrent(_ id: LiveActivity.ID) async throws {
        guard let life = table.lives[id] else { return }
        try charge(life.application)
        guard try await checkKept(life) else { return }
        await turn(to: id)
    }

    /// Applies changes to an activity.
    func update(_ id: LiveActivity.ID, _ changes: VariantMap) async throws {
        guard var life = table.lives[id] else { return }
        guard changeRates.take(1, of: life.application, at: configuration.now()) else {
            throw DBusError(.limitsExceeded, "too many changes in a short time; send the last one again in a moment")
        }
        if life.activity == nil {
            let hasAll = changes["type"] != nil && changes["title"] != nil
            guard hasAll, try await isKept(life.application) else { return }
        } else if try await !checkKept(life) {
            return
        }
        // Other changes may have arrived meanwhile.
        life = table.lives[id] ?? life
        try life.update(changes)
        try table.replace(life)
        if table.currentID == id { await remember(life) }
    }

    /// Handles that the person left an activity.
    func resign(_ id: LiveActivity.ID) {
        guard let life = table.lives[id], table.resign(id) else { return }
        leave(life)
    }

    /// Ends an activity and withdraws its suggestions.
    func invalidate(_ id: LiveActivity.ID) async throws {
        try await end { $0.id == id }
    }

    private func turn(to id: LiveActivity.ID) async {
        let former = table.makeCurrent(id, at: configuration.now())
        if let former { leave(former) }
        if let life = table.lives[id] { await remember(life) }
    }

    private func charge(_ application: String) throws(DBusError) {
        guard rates.take(1, of: application, at: configuration.now()) else {
            throw DBusError(
                .limitsExceeded, "too many activities became current in a short time; try again in a moment")
        }
    }

    // MARK: Storage

    /// Whether activities of an app are kept now.
    func isKept(_ application: String) async throws -> Bool {
        await history.desktopWord.pass()
        return try await history.use { store, now in
            try store.outcome(forApplication: application, now: now).isRecorded
        }
    }

    /// Whether an activity is kept. If not, drops the contents of its app's activities.
    private func checkKept(_ life: LiveActivity) async throws -> Bool {
        if try await isKept(life.application) { return true }
        drop { $0.application == life.application }
        return false
    }

    /// Drops activities that have expired, and those of apps that are not kept any more.
    func sweep() async throws {
        let now = configuration.now()
        try await end { $0.activity.map { !$0.isCurrent(at: now) } ?? false }
        for application in Set(table.lives.values.map(\.application)) where try await !isKept(application) {
            drop { $0.application == application }
        }
    }

    /// Drops the contents of activities, so that they lead to nothing any more.
    func drop(where condition: (LiveActivity) -> Bool) {
        table.drop(where: condition)
        for (application, left) in leaving where condition(left.life) {
            left.cancel(on: loop)
            leaving[application] = nil
        }
    }

    /// Discards activities and withdraws their suggestions, because the person paused Hunch, excluded the app, or
    /// forgot them.
    func forget(where condition: (LiveActivity) -> Bool) async {
        epoch += 1
        drop(where: condition)
        await withdraw(where: condition)
    }

    /// Ends activities, removes their objects, and withdraws their suggestions.
    func end(where condition: @escaping @Sendable (LiveActivity) -> Bool) async throws {
        let removed = table.remove(where: condition).removed
        drop(where: condition)
        await withdraw(where: condition)
        for life in removed { try await server.unexport(HunchNames.activityPath(life.id)) }
    }

    /// Withdraws the suggestions based on some activities.
    func withdraw(where condition: (LiveActivity) -> Bool) async {
        let meant = Set(offered.filter { condition($0.value) }.keys)
        guard !meant.isEmpty else { return }
        await desk.withdraw(because: "what it came of is over") { meant.contains($0.id) }
        for id in meant { offered[id] = nil }
    }

    // MARK: Connections

    /// Ends a connection's activities when it closes.
    private func follow(_ owner: BusName) {
        guard watches[owner] == nil else { return }
        watches[owner] = Task(executorPreference: loop) { [weak self, bus] in
            // Nothing is kept of a connection that cannot be followed.
            if let owners = try? await bus.owners(of: owner) {
                for await present in owners where present == nil { break }
            }
            guard !Task.isCancelled else { return }
            await self?.lose(owner)
        }
    }

    /// Handles the end of a connection. A crash looks the same as a normal exit, and the person saw the content
    /// either way.
    private func lose(_ owner: BusName) async {
        watches[owner] = nil
        let (removed, current) = table.remove { $0.owner == owner }
        if let current { leave(current) }
        for life in removed {
            do { try await server.unexport(HunchNames.activityPath(life.id)) } catch {
                problems.report("the end of an activity could not be announced: \(error)")
            }
        }
    }

    // MARK: Saving

    /// Asks the app to save its activity, if it needs that, within a time limit. Returns the activity afterwards.
    ///
    /// - Parameter life: the activity; it may have been removed from the table.
    func saved(_ life: LiveActivity) async -> LiveActivity {
        // The app may have been asked since the caller looked.
        guard let life = table.lives[life.id] else { return life }
        guard life.activity?.needsSave == true, let delegate = life.delegate else { return life }
        let task =
            saves[life.id]
            ?? Task(executorPreference: loop) { [weak self, bus, configuration] in
                let changes: VariantMap? = try? await bus.call(
                    life.owner, delegate, HunchNames.activityDelegate, "Save",
                    HunchNames.activityPath(life.id), timeout: configuration.saveTime, startsService: false)
                await self?.take(changes ?? [:], of: life.id)
            }
        saves[life.id] = task
        await task.value
        return table.lives[life.id] ?? life
    }

    /// Applies the app's answer. An invalid answer leaves the activity unchanged. The app is not asked again until it
    /// requests saving.
    private func take(_ changes: VariantMap, of id: LiveActivity.ID) {
        saves[id] = nil
        guard var life = table.lives[id], life.activity != nil else { return }
        life.activity?.needsSave = false
        try? table.replace(life)
        if (try? life.update(changes)) != nil { try? table.replace(life) }
    }

    // MARK: Leaving

    /// Handles an activity that the person left. Does not wait, because its app may have to answer.
    private func leave(_ life: LiveActivity) {
        departures += 1
        let departure = departures
        let left = configuration.now()
        // Noted at once, so that the last of several counts, however long their apps take to answer.
        if life.activity?.needsSave == true || life.seenPlace(at: left) != nil {
            leaving.removeValue(forKey: life.application)?.cancel(on: loop)
            leaving[life.application] = LeftPlace(life: life, departure: departure)
        }
        Task(executorPreference: loop) { [weak self, epoch] in
            await self?.take(leave: life, at: left, departure, epoch)
        }
    }

    private func take(leave life: LiveActivity, at date: Date, _ departure: Int, _ epoch: Int) async {
        let life = await saved(life)
        guard life.activity?.isEligibleForSuggestion == true, self.epoch == epoch else { return }
        await donate(life, leftAt: date)
        guard self.epoch == epoch else { return }
        await remember(life)
        guard leaving[life.application]?.departure == departure else { return }
        guard life.seenPlace(at: configuration.now()) != nil else {
            leaving[life.application] = nil
            return
        }
        let timer = loop.schedule(after: configuration.leaveTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.considerOffering(for: life.application) }
        }
        leaving[life.application] = LeftPlace(life: life, departure: departure, timer: timer)
    }
}

extension LiveActivity {
    /// Applies the app's changes.
    mutating func update(_ changes: VariantMap) throws(DBusError) {
        let delegate = try changes.value("delegate", as: ObjectPath.self)
        if var known = activity {
            try known.update(transfer: changes)
            activity = known
        } else {
            activity = try Activity(transfer: changes)
        }
        self.delegate = delegate ?? self.delegate
    }
}

/// A place that the person just left, or an activity whose app may still turn out to show one.
struct LeftPlace {
    let life: LiveActivity
    /// The number of this departure, in order.
    let departure: Int
    /// The timer of the suggestion; set once the place is known.
    var timer: LoopTimer?

    func cancel(on loop: EventLoop) {
        if let timer { loop.cancel(timer) }
    }
}
