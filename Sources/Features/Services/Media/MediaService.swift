internal import Players
internal import DirectionServices
internal import Agent
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Media
internal import Suggestions
internal import Triggers
internal import Localization

/// The agent's media service: the players, devices, apps and suggestions of the desktop, in which ``MediaDriver`` carries
/// out what ``MediaPolicy`` decides. Nothing plays before the user accepts.
actor MediaService: Feature {
    static let name = "media"

    let environment: AgentEnvironment
    let desk: SuggestionDesk
    let library: AppLibrary
    let learned: LearnedSuggestions
    private let shown: ShownMedia
    private(set) var players: MPRISPlayers?
    private(set) var monitor: TriggerMonitor?
    /// The devices that were watched since the start or the last forgetting. While nothing is watched, such as in a pause,
    /// they have their names from here.
    private(set) var knownDevices: [AudioDevice.ID: AudioDevice] = [:]
    /// Whether a suggestion that was open when an earlier agent was killed may be made again. Only once, after the
    /// start.
    private var mayMakeAgain = true
    /// Closed until it is made again, or is not.
    let takingUp = Gate()
    /// The devices that were connected when the current pause began; `nil` without a pause.
    private var connectedBeforePause: Set<AudioDevice.ID>?
    let records: MediaRecords
    let driver: MediaDriver
    var timers: [MediaPolicy.Timer: LoopTimer] = [:]
    /// The context last sent to apps.
    var toldContext = PlayableContentContext()
    var telling: Task<Void, Never>?
    /// The task that follows the content of the suggested app.
    var watch: Task<Void, Never>?

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, learned: LearnedSuggestions, shown: ShownMedia) {
        self.environment = environment
        self.desk = desk
        self.learned = learned
        self.shown = shown
        library = AppLibrary(environment)
        records = MediaRecords(
            history: environment.history, habits: environment.habits, present: environment.present,
            now: environment.configuration.now)
        driver = MediaDriver(
            loop: environment.loop, records: records, timing: MediaPolicy.Timing(environment.configuration),
            resumeTime: environment.configuration.performanceTime)
    }

    /// Creates what ``run()`` will watch with. Opens nothing.
    func prepareToWatch() {
        let monitor = makeMonitor()
        (self.monitor, players) = (monitor, makePlayers(monitor))
        if mayMakeAgain { takingUp.close() }
    }

    /// The subjects of problems with players and devices, which the next start of watching solves.
    private static let (playersSubject, devicesSubject) = ("players", "devices")

    /// Follows players and devices until cancelled.
    func run() async {
        let problems = problems
        let monitor = self.monitor ?? makeMonitor()
        let players = self.players ?? makePlayers(monitor)
        self.players = players
        self.monitor = monitor
        for subject in [Self.playersSubject, Self.devicesSubject] { problems.settle(subject) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await players.run() } catch is CancellationError {} catch {
                    problems.report(
                        localized("media players are not followed: %1", "\(error)"), about: Self.playersSubject)
                }
            }
            group.addTask {
                do { try await monitor.run() } catch is CancellationError {} catch {
                    problems.report(localized("devices are not followed: %1", "\(error)"), about: Self.devicesSubject)
                }
            }
            group.addTask { [self] in
                for await observation in players.observations {
                    let application = await desktopID(of: observation.player)
                    if observation.change == .gone { problems.settle(Self.words(of: observation.player)) }
                    await driver.process(.player(observation, application: application), in: self)
                }
            }
            group.addTask { [self] in
                await beginWatching(monitor, players)
                for await event in monitor.events {
                    await noteDevices(of: monitor)
                    await driver.process(.device(event), in: self)
                }
            }
            group.addTask { [self] in await yieldToPlayers(players) }
            group.addTask { for await player in players.excesses { problems.report(Self.words(of: player)) } }
        }
        cancelTimers { _ in true }
        await driver.reset(in: self)
        endFollowingContent()
        await noteDevices(of: monitor)
        await notePause(monitor)
        (self.players, self.monitor) = (nil, nil)
        await present.lose(nil)
    }

    /// Drops the playback state in a scope from memory, so that nothing of it is stored later. Other plays still count.
    private func dropMemory(of scope: ForgetScope = .everything) async {
        mayMakeAgain = false
        switch scope {
        case .place: await driver.dropHold()
        case .kind(let kind) where kind != .playMedia: await driver.dropHold()
        case .application(let application): await driver.dropMemory(of: application)
        case .kind, .action, .device, .since, .everything:
            cancelTimers { if case .play = $0 { true } else { false } }
            await driver.dropMemory()
        }
        await forgetNames()
        library.forgetCovers()
    }

    /// Forgets the names of devices, except for the results of triggers that are still told.
    private func forgetNames() async {
        let told = await notedDevices()
        knownDevices = knownDevices.filter { told.contains($0.key) }
    }

    /// The devices whose trigger results are reported.
    func notedDevices() async -> Set<AudioDevice.ID> {
        let results = await driver.log.merged(with: await desk.log).results
        return Set(
            results.compactMap { result in
                if case .device(let device) = result.trigger { device } else { nil }
            })
    }

    /// Returns whether the agent watches for the first time since its start; once.
    func takeStart() -> Bool {
        defer { mayMakeAgain = false }
        return mayMakeAgain
    }

    /// Returns the devices that were connected when a pause began that has ended now; `nil` without a pause.
    func takePause() -> Set<AudioDevice.ID>? {
        defer { connectedBeforePause = nil }
        return connectedBeforePause
    }

    /// Notes which devices are connected if watching ends because of a pause.
    private func notePause(_ monitor: TriggerMonitor) async {
        let isPaused = try? await history.use { store, now in try store.settings().isPaused(at: now) }
        guard isPaused == true else { return }
        connectedBeforePause = Set(await monitor.status().devices.filter(\.isConnected).map(\.device.id))
    }

    /// Remembers the names of the devices that are seen, which the results of triggers need when they are gone.
    private func noteDevices(of monitor: TriggerMonitor) async {
        remember(await monitor.status().devices.map(\.device))
    }

    /// Remembers the names of devices.
    func remember(_ devices: [AudioDevice]) {
        for device in devices where knownDevices.count < Self.rememberedLimit || knownDevices[device.id] != nil {
            knownDevices[device.id] = device.withShownName
        }
    }

    private func cancelTimers(where condition: (MediaPolicy.Timer) -> Bool) {
        for (key, timer) in timers where condition(key) {
            loop.cancel(timer)
            timers[key] = nil
        }
    }

    private func makePlayers(_ monitor: TriggerMonitor) -> MPRISPlayers {
        MPRISPlayers(on: bus, shown: shown, streams: { monitor.assumeIsolated { $0.streams } }) { [library] player in
            await library.desktopID(of: player)
        }
    }

    private func makeMonitor() -> TriggerMonitor {
        let address = configuration.systemBus()
        var timing = GateTiming()
        timing.settle = configuration.settleTime
        timing.rejoin = configuration.rejoinTime
        return TriggerMonitor(
            loop: loop, timing: timing, pulseServer: configuration.environment["PULSE_SERVER"],
            environment: { [configuration] in configuration.environment[$0] },
            openSystemBus: { [loop] in try await Connection.open(address, on: loop) })
    }

    /// Returns the message about a player that sends too many changes; always the same for one player.
    private static func words(of player: MPRISPlayer) -> String {
        localized(
            "%1 sends too many changes and is ignored for a while; “hunch players” shows how many were dropped",
            player.name)
    }

    // MARK: The user

    func handle(_ event: CoreEvent) async {
        switch event {
        case .person(let personEvent): await driver.process(.person(personEvent), in: self)
        case .switchedOff: await dropMemory()
        case .forgetting(let scope):
            connectedBeforePause = nil
            await driver.forgetTriggers()
            await dropMemory(of: scope)
            await driver.process(.forgotten, in: self)
            await forgetUses(in: scope)
        // The outcomes of triggers may name the app.
        case .excluded: await driver.forgetTriggers()
        case .recordsChanged: await forgetNames()
        case .positionLost, .settingsChanged, .unmuted, .carriedOut: break
        }
    }

    /// Forgets when the user used the players that a scope may concern.
    private func forgetUses(in scope: ForgetScope) async {
        for player in await players?.players() ?? [] {
            let isConcerned =
                switch scope {
                case .application(let application): await desktopID(of: player) == application
                case .place: false
                default: true
                }
            if isConcerned { await players?.forgetUse(of: player.id) }
        }
    }

    var outcomes: TriggerLog {
        get async { await driver.log }
    }

    /// Starts the suggested playback. Called only after the user accepted.
    ///
    /// - Throws: `MediaError` if it does not play.
    func play(_ suggestion: Suggestion, activationToken: String?) async throws {
        try await driver.play(suggestion, activationToken: activationToken, in: self)
    }

    // MARK: Players and apps

    /// Completes the items that an app plays, after what it shows changed.
    func completeItems(of application: AppID) async { await players?.reportItems(of: application) }

    /// Returns whether WirePlumber pauses players when devices disconnect. Then all pausing is left to it, also for
    /// sockets, whose sink may stay when the plug is out: two programs with different rules would conflict.
    func isPausedElsewhere() async -> Bool {
        guard await monitor?.playsThroughPipeWire == true else { return false }
        return await WirePlumber.pausesPlayers(
            environment: configuration.environment, within: configuration.settingTime)
    }

    /// Returns the device in use; `nil` for the machine's own speakers.
    func deviceInUse() async -> AudioDevice? {
        await monitor?.status().devices.first { $0.isReady }?.device
    }

    func desktopID(of player: MPRISPlayer) async -> AppID {
        if let application = player.application { return application }
        return await library.desktopID(of: player)
    }

    func name(of application: AppID) async -> String { await library.name(of: application, players: players) }

    func runningContentApps() async throws -> [AppID] {
        var running: [AppID] = []
        for application in try await library.declaredApps() where try await library.owner(of: application) != nil {
            running.append(application)
        }
        return running
    }

    /// Withdraws the now-playing card as soon as another player plays or is paused, until cancelled. Keys and widgets
    /// belong to that player.
    private func yieldToPlayers(_ players: MPRISPlayers) async {
        let forever = Duration.seconds(86_400)
        while !Task.isCancelled {
            let isActive = try? await players.wait(atMost: forever) { $0.contains(where: \.isActive) ? true : nil }
            guard isActive == true else { continue }
            await desk.withdrawCard()
            _ = try? await players.wait(atMost: forever) { $0.contains(where: \.isActive) ? nil : true }
        }
    }
}
