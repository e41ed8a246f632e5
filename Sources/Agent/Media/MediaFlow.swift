internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Suggestions
internal import Triggers

/// The first main job: it remembers what plays on which device, and when a known device is ready has the likeliest app
/// prepare what it would play, and offers that. Nothing plays before the person says so.
actor MediaFlow: MediaStage {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let bus: Connection
    let history: HistoryKeeper
    let desk: SuggestionDesk
    let habits: Habits
    let present: PresentContext
    let library: AppLibrary
    let learned: LearnedOffers
    private(set) var players: MPRISPlayers?
    private(set) var monitor: TriggerMonitor?
    var memory = PlaybackMemory()
    var plays: [MPRISPlayer.ID: LoopTimer] = [:]
    var donated: [MPRISPlayer.ID: String] = [:]
    var accepted: [String: (date: Date, item: String, title: String)] = [:]
    var lastHold: String?
    var departures: [AudioDevice.ID: MediaDeparture<LoopTimer>] = [:]
    var lastDeparture = 0
    var interrupted: Set<AudioDevice.ID> = []
    /// The context that apps were sent last.
    var toldContext = PlayableContentContext()
    var telling: Task<Void, Never>?
    /// The task that watches the content of the suggested app.
    var watch: Task<Void, Never>?
    private(set) var note: @Sendable (String) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, loop: EventLoop, bus: Connection, history: HistoryKeeper,
        desk: SuggestionDesk, habits: Habits, present: PresentContext, learned: LearnedOffers, opener: DesktopLauncher,
        worker: WorkerThread, foreignFiles: ForeignFiles
    ) {
        self.configuration = configuration
        self.loop = loop
        self.bus = bus
        self.history = history
        self.desk = desk
        self.habits = habits
        self.present = present
        self.learned = learned
        library = AppLibrary(
            configuration: configuration, bus: bus, history: history, opener: opener, worker: worker,
            foreignFiles: foreignFiles)
    }

    /// Makes what ``run(note:)`` will watch with. Nothing is opened.
    func prepareToWatch() {
        players = makePlayers()
        monitor = makeMonitor()
    }

    /// Follows players and devices until cancelled.
    func run(note: @escaping @Sendable (String) async -> Void) async {
        self.note = note
        let players = self.players ?? makePlayers()
        let monitor = self.monitor ?? makeMonitor()
        self.players = players
        self.monitor = monitor
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await players.run() } catch is CancellationError {} catch {
                    await note("media players are not followed: \(error)")
                }
            }
            group.addTask {
                do { try await monitor.run() } catch is CancellationError {} catch {
                    await note("devices are not followed: \(error)")
                }
            }
            group.addTask { [self] in for await observation in players.observations { await handle(observation) } }
            group.addTask { [self] in for await event in monitor.events { await handle(event) } }
            group.addTask { [self] in await yieldToPlayers(players) }
            group.addTask { for await player in players.excesses { await note(Self.words(of: player)) } }
        }
        for timer in plays.values { loop.cancel(timer) }
        for device in departures.keys { endDeparture(of: device, isBack: false) }
        endFollowingContent()
        (self.players, self.monitor, plays, donated, lastHold, interrupted) = (nil, nil, [:], [:], nil, [])
        memory.reset()
        await present.lose(nil)
    }

    /// Drops what is in mind of what plays and played, so that nothing of it is written down later.
    func dropMemory() {
        for timer in plays.values { loop.cancel(timer) }
        plays = [:]
        lastHold = nil
        memory.reset()
        library.forgetCovers()
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

    // MARK: Stage

    var instant: MonotonicInstant { .now }

    func after(_ delay: Duration, _ body: @escaping @Sendable () async -> Void) -> LoopTimer {
        loop.schedule(after: delay) { [loop] in Task(executorPreference: loop) { await body() } }
    }

    func cancel(_ timer: LoopTimer) { loop.cancel(timer) }

    func report(_ problem: String) async { await note(problem) }

    func desktopID(of player: MPRISPlayer) async -> String {
        if let application = player.application { return application }
        return await library.desktopID(of: player)
    }

    func name(of application: String) async -> String { await library.name(of: application, players: players) }

    func artwork(_ url: String?, of application: String) async -> String? {
        await library.artwork(url, of: application)
    }

    func runningContentApps() async throws -> [String] {
        var running: [String] = []
        for application in try await library.declaredApps() {
            guard let service = try? BusName(application), try await bus.owner(of: service) != nil else { continue }
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

    /// Takes the now-playing card away as soon as another player plays or is paused, until cancelled: keys and widgets are
    /// that player's.
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

/// The factor by which the time between two looks at a position grows at most. It doubles with each look.
private let longestHearing = 16
/// The longest that a play which was not heard yet is waited for.
private let longestPlay = Duration.seconds(300)
/// The time in seconds in which a play after an accepted suggestion counts as the recorded one.
private let acceptedTime: Double = 120

extension MediaStage {
    /// The device that what plays now plays on; `nil` for the machine's own speakers.
    func deviceInUse() async -> AudioDevice? {
        await monitor?.status().devices.first { $0.isReady }?.device
    }

    // MARK: What players do

    func handle(_ observation: MediaObservation) async {
        let application = await desktopID(of: observation.player)
        // A suggestion to resume is void once the person plays something without it.
        if observation.change == .started {
            await desk.withdraw(because: "something plays") { $0.kind == .media }
        }
        let device = await deviceInUse()
        let point = memory.observe(observation, application: application, on: device, at: configuration.now())
        if point?.pausedByDisconnect == true { await players?.takeBackTouch(of: [observation.player.id]) }
        followPlay(observation, application, on: device)
        if observation.change == .started { listen(to: observation.player.id, after: configuration.hearingTime) }
        guard let point else { return }
        await keep(point, of: observation.player.id, artwork: observation.info?.artworkURL)
    }

    /// Looks after a while whether a player is heard that says that it plays; where it is not, later again.
    private func listen(to player: MPRISPlayer.ID, after delay: Duration) {
        guard delay <= configuration.hearingTime * longestHearing, let session = memory.unheardSession(of: player)
        else { return }
        _ = after(delay) { [weak self] in await self?.hear(player, session, delay) }
    }

    private func hear(_ player: MPRISPlayer.ID, _ session: Int, _ delay: Duration) async {
        guard memory.unheardSession(of: player) == session, let present = await players?.present(player),
            present.status == .playing, let info = present.info, memory.unheardSession(of: player) == session
        else { return }
        guard let point = memory.hear(info, in: player, at: configuration.now()) else {
            return listen(to: player, after: delay * 2)
        }
        await keep(point, of: player, artwork: info.artworkURL)
    }

    /// Remembers what plays, with its picture when that is the player's own.
    func keep(_ point: ResumePoint, of player: MPRISPlayer.ID, artwork url: String?) async {
        guard await remember(point), url == point.info.artworkURL else { return }
        await keepArtwork(of: point, player)
    }

    /// Copies the picture of what plays while it is there: players remove theirs as they go on.
    private func keepArtwork(of point: ResumePoint, _ player: MPRISPlayer.ID) async {
        guard let url = point.info.artworkURL else { return }
        let copy = await artwork(url, of: point.application)
        if memory.setArtwork(copy, inPlaceOf: url, of: player) {
            var point = point
            point.info.artworkURL = copy
            await remember(point)
        }
    }

    /// Returns whether it may be remembered, and is.
    @discardableResult
    func remember(_ point: ResumePoint) async -> Bool {
        do {
            return try await history.use { store, now in try store.remember(point, now: now) }.isRecorded
        } catch {
            await report("what played could not be remembered: \(error)")
            return false
        }
    }

    /// A play counts once half of the item or 30 s of it were heard.
    private func followPlay(_ observation: MediaObservation, _ application: String, on device: AudioDevice?) {
        let player = observation.player.id
        if observation.change == .changed { return }
        if let timer = plays.removeValue(forKey: player) { cancel(timer) }
        if observation.change == .gone { donated[player] = nil }
        guard observation.change == .started, let info = observation.info, let item = observation.item,
            donated[player] != item
        else { return }
        count(of: player, after: configuration.playTime(info.length), application, item, info, device)
    }

    private func count(
        of player: MPRISPlayer.ID, after delay: Duration, _ application: String, _ item: String,
        _ info: NowPlayingInfo, _ device: AudioDevice?
    ) {
        plays[player] = after(delay) { [weak self] in
            await self?.countPlay(of: player, after: delay, application, item, info, device)
        }
    }

    private func countPlay(
        of player: MPRISPlayer.ID, after delay: Duration, _ application: String, _ item: String,
        _ info: NowPlayingInfo, _ device: AudioDevice?
    ) async {
        // It may have been paused just as its time came.
        guard plays.removeValue(forKey: player) != nil else { return }
        // What says that it plays and stands still is no play yet.
        guard memory.unheardSession(of: player) == nil else {
            let next = max(delay, configuration.hearingTime) * 2
            if next <= longestPlay { count(of: player, after: next, application, item, info, device) }
            return
        }
        // Going on after a pause is the same play.
        donated[player] = item
        await donateObserved(application, item, info, device)
    }

    private func donateObserved(
        _ application: String, _ item: String, _ info: NowPlayingInfo, _ device: AudioDevice?
    ) async {
        // An app may have other identifiers for its player than for its content.
        if let taken = accepted[application], taken.item == item || taken.title == info.title {
            accepted[application] = nil
            if abs(configuration.now().timeIntervalSince(taken.date)) < acceptedTime { return }
        }
        await donate(application, item, info, device)
    }

    private func donate(
        _ application: String, _ item: String, _ info: NowPlayingInfo, _ device: AudioDevice?
    ) async {
        let donation = Donation(
            application: application, kind: .playMedia, parameters: ["item": item, "title": info.title],
            date: configuration.now(), context: await present.now(device: device), combination: ["item"])
        do {
            try await habits.record(donation)
        } catch {
            await report("a play could not be recorded: \(error)")
        }
    }

    /// Remembers where the players of an app stand in the items that Play is about to replace.
    ///
    /// For one device and app there is one point. What was heard where the new item is to be played is kept as if it had
    /// been heard on the machine's own speakers.
    private func rememberReplaced(by item: ContentItem.ID, of application: String, on device: AudioDevice?) async {
        for player in await players?.players() ?? [] where player.item.map({ !ItemIdentity.areSame($0, item) }) == true
        {
            guard await desktopID(of: player) == application, let present = await players?.present(player.id),
                let info = present.info, info.isBegun
            else { continue }
            let former = memory.device(of: player.id) ?? AudioDevice.speakers
            await remember(
                ResumePoint(
                    device: former == device?.id ? AudioDevice.speakers : former, application: application,
                    item: present.item, info: info, pausedByDisconnect: false, date: configuration.now()))
        }
    }

    /// From when on a media key is the person's, and not the device's own that came.
    func keysCount(from ready: MonotonicInstant) -> MonotonicInstant {
        ready.advanced(by: configuration.keyTime)
    }

    /// Starts what a suggestion offers. Called only after the person said so.
    ///
    /// - Throws: `MediaError` when it does not play.
    func play(_ suggestion: Suggestion, activationToken: String?) async throws {
        guard case .play(let item, let info, let context) = suggestion.action, players != nil else {
            throw MediaError(.notRunning, "Hunch is switched off")
        }
        if let device = context.device, await !isThere(device) {
            throw MediaError(.deviceGone, "\(device.name) went away")
        }
        let began = configuration.now()
        accepted = accepted.filter { began.timeIntervalSince($0.value.date) < acceptedTime }
        // Before it plays: what is seen of the player is the same play.
        accepted[suggestion.application] = (began, item, info.title)
        await rememberReplaced(by: item, of: suggestion.application, on: context.device)
        let isSeen: Bool
        do {
            isSeen = try await initiatePlayback(
                of: item, of: suggestion, context: context, activationToken: activationToken)
        } catch {
            accepted[suggestion.application] = nil
            throw error
        }
        if !item.isEmpty { await donate(suggestion.application, item, info, context.device) }
        guard isSeen, let device = context.device else { return }
        var remembered = info
        remembered.artworkURL = suggestion.artworkURL
        let point = ResumePoint(
            device: device.id, application: suggestion.application, item: item, info: remembered,
            pausedByDisconnect: false, date: began)
        do {
            _ = try await history.use { store, now in
                // What was seen of the player since then says better where it stands.
                let seen = try store.resumePoints(device: point.device).first { $0.application == point.application }
                if let seen, seen.date >= point.date { return }
                _ = try store.remember(point, now: now)
            }
        } catch {
            await report("what played could not be remembered: \(error)")
        }
    }
}
