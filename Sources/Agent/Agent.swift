public import HunchDBus
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Logging
internal import Surfaces

/// The composition root: it owns every part of the agent, starts every task, and ends them.
///
/// Until the person has enabled Hunch it answers calls and watches nothing.
public actor Agent {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let worker: WorkerThread
    let foreignFiles: ForeignFiles
    /// Whether the threads that touch files are confined, once this agent has its name on the bus.
    private(set) var confinement = FileConfinement.Outcome.unsupported
    let bus: Connection
    let server: ObjectServer
    let history: HistoryKeeper
    let directions: DirectionsService
    let desk: SuggestionDesk
    let habits: Habits
    let present: PresentContext
    let media: MediaFlow
    let privacy: PrivacyService
    let donations: DonationsService
    let activities: ActivitiesService
    var problems: ProblemLog
    /// The path to which a damaged history was moved at the start.
    private(set) var setAside: String?
    private var watching: Task<Void, Never>?
    /// The idle time after which the agent returns memory.
    private static let quietTime = Duration.seconds(1)
    /// The previous watch, which has to end before the next one begins because they share parts.
    private var ending: Task<Void, Never>?
    /// The number of decisions whether to watch.
    private var decisions = 0

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Connects to the session bus. Nothing is watched, no name is owned and no store is open yet.
    ///
    /// - Parameters:
    ///   - configuration: where things are.
    ///   - loop: the running loop on which everything happens.
    /// - Throws: ``DBusError`` when there is no session bus; `HistoryError` when nothing tells where the store belongs.
    public init(_ configuration: AgentConfiguration, on loop: EventLoop) async throws {
        self.loop = loop
        worker = try WorkerThread(name: "hunch-store")
        foreignFiles = try await ForeignFiles(loop: loop)
        let installed = InstalledList(environment: configuration.environment, worker: worker)
        var configuration = configuration
        // The thread refuses work only when the agent ends.
        configuration.owners = { program in (try? await installed.apps(running: program)) ?? [] }
        self.configuration = configuration
        var logger = Logger(label: "hunchd", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = configuration.environment["HUNCH_LOG"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        problems = ProblemLog(logger: logger)
        bus = try await Connection.open(configuration.sessionBus(), on: loop)
        history = try HistoryKeeper(configuration, on: worker)
        server = await ObjectServer(on: bus, mapError: ErrorMapping.reply(to:)) { [configuration] call in
            let standing = try await CallerStanding.of(call, configuration)
            return { subject throws(DBusError) in
                switch subject {
                // What it asked for itself; a unique name begins with a colon, which no app's identifier does.
                case call.sender.text: return
                case NowPlayingCard.subject: try standing.mayUseCard()
                default: try standing.mayLook(at: subject)
                }
            }
        }
        let opener = DesktopLauncher(environment: configuration.environment, bus: bus, worker: worker)
        habits = Habits(loop: loop, history: history)
        present = PresentContext(
            configuration: configuration, loop: loop, history: history, sessionBus: bus)
        desk = SuggestionDesk(
            configuration: configuration, loop: loop, server: server, bus: bus, history: history, habits: habits,
            present: present, opener: opener)
        directions = try await DirectionsService(
            configuration: configuration, loop: loop, worker: worker, desk: desk, history: history, habits: habits,
            present: present, bus: bus)
        let learned = LearnedOffers(
            configuration: configuration, bus: bus, history: history, habits: habits, present: present,
            directions: directions, desk: desk, opener: opener, worker: worker)
        media = MediaFlow(
            configuration: configuration, loop: loop, bus: bus, history: history, desk: desk, habits: habits,
            present: present, learned: learned, opener: opener, worker: worker,
            foreignFiles: foreignFiles)
        activities = ActivitiesService(
            configuration: configuration, loop: loop, bus: bus, server: server, history: history, habits: habits,
            present: present, desk: desk, directions: directions, opener: opener, worker: worker)
        privacy = PrivacyService(
            configuration: configuration, loop: loop, bus: bus, server: server, history: history, desk: desk,
            media: media, activities: activities, habits: habits, present: present)
        donations = DonationsService(
            configuration: configuration, loop: loop, history: history, habits: habits, present: present, desk: desk,
            activities: activities, worker: worker)
        await desk.setPerformances { [media] suggestion, token in
            try await media.play(suggestion, activationToken: token)
        } open: { suggestion, token in
            try await learned.open(suggestion, activationToken: token)
        }
        await present.setScreen { [weak desk, loop] isSeen in
            // Not waited for: a notification server that hangs must not delay what else happens to the session.
            Task(executorPreference: loop) { await desk?.setScreen(isSeen: isSeen) }
        }
        for problem in await directions.problems { problems.note(problem) }
        await directions.setNote { [weak self] in await self?.note($0) }
        await activities.setNote { [weak self] in await self?.note($0) }
        await habits.setNote { [weak self] in await self?.note($0) }
        await privacy.connect(
            reconcile: { [weak self] in await self?.watchAsWanted() }, note: { [weak self] in await self?.note($0) },
            clearProblems: { [weak self] in await self?.clearProblems() },
            countDonors: { [donations] in await donations.countShares() })
    }

    /// Serves until the session bus goes away or a signal ends the process.
    ///
    /// - Throws: ``DBusError`` when another agent owns the name; `HistoryError` when the store cannot be used.
    public func run() async throws {
        let notifier = ServiceNotifier(environment: configuration.environment)
        let signals = try loop.signals(AgentProgram.endingSignals)
        history.awaitDesktopWord()
        try await export()
        guard try await bus.requestName(HunchNames.agent) == .owner else {
            await close()
            throw DBusError(
                .failed, "another agent is running on this session bus; “hunch status” shows it")
        }
        do {
            try await openHistory()
        } catch {
            await close()
            throw error
        }
        notifier.ready()
        var memory = ResidentMemory()
        loop.whenQuiet(for: Self.quietTime) { memory.trim() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            group.addTask { [bus] in _ = await bus.closed() }
            await group.next()
            notifier.stopping()
            await close()
            group.cancelAll()
        }
    }

    /// Opens the store, which only the agent that owns the name may do. Calls that came meanwhile wait on its thread.
    private func openHistory() async throws {
        // Not before: it makes the two folders.
        confinement = try await worker.run { [configuration] in FileConfinement.store(configuration).confineThread() }
        if case .failed(let reason) = confinement {
            problems.note("the kernel did not confine the agent's access to files: \(reason)")
        }
        setAside = try await history.open()
        try await desk.load()
        if let setAside {
            problems.note("the history was damaged and is now at \(setAside); a fresh one is in use")
        }
        try await privacy.begin()
        await habits.learn()
        await watchAsWanted()
    }

    private func close() async {
        await stopWatching()
        history.desktopWord.open()
        await activities.close()
        await privacy.close()
        await desk.close()
        await habits.settle()
        await history.close()
        // Given back and answered for, so that an agent that is started now is not told that there is one; also where
        // this task was cancelled.
        await Task(executorPreference: loop) { [bus] in try? await bus.releaseName(HunchNames.agent) }.value
        await bus.close()
        worker.stop()
        foreignFiles.stop()
    }

    // MARK: Watching

    var isWatching: Bool { watching != nil }

    /// Watches when the person has enabled Hunch and not paused it, and else does not.
    func watchAsWanted() async {
        decisions += 1
        let decision = decisions
        do {
            let settings = try await history.use { store, _ in try store.settings() }
            let isPaused = try await privacy.pausedUntil() != nil
            // What was asked for later was also written down later, and is decided then.
            guard decision == decisions else { return }
            if settings.isEnabled, !isPaused {
                startWatching()
            } else {
                await stopWatching()
                // Nothing is written down anyway.
                history.goOnWithoutDesktopWord()
            }
        } catch {
            history.goOnWithoutDesktopWord()
            note("whether Hunch is on could not be read: \(error)")
        }
    }

    private func startWatching() {
        guard watching == nil else { return }
        let former = ending
        history.awaitDesktopWord()
        // At once, so that whoever asks next waits for the first look.
        media.assumeIsolated { $0.prepareToWatch() }
        watching = Task(executorPreference: loop) { [weak self, media, desk, present, privacy] in
            await former?.value
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await privacy.run() }
                group.addTask {
                    await desk.run { [weak self] in
                        await self?.note($0)
                    } settle: { [weak self] in
                        await self?.settle($0)
                    }
                }
                group.addTask { await media.run { [weak self] in await self?.note($0) } }
                group.addTask {
                    await present.run { [weak self] in
                        await self?.note($0)
                    } consider: {
                        await media.consider($0)
                    }
                }
            }
        }
    }

    private func stopWatching() async {
        guard let task = watching else { return }
        watching = nil
        ending = task
        task.cancel()
        await task.value
        await desk.withdrawAll()
    }

    private func note(_ problem: String) { problems.note(problem) }

    private func settle(_ problem: String) { problems.settle(problem) }

    private func clearProblems() { problems.clear() }
}
