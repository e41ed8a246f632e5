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

/// The media job. It remembers what plays on which device. When a known device is ready, it asks the likeliest app to
/// prepare and suggests the result. Nothing plays before the person accepts.
actor MediaService: Part {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let bus: Connection
    let history: HistoryKeeper
    let desk: SuggestionDesk
    let habits: Habits
    let present: CurrentContext
    let library: AppLibrary
    let learned: LearnedSuggestions
    private(set) var players: MPRISPlayers?
    private(set) var monitor: TriggerMonitor?
    let records: MediaRecords
    private var policy: MediaPolicy
    private var timers: [MediaPolicy.Timer: LoopTimer] = [:]
    private var lastStart: MediaPolicy.Start.ID = 0
    /// The starts that wait for their device to reconnect.
    private var waiting: [MediaPolicy.Start.ID: CheckedContinuation<Bool, Never>] = [:]
    /// The errors of starts that have ended.
    private var failures: [MediaPolicy.Start.ID: any Error] = [:]
    /// The context last sent to apps.
    var toldContext = PlayableContentContext()
    var telling: Task<Void, Never>?
    /// The task that follows the content of the suggested app.
    var watch: Task<Void, Never>?
    let problems: ProblemReporter

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, learned: LearnedSuggestions) {
        configuration = environment.configuration
        loop = environment.loop
        bus = environment.bus
        history = environment.history
        habits = environment.habits
        present = environment.present
        problems = environment.problems
        self.desk = desk
        self.learned = learned
        library = AppLibrary(environment)
        records = MediaRecords(
            history: environment.history, habits: environment.habits, present: environment.present,
            now: environment.configuration.now)
        policy = MediaPolicy(MediaPolicy.Timing(environment.configuration))
    }

    /// Creates what ``run()`` will watch with. Opens nothing.
    func prepareToWatch() {
        players = makePlayers()
        monitor = makeMonitor()
    }

    /// Follows players and devices until cancelled.
    func run() async {
        let problems = problems
        let players = self.players ?? makePlayers()
        let monitor = self.monitor ?? makeMonitor()
        self.players = players
        self.monitor = monitor
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await players.run() } catch is CancellationError {} catch {
                    problems.report("media players are not followed: \(error)")
                }
            }
            group.addTask {
                do { try await monitor.run() } catch is CancellationError {} catch {
                    problems.report("devices are not followed: \(error)")
                }
            }
            group.addTask { [self] in
                for await observation in players.observations {
                    let application = await desktopID(of: observation.player)
                    await process(.player(observation, application: application))
                }
            }
            group.addTask { [self] in for await event in monitor.events { await process(.device(event)) } }
            group.addTask { [self] in await yieldToPlayers(players) }
            group.addTask { for await player in players.excesses { problems.report(Self.words(of: player)) } }
        }
        cancelTimers { _ in true }
        for effect in policy.reset() { _ = await carryOut(effect) }
        endFollowingContent()
        (self.players, self.monitor) = (nil, nil)
        await present.lose(nil)
    }

    /// Drops the playback state in memory, so that nothing of it is stored later.
    func dropMemory() {
        cancelTimers { if case .play = $0 { true } else { false } }
        policy.dropMemory()
        library.forgetCovers()
    }

    private func cancelTimers(where condition: (MediaPolicy.Timer) -> Bool) {
        for (key, timer) in timers where condition(key) {
            loop.cancel(timer)
            timers[key] = nil
        }
    }

    private func makePlayers() -> MPRISPlayers {
        MPRISPlayers(on: bus) { [library] player in await library.desktopID(of: player) }
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
        "\(player.name) sends too many changes and is ignored for a while; “hunch players” shows how many were dropped"
    }

    // MARK: Driving the policy

    /// The reason for which nothing was suggested at the last trigger.
    var lastHold: Hold? { policy.lastHold }

    /// Handles a trigger other than a device.
    func consider(_ personEvent: PersonEvent) async { await process(.person(personEvent)) }

    /// Starts the suggested playback. Called only after the person accepted.
    ///
    /// - Throws: `MediaError` if it does not play.
    func play(_ suggestion: Suggestion, activationToken: String?) async throws {
        lastStart += 1
        let start = lastStart
        await process(.accepted(start, suggestion, activationToken: activationToken))
        if let error = failures.removeValue(forKey: start) { throw error }
    }

    /// Passes an event to the policy, and carries out its effects.
    private func process(_ event: MediaPolicy.Event) async {
        let facts = await facts()
        for effect in policy.handle(event, facts) {
            if let answer = await carryOut(effect) { await process(answer) }
        }
    }

    private func facts() async -> MediaPolicy.Facts {
        var known: [MediaPolicy.KnownPlayer] = []
        for player in await players?.players() ?? [] {
            known.append(MediaPolicy.KnownPlayer(player: player, application: await desktopID(of: player)))
        }
        let devices = await monitor?.status().devices ?? []
        let board = await desk.board
        return MediaPolicy.Facts(
            now: configuration.now(), instant: .now, isWatching: players != nil, players: known, devices: devices,
            board: board)
    }

    private func carryOut(_ effect: MediaPolicy.Effect) async -> MediaPolicy.Event? {
        do {
            return try await answer(to: effect)
        } catch {
            if case .play(let start, _, _, _, _) = effect {
                failures[start] = error
            } else {
                problems.report("\(effect.problem): \(ErrorMapping.logged(error))")
            }
            return effect.failure
        }
    }

    /// Carries out an effect. Returns the answer for the policy, if it expects one.
    private func answer(to effect: MediaPolicy.Effect) async throws -> MediaPolicy.Event? {
        switch effect {
        case .setTimer(let timer, let delay): set(timer, after: delay)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer).map(loop.cancel)
        case .remember(let point, let player, let url):
            let isRecorded = try await records.remember(point)
            if isRecorded, let player { return .remembered(point, of: player, artwork: url) }
        case .rememberStarted(let point): try await records.rememberStarted(point)
        case .copyArtwork(let url, let point, let player):
            let copy = await library.artwork(url, of: point.application)
            return .copiedArtwork(copy, inPlaceOf: url, point, of: player)
        case .record(let play): try await records.record(play)
        case .ask(let hearing): return .asked(await ask(hearing.player), hearing)
        case .takeBackTouch(let identifiers): await players?.takeBackTouch(of: identifiers)
        case .use(let device, let isBack): await present.use(device, isBack: isBack)
        case .lose(let device): await present.lose(device.id)
        case .sendContext: await sendContext()
        case .holdKeys(let instant): await desk.holdKeys(until: instant)
        case .pausePlayers(let identifiers, let device):
            try await pause(identifiers, on: device)
            return .pausedPlayers(on: device)
        case .checkInterruption(let device, let date, let instant):
            let wasInterrupted = await records.wasInterrupted(device, since: date)
            return .checkedInterruption(of: device, at: instant, wasInterrupted: wasInterrupted)
        case .withdraw(let withdrawal):
            await desk.withdraw(because: withdrawal.reason, where: withdrawal.concerns)
        case .readPolicy(let attempt, let device):
            return .attempt(attempt, .policy(try await records.facts(of: device)))
        case .rank(let attempt, let trigger):
            let ranked = try await candidates.ranked(at: trigger)
            let isIdle = ranked.isEmpty && !trigger.isDevice
            return .attempt(attempt, .ranked(ranked, isIdle ? nil : try await desk.hold()))
        case .prepare(let attempt, let candidate, let trigger, let time):
            return .attempt(attempt, .prepared(await prepare(candidate, for: trigger, within: time)))
        case .makeSuggestion(let attempt, let choice, let trigger):
            let context = await candidates.context(at: trigger)
            return .attempt(attempt, .made(try await learned.suggestion(for: choice, context)))
        case .offer(let attempt, let suggestion, let companion, let instant):
            let outcome = try await desk.offer(suggestion, with: companion, keysCountFrom: instant) {
                [weak self, learned] suggestion, token in
                switch suggestion.action {
                case .play: try await self?.play(suggestion, activationToken: token)
                case .open: try await learned.open(suggestion, activationToken: token)
                case .openDirections, .call: try await learned.launcher.perform(suggestion, activationToken: token)
                }
            }
            return .attempt(attempt, .offered(outcome))
        case .followContent(let suggestion): await followContent(of: suggestion)
        case .resume(let attempt, let suggestion):
            return .attempt(attempt, .resumed(await resume(suggestion)))
        case .waitForDevice(let start):
            return .start(start, .waited(isBack: await withCheckedContinuation { waiting[start] = $0 }))
        case .endWait(let starts, let isBack):
            for start in starts { waiting.removeValue(forKey: start)?.resume(returning: isBack) }
        case .askReplaced(let start, let identifiers):
            var asked: [MPRISPlayer] = []
            for identifier in identifiers { if let player = await ask(identifier) { asked.append(player) } }
            return .start(start, .askedReplaced(asked))
        case .play(let start, let item, let suggestion, let context, let token):
            let isSeen = try await initiatePlayback(
                of: item, of: suggestion, context: context, activationToken: token)
            return .start(start, .played(isSeen: isSeen))
        case .refuse(let start, let error): failures[start] = error
        }
        return nil
    }

    private func set(_ timer: MediaPolicy.Timer, after delay: Duration) {
        timers.removeValue(forKey: timer).map(loop.cancel)
        timers[timer] = loop.schedule(after: delay) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.fire(timer) }
        }
    }

    private func fire(_ timer: MediaPolicy.Timer) async {
        guard timers.removeValue(forKey: timer) != nil else { return }
        await process(.timer(timer))
    }

    /// Asks a player for its current state; `nil` if it is gone or does not answer.
    private func ask(_ identifier: MPRISPlayer.ID) async -> MPRISPlayer? {
        guard let players, let known = await players.players().first(where: { $0.id == identifier }) else { return nil }
        return try? await players.refreshed(known)
    }

    private func resume(_ suggestion: Suggestion) async -> Bool {
        do {
            try await withDeadline(configuration.performanceTime, on: loop) { [self] in
                try await play(suggestion, activationToken: nil)
            }
            return true
        } catch {
            problems.report("\(suggestion.applicationName) did not continue playback: \(ErrorMapping.logged(error))")
            return false
        }
    }

    private func pause(_ identifiers: Set<MPRISPlayer.ID>, on device: AudioDevice) async throws {
        guard try await records.policy(of: device).pauses, await !isPausedElsewhere() else { return }
        for player in await players?.players() ?? [] where identifiers.contains(player.id) && player.status == .playing
        {
            try await players?.pause(player)
        }
    }

    /// Returns whether WirePlumber pauses players when devices disconnect. Then all pausing is left to it, also for
    /// sockets, whose sink may stay when the plug is out: two programs with different rules would conflict.
    func isPausedElsewhere() async -> Bool {
        guard await monitor?.playsThroughPipeWire == true else { return false }
        return await WirePlumber.pausesPlayers(
            environment: configuration.environment, within: configuration.settingTime)
    }

    // MARK: Apps

    /// The candidates at triggers, from this machine.
    nonisolated var candidates: MediaCandidates {
        MediaCandidates(
            now: configuration.now, history: history, habits: habits, present: present,
            name: { [weak self] in await self?.name(of: $0) ?? $0.rawValue },
            runningContentApps: { [weak self] in try await self?.runningContentApps() ?? [] },
            learned: { [learned] in try await learned.choices(at: $0, $1) })
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
        for application in try await library.declaredApps() {
            guard let service = try? BusName(application.rawValue), try await bus.owner(of: service) != nil else {
                continue
            }
            running.append(application)
        }
        return running
    }

    func initiatePlayback(
        of item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool {
        guard let players else { throw MediaError(.notRunning, "Hunch is switched off") }
        let app = await library.app(suggestion.application, players: players, activationToken: activationToken)
        if let file = await library.missingFile(item, of: app.id) {
            throw MediaError(.cannotOpen, "\(app.name) cannot open \(file): the file is not there any more")
        }
        do {
            try await app.delegate.initiatePlayback(of: item, context: context)
            return true
        } catch let error as MediaError where error.code == .noPlayer {
            let hadPlayer = try await history.use { store, _ in
                try store.resumePoints().contains { $0.application == suggestion.application }
            }
            if hadPlayer { throw error }
            return false
        }
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
