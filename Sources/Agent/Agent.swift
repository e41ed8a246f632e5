internal import Apps
public import HunchDBus
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Logging
internal import Surfaces

/// The composition root. It owns every part of the agent, starts every task, and ends them.
///
/// Until the person has enabled Hunch, it answers calls but watches nothing.
public actor Agent {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let worker: WorkerThread
    let foreignFiles: ForeignFiles
    /// The outcome of confining the threads that access files. Known once the agent owns its bus name.
    private(set) var confinement = FileConfinement.Outcome.unsupported
    let bus: Connection
    let server: ObjectServer
    let history: HistoryKeeper
    let directions: DirectionsService
    let desk: SuggestionDesk
    let habits: Habits
    let present: CurrentContext
    let media: MediaService
    let watch: Watch
    let privacy: PrivacyService
    let donations: DonationsService
    let activities: ActivitiesService
    let problems: ProblemReporter
    /// The path to which a damaged history was moved at startup.
    private(set) var setAside: String?
    /// The idle time after which the agent returns memory.
    private static let quietTime = Duration.seconds(1)
    /// The executor of the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Connects to the session bus. Does not yet watch anything, own a name, or open the store.
    ///
    /// - Parameters:
    ///   - configuration: paths, time limits and the clock.
    ///   - loop: the running loop on which the agent works.
    /// - Throws: ``DBusError`` if there is no session bus; `HistoryError` if the environment does not say where the store belongs.
    public init(_ configuration: AgentConfiguration, on loop: EventLoop) async throws {
        self.loop = loop
        worker = try WorkerThread(name: "hunch-store")
        foreignFiles = try await ForeignFiles(loop: loop)
        let installed = InstalledAppsCache(environment: configuration.environment, worker: worker)
        var configuration = configuration
        // The thread rejects work only when the agent ends.
        configuration.owners = { program in (try? await installed.apps(running: program)) ?? [] }
        self.configuration = configuration
        var logger = Logger(label: "hunchd", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = configuration.environment["HUNCH_LOG"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        problems = ProblemReporter { [logger] in logger.warning("\($0)") }
        bus = try await Connection.open(configuration.sessionBus(), on: loop)
        history = try HistoryKeeper(environment: configuration.environment, now: configuration.now, on: worker)
        server = await ObjectServer(on: bus, mapError: ErrorMapping.reply(to:)) { [configuration] call in
            let permission = try await CallerPermission.of(call, configuration)
            return { subject throws(DBusError) in
                switch subject {
                // The caller's own requests. A unique name begins with a colon, an app's identifier never does.
                case call.sender.text: return
                case NowPlayingCard.subject: try permission.mayUseCard()
                default: try permission.mayLook(at: subject)
                }
            }
        }
        habits = Habits(loop: loop, history: history, problems: problems)
        present = CurrentContext(
            environment: configuration.environment, now: configuration.now, loop: loop, history: history,
            problems: problems, sessionBus: bus
        ) { [configuration, loop] in
            try await Connection.open(configuration.systemBus(), on: loop)
        }
        let environment = AgentEnvironment(
            configuration: configuration, loop: loop, bus: bus, server: server, worker: worker,
            foreignFiles: foreignFiles, history: history, habits: habits, present: present, installed: installed,
            launcher: DesktopLauncher(environment: configuration.environment, bus: bus, installed: installed),
            problems: problems)
        desk = SuggestionDesk(environment)
        directions = try await DirectionsService(environment, desk: desk)
        let learned = LearnedSuggestions(environment, directions: directions, desk: desk)
        media = MediaService(environment, desk: desk, learned: learned)
        activities = ActivitiesService(environment, desk: desk, directions: directions)
        donations = DonationsService(environment, desk: desk, activities: activities)
        watch = Watch(environment, desk: desk, media: media, activities: activities)
        privacy = PrivacyService(
            environment, desk: desk, media: media, activities: activities, donations: donations, watch: watch)
    }

    /// Serves until the session bus closes or a signal ends the process.
    ///
    /// - Throws: ``DBusError`` if another agent owns the name; `HistoryError` if the store cannot be used.
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

    /// Opens the store. Only the agent that owns the name may do so. Calls that arrive meanwhile wait on the store's
    /// thread.
    private func openHistory() async throws {
        // Not earlier, because it creates the two folders.
        confinement = try await worker.run { [configuration] in FileConfinement.store(configuration).confineThread() }
        if case .failed(let reason) = confinement {
            problems.report("the kernel did not confine the agent's access to files: \(reason)")
        }
        setAside = try await history.open()
        try await desk.load()
        if let setAside {
            problems.report("the history was damaged and is now at \(setAside); a fresh one is in use")
        }
        await privacy.begin()
        await habits.learn()
        try await watch.begin()
    }

    private func close() async {
        await watch.close()
        history.desktopWord.open()
        await activities.close()
        await privacy.close()
        await desk.close()
        await habits.settle()
        await history.close()
        // Awaited even if this task was cancelled, so that an agent that starts now does not find the name owned.
        await Task(executorPreference: loop) { [bus] in try? await bus.releaseName(HunchNames.agent) }.value
        await bus.close()
        worker.stop()
        foreignFiles.stop()
    }
}
