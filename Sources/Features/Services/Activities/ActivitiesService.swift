internal import Appointments
internal import Players
internal import SearchServices
internal import DirectionServices
internal import Agent
internal import Activities
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Media
internal import Suggestions
internal import Localization

/// Keeps the activities of apps and makes suggestions from them.
///
/// Activities are kept in memory only and belong to the connections that reported them. The history gets only the
/// places that were on the screen, and the items that were opened.
actor ActivitiesService: Feature {
    static let name = "activities"

    let environment: AgentEnvironment
    let desk: SuggestionDesk
    let directions: DirectionsService
    let appointments: AppointmentsService
    let searchIndex: IndexService
    private let media: MediaService
    private let shown: ShownMedia
    var policy = ActivityPolicy() {
        didSet {
            shown.set(policy.table.media)
            announceCurrent()
        }
    }
    private var rates = CallerRates(burst: 100, perSecond: 2)
    /// Updates may come more often than new activities.
    private var changeRates = CallerRates(burst: 200, perSecond: 10)
    /// The events that were suggested today, with the time.
    var offeredEvents: [CalendarEvent: Date] = [:]
    private var random = SystemRandomNumberGenerator()
    private var watches: [BusName: Task<Void, Never>] = [:]
    /// The callers that read the current activity, and the activity that was current at the last announcement.
    var readers: [BusName: CallerPermission] = [:]
    var announced: (id: LiveActivity.ID, application: AppID)?
    /// The requests for saving activities that are under way.
    private var saves: [LiveActivity.ID: Task<Void, Never>] = [:]
    /// The activities that the user left and that are being recorded, by the number of the departure.
    private(set) var finishing: [Int: LiveActivity] = [:]

    init(
        _ environment: AgentEnvironment, desk: SuggestionDesk, directions: DirectionsService,
        appointments: AppointmentsService, media: MediaService, shown: ShownMedia,
        index: IndexService
    ) {
        self.environment = environment
        self.desk = desk
        self.directions = directions
        self.appointments = appointments
        searchIndex = index
        self.media = media
        self.shown = shown
    }

    nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    /// Cancels all work under way.
    func close() {
        for task in watches.values { task.cancel() }
        for task in saves.values { task.cancel() }
        watches = [:]
        policy.drop { _ in true }
    }

    // MARK: Reports of apps

    /// Adds an activity and makes it current. Returns the path of its object.
    func becomeCurrent(_ map: VariantMap, owner: BusName, application: AppID) async throws -> ObjectPath {
        try charge(application)
        try Activity.checkKeys(of: map)
        let activity = try Activity(transfer: map)
        guard activity.isValid(at: configuration.now()) else { throw Self.expired }
        let delegate = try map.value("delegate", as: ObjectPath.self)
        let isKept = try await history.keepsRecords(of: application)
        let id = SuggestionIdentifier.make(using: &random)
        let path = try HunchNames.activityPath(id)
        let life = LiveActivity(
            id: id, application: application, owner: owner, activity: isKept ? activity : nil,
            delegate: isKept ? delegate : nil, date: configuration.now())
        await carryOut(try policy.add(life))
        do {
            try await server.export(path, [interface(of: id, owner: owner)])
        } catch {
            await carryOut(policy.end { $0.id == id })
            throw error
        }
        follow(owner)
        await carryOut(policy.makeCurrent(id, at: configuration.now()))
        if policy.table.lives[id]?.activity?.media != nil { await media.completeItems(of: application) }
        return path
    }

    /// Makes an activity current again.
    func becomeCurrent(_ id: LiveActivity.ID) async throws {
        guard let life = policy.table.lives[id] else { return }
        try charge(life.application)
        guard try await checkKept(life) else { return }
        guard life.activity != nil else { throw await dropEmpty(life) }
        await carryOut(policy.makeCurrent(id, at: configuration.now()))
    }

    /// Applies changes to an activity.
    func update(_ id: LiveActivity.ID, _ changes: VariantMap) async throws {
        guard var life = policy.table.lives[id] else { return }
        guard changeRates.take(1, of: life.application.rawValue, at: configuration.now()) else {
            throw DBusError(.limitsExceeded, "too many changes in a short time; send the last one again in a moment")
        }
        if life.activity == nil {
            guard try await history.keepsRecords(of: life.application) else { return }
            guard changes["type"] != nil, changes["title"] != nil else { throw await dropEmpty(life) }
        } else if try await !checkKept(life) {
            return
        }
        // Other changes may have arrived meanwhile.
        life = policy.table.lives[id] ?? life
        try life.update(changes)
        if changes["expiry"] != nil, life.activity?.isValid(at: configuration.now()) == false { throw Self.expired }
        await carryOut(try policy.replace(life, at: configuration.now()))
        if life.activity?.media != nil { await media.completeItems(of: life.application) }
    }

    /// Handles that the user left an activity.
    func resign(_ id: LiveActivity.ID) async {
        await carryOut(policy.resign(id, at: configuration.now()))
    }

    /// Ends an activity and withdraws its suggestions.
    func invalidate(_ id: LiveActivity.ID) async {
        await carryOut(policy.end { $0.id == id })
    }

    private static let expired = DBusError(
        .invalidInput, "“expiry” is in the past; invalidate an activity that has ended")

    /// Ends an activity whose content was not kept. Returns the error by which its app learns that it must create it again.
    private func dropEmpty(_ life: LiveActivity) async -> DBusError {
        await carryOut(policy.end { $0.id == life.id })
        return DBusError(
            .unknownObject,
            "Hunch was off or paused and kept nothing of this activity; create it again with Activities1.BecomeCurrent")
    }

    private func charge(_ application: AppID) throws(DBusError) {
        guard rates.take(1, of: application.rawValue, at: configuration.now()) else {
            throw DBusError(
                .limitsExceeded, "too many activities became current in a short time; try again in a moment")
        }
    }

    // MARK: Storage

    /// Whether an activity is kept. If not, drops the contents of its app's activities.
    private func checkKept(_ life: LiveActivity) async throws -> Bool {
        if try await history.keepsRecords(of: life.application) { return true }
        policy.drop { $0.application == life.application }
        return false
    }

    /// Drops activities that have expired, and those of apps whose activities are no longer kept.
    func sweep() async throws {
        let now = configuration.now()
        await carryOut(policy.end { $0.activity.map { !$0.isValid(at: now) } ?? false })
        policy.dropEnded(before: now)
        for application in Set(policy.table.all.map(\.application))
        where try await !history.keepsRecords(of: application) {
            policy.drop { $0.application == application }
        }
    }

    func handle(_ event: CoreEvent) async {
        switch event {
        case .switchedOff: await forget { _ in true }
        case .forgetting(let scope): await forget(where: scope.mayConcern)
        case .excluded(let applications): await forget { applications.contains($0.application) }
        case .person, .positionLost, .recordsChanged, .settingsChanged, .unmuted, .carriedOut: break
        }
    }

    func holds(_ scope: ForgetScope) -> Bool { policy.table.all.contains(where: scope.concerns) }

    /// Drops the contents of activities and withdraws their suggestions.
    private func forget(where condition: (LiveActivity) -> Bool) async {
        offeredEvents = [:]
        await carryOut(policy.forget(where: condition))
    }

    // MARK: Effects

    /// Carries out what the policy decided. After the user paused, excluded or forgot something meanwhile, the rest
    /// only cleans up.
    func carryOut(_ effects: [ActivityPolicy.Effect]) async {
        let epoch = policy.epoch
        for effect in effects where policy.epoch == epoch || !effect.needsConsent { await carryOut(effect) }
    }

    private func carryOut(_ effect: ActivityPolicy.Effect) async {
        switch effect {
        case .save(let life, let departure):
            // Not awaited, because its app may have to answer.
            Task(executorPreference: loop) { [weak self] in await self?.finish(life, departure) }
        case .recordOpening(let life, let departure): await recordOpening(life, departure)
        case .index(let life): await index(life)
        case .remember(let place): await remember(place)
        case .wait(let application, let departure):
            _ = loop.schedule(after: configuration.leaveTime) { [weak self, loop] in
                Task(executorPreference: loop) { await self?.waited(for: application, departure) }
            }
        case .suggest(let life): await suggest(life)
        case .withdraw(let suggestions):
            await desk.withdraw(because: "the activity it was made from is over") { suggestions.contains($0.id) }
        case .unexport(let id):
            do { try await server.unexport(HunchNames.activityPath(id)) } catch {
                problems.report(localized("the end of an activity could not be announced: %1", "\(error)"))
            }
        }
    }

    private func finish(_ life: LiveActivity, _ departure: ActivityPolicy.Departure) async {
        let epoch = policy.epoch
        finishing[departure.number] = life
        defer { finishing[departure.number] = nil }
        let life = await afterSaving(life)
        guard policy.epoch == epoch, isFinishing(life) else { return }
        finishing[departure.number] = life
        for effect in policy.saved(life, after: departure, at: configuration.now()) {
            guard policy.epoch == epoch, isFinishing(life) else { return }
            await carryOut(effect)
        }
    }

    /// Whether an activity that the user left may still be recorded: its app has not deleted it meanwhile.
    func isFinishing(_ life: LiveActivity) -> Bool { finishing.values.contains { $0.id == life.id } }

    /// Ends the recording of activities that their app deleted.
    func stopFinishing(where condition: (LiveActivity) -> Bool) {
        finishing = finishing.filter { !condition($0.value) }
    }

    private func waited(for application: AppID, _ departure: ActivityPolicy.Departure) async {
        await carryOut(policy.waited(for: application, after: departure, at: configuration.now()))
    }

    // MARK: Connections

    /// Ends a connection's activities, and what it is told, when it closes.
    func follow(_ owner: BusName) {
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

    private func lose(_ owner: BusName) async {
        watches[owner] = nil
        readers[owner] = nil
        await carryOut(policy.close(owner, at: configuration.now()))
    }

    // MARK: Saving

    /// Asks the app to save its activity, if it needs that, within a time limit. Returns the activity afterwards.
    ///
    /// - Parameter life: the activity; it may have been removed from the table.
    func afterSaving(_ life: LiveActivity) async -> LiveActivity {
        // The app may have been asked since the caller looked.
        guard let life = policy.table.lives[life.id] else { return life }
        guard life.activity?.needsSave == true, let delegate = life.delegate else { return life }
        let task =
            saves[life.id]
            ?? Task(executorPreference: loop) { [weak self, bus, configuration] in
                let changes: VariantMap? = try? await bus.call(
                    life.owner, delegate, HunchNames.activityDelegate, "Save",
                    HunchNames.activityPath(life.id), VariantMap(), timeout: configuration.saveTime,
                    startsService: false)
                await self?.apply(changes ?? [:], to: life.id)
            }
        saves[life.id] = task
        await task.value
        return policy.table.lives[life.id] ?? life
    }

    /// Applies the app's answer. An invalid answer leaves the activity unchanged. The app is not asked again until it
    /// requests saving.
    private func apply(_ changes: VariantMap, to id: LiveActivity.ID) {
        saves[id] = nil
        guard var life = policy.table.lives[id], life.activity != nil else { return }
        life.activity?.needsSave = false
        let now = configuration.now()
        _ = try? policy.replace(life, at: now)
        do {
            try life.update(changes)
            _ = try policy.replace(life, at: now)
        } catch {
            problems.report(
                localized("the answer of %1 to Save is not used: %2", life.application, ErrorMapping.logged(error)))
        }
    }
}
