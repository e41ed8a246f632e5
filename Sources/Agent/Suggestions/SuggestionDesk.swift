internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Suggestions
internal import Surfaces

/// Offers suggestions: keeps the board, shows suggestions on the bus and the surfaces, carries them out, and records
/// engagements.
actor SuggestionDesk {
    /// Carries out a suggestion; throws when that fails.
    typealias Performance = @Sendable (Suggestion, _ activationToken: String?) async throws -> Void

    let configuration: AgentConfiguration
    let loop: EventLoop
    let server: ObjectServer
    let bus: Connection
    let history: HistoryKeeper
    let habits: Habits
    let present: PresentContext
    let surface: NotificationSurface
    /// The offer as a paused player, for media widgets and keys.
    let card: NowPlayingCard
    private let opener: DesktopLauncher
    private var play: Performance?
    private var openDonated: Performance?
    private(set) var board = SuggestionBoard()
    /// The mute that the notification tells of, by the suggestion that the person turned down.
    var toldMute: (suggestion: Suggestion.ID, pair: SuggestionPair)?
    private var random = SystemRandomNumberGenerator()
    private var expiryTimer: LoopTimer?
    /// The accepted suggestions that are being carried out, for cancelling them.
    private(set) var performances: [Suggestion.ID: Task<Void, any Error>] = [:]
    /// The ended suggestions with their last state, until they leave the bus.
    private var ended: [Suggestion.ID: String] = [:]
    /// The parameters of the action once it is carried out: the destination, or the person called.
    var opened: [Suggestion.ID: [String: String]] = [:]
    /// The directions that were just opened.
    var handovers = RecentHandovers()
    private(set) var note: (@Sendable (String) async -> Void)?
    /// Removes a problem that was noted and is settled.
    private(set) var settle: (@Sendable (String) async -> Void)?
    /// The problems that were noted because a suggestion could not be shown.
    var displayProblems: Set<String> = []
    /// Decides what is shown again after the notification server restarted.
    var recovery = NotificationRecovery()
    /// Whether the person sees the screen; see ``setScreen(isSeen:)``.
    var isScreenSeen = true
    /// Whether what the person does with a notification is followed.
    private(set) var isFollowing = false
    /// The candidates of a question in the notification, in the order of its buttons, followed by those without a
    /// button; empty if it asks nothing.
    var choices: [Suggestion.ID] = []
    /// The question that the choices answer.
    var question = NotificationQuestion.whichApp
    /// Why what the person took last could not be carried out, for suggestions that may be taken again.
    var failures: [Suggestion.ID: String] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, loop: EventLoop, server: ObjectServer, bus: Connection,
        history: HistoryKeeper, habits: Habits, present: PresentContext, opener: DesktopLauncher
    ) {
        self.configuration = configuration
        self.loop = loop
        self.server = server
        self.bus = bus
        self.history = history
        self.habits = habits
        self.present = present
        self.opener = opener
        let database = configuration.directories.configHome.map { $0 + "/dconf/user" }
        surface = NotificationSurface(on: bus, desktopEntry: HunchNames.desktopEntry) { key in
            guard let database else { return nil }
            return try? await history.blocking { DconfDatabase(file: database)?.boolean(key) }
        }
        card = NowPlayingCard(
            on: bus, server: server, name: MPRIS.hunch, fallbackArtwork: configuration.pictureURL
        ) { name in
            (try? await CallerProcess(behind: name, on: bus, configuration))?.application
        }
    }

    /// Says what plays a media suggestion, and what opens an app at what it donated.
    func setPerformances(play: @escaping Performance, open: @escaping Performance) {
        self.play = play
        openDonated = open
    }

    /// Reads what limits offers from the history. Called before the first offer, and after something was forgotten.
    func load() async throws {
        let (muted, engagements) = try await history.use { store, _ in
            (try store.mutedPairs(), try store.engagements(limit: 1_000))
        }
        board.restore(
            mutedPairs: Dictionary(
                muted.map { (SuggestionPair(trigger: $0.trigger, application: $0.application), $0.date) },
                uniquingKeysWith: max),
            engagements: engagements.reversed())
    }

    /// The pictures of what is offered, as `file:` URIs.
    var shownArtwork: [String] { board.lives.compactMap(\.suggestion.artworkURL) }

    /// Follows the notification server until cancelled.
    func run(
        note: @escaping @Sendable (String) async -> Void, settle: @escaping @Sendable (String) async -> Void
    ) async {
        self.note = note
        self.settle = settle
        isFollowing = true
        defer { isFollowing = false }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [surface] in
                do { try await surface.run() } catch is CancellationError {} catch {
                    await note("notifications are not followed: \(error)")
                }
            }
            group.addTask { [self] in
                for await event in await surface.events() { await handle(event) }
            }
            group.addTask { [self] in
                for await event in await card.events() { await handle(event) }
            }
        }
    }

    func close() async {
        if let expiryTimer { loop.cancel(expiryTimer) }
        for performance in performances.values { performance.cancel() }
        await withdrawAll()
    }

    // MARK: Offering

    func makeIdentifier() -> Suggestion.ID { SuggestionIdentifier.make(using: &random) }

    /// Why the board would offer nothing like this now; `nil` when it would.
    func hold(of application: String, score: Double, kind: Suggestion.Kind, in context: Context) -> OfferHold? {
        let pair = SuggestionPair(trigger: context.trigger, application: application)
        return board.hold(of: pair, score: score, kind: kind, at: configuration.now())
    }

    /// Why nothing may be offered now, whatever it were; asked before an app is asked to prepare anything.
    func hold() async throws -> OfferHold? {
        let paused = try await history.use { store, now in
            try store.settings().pausedUntil.flatMap { now < $0 ? OfferHold.paused(until: $0) : nil }
        }
        return paused ?? board.hold(at: configuration.now())
    }

    /// Offers what nobody asked for: on the bus, as a notification and as a paused player, unless the board holds it back.
    ///
    /// - Parameters:
    ///   - companion: what may be taken instead.
    ///   - keysCountFrom: when a media key counts as the person's; `nil` when there is to be no card, as while another player
    ///     plays or is paused.
    func offer(
        _ suggestion: Suggestion, with companion: Suggestion? = nil, keysCountFrom: MonotonicInstant?
    ) async throws -> OfferOutcome {
        if case .paused(let end) = try await hold() { return .held(.paused(until: end)) }
        let outcome = board.offer(suggestion, with: companion, at: configuration.now())
        guard case .offered(let effects) = outcome else { return outcome }
        // What stood before keeps its notification, which is replaced rather than closed and opened.
        await carryOut(effects, keepingNotification: true)
        guard try await export(suggestion) else { return outcome }
        if let alternative = board.companion(of: suggestion.id) { _ = try await export(alternative) }
        armExpiry()
        await showCard(try await fit(suggestion), keysCountFrom)
        try await notify(of: suggestion)
        return outcome
    }

    /// Lists what was asked for on the bus, best first.
    ///
    /// - Parameters:
    ///   - stranger: the caller, when it may not look at what apps do. It sees these all the same.
    ///   - requester: identifies the caller; see ``CallerStanding/requester``.
    func offerDirections(
        _ routes: [RequestedRoute], to stranger: BusName?, for requester: String
    ) async throws -> [ObjectPath] {
        let now = configuration.now()
        let end = now.addingTimeInterval(configuration.offerTime / .seconds(1))
        let suggestions = routes.map { $0.suggestion(makeIdentifier(), until: end) }
        setDonations(Dictionary(zip(suggestions.map(\.id), routes.map(\.donation))) { first, _ in first })
        await carryOut(board.present(suggestions, for: requester, at: now))
        var paths: [ObjectPath] = []
        for suggestion in suggestions where try await export(suggestion, about: stranger?.text) {
            paths.append(try HunchNames.suggestionPath(suggestion.id))
        }
        armExpiry()
        return paths
    }

    /// Puts a suggestion on the bus, unless it has ended since it came on the board. Returns whether it is there.
    ///
    /// - Parameter subject: whom it is about in place of its app.
    private func export(_ suggestion: Suggestion, about subject: String? = nil) async throws -> Bool {
        guard isOpen(suggestion.id) else { return false }
        try await server.export(
            try HunchNames.suggestionPath(suggestion.id), [interface(of: suggestion)],
            about: subject ?? suggestion.activityApplication ?? suggestion.application)
        return true
    }

    func isOpen(_ identifier: Suggestion.ID) -> Bool { board.life(of: identifier)?.state.isOpen ?? false }

    /// Takes back the suggestions that a condition holds for.
    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async {
        for life in board.lives where life.state.isOpen && condition(life.suggestion) {
            await apply(.withdraw(reason: reason), to: life.id)
        }
    }

    func withdrawAll() async { await withdraw(because: "Hunch ends") { _ in true } }

    // MARK: What the person says

    /// Carries a suggestion out, for a caller on the bus.
    ///
    /// - Parameter isAutomatic: whether a program picked it and not the person. Nothing is learned then, but of a habit.
    /// - Throws: ``DBusError``: `NotOffered` when it is over, `ActionFailed` when it cannot be carried out.
    func accept(
        _ identifier: Suggestion.ID, activationToken: String?, isAutomatic: Bool = false
    ) async throws {
        // The timer of the expiry stands still while the machine sleeps; the time of day does not.
        await expire()
        let wasOffered: Bool
        do {
            wasOffered = try await take(identifier, activationToken: activationToken, isAutomatic: isAutomatic)
        } catch {
            // What the caller asked for is explained to the caller alone.
            if board.life(of: identifier)?.wasRequested == false { await explain(identifier) }
            throw DBusError(.actionFailed, ErrorMapping.sentence(error))
        }
        if !wasOffered { throw DBusError(.notOffered, "the suggestion is over") }
    }

    /// Carries a suggestion out. Returns whether it was still offered. One that could not be carried out is offered again,
    /// unless the person took it back.
    ///
    /// - Throws: why it could not be carried out.
    func take(
        _ identifier: Suggestion.ID, activationToken: String?, isAutomatic: Bool = false
    ) async throws -> Bool {
        guard let suggestion = board.life(of: identifier)?.suggestion,
            await apply(.accept, to: identifier, isAutomatic: isAutomatic)
        else { return false }
        let performance = Task(executorPreference: loop) { [configuration, loop, play, openDonated, opener] in
            try await withDeadline(configuration.performanceTime, on: loop) {
                switch suggestion.action {
                case .play: try await play?(suggestion, activationToken)
                case .openDirections(let launch): try await opener.open(launch, activationToken: activationToken)
                case .call(let uri):
                    try await opener.launch(suggestion.application, uri: uri, activationToken: activationToken)
                case .open: try await openDonated?(suggestion, activationToken)
                }
            }
        }
        performances[identifier] = performance
        let patience = loop.schedule(after: configuration.startingTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.tellStarting(identifier) }
        }
        defer {
            performances[identifier] = nil
            loop.cancel(patience)
        }
        do {
            try await withTaskCancellationHandler {
                try await performance.value
            } onCancel: {
                performance.cancel()
            }
        } catch {
            let event = SuggestionEvent(failure: error)
            if case .retry(let reason) = event { failures[identifier] = reason }
            await apply(event, to: identifier)
            throw error
        }
        switch suggestion.action {
        case .play, .open: break
        case .openDirections(let launch):
            noteHandover(launch)
            // What Hunch picks itself teaches nothing, unless the person picked it before.
            let isLearned = isAutomatic ? await isHabit(suggestion) : true
            if isLearned { await donate(.getDirections, suggestion) }
        case .call: await donate(.startCall, suggestion)
        }
        await apply(.finish, to: identifier)
        return true
    }

    /// Unmutes an app at a trigger and clears its dismissals. Returns whether it was muted.
    func unmute(_ application: String, at trigger: Trigger?) async throws -> Bool {
        let wasMuted = try await history.use { store, _ in
            try store.unmute(trigger: trigger, application: application)
        }
        board.unmute(SuggestionPair(trigger: trigger, application: application))
        return wasMuted
    }

    // MARK: Effects

    /// Applies an event. Returns whether that was possible.
    ///
    /// - Parameter isAutomatic: whether no person caused it, so that it is no engagement.
    @discardableResult
    func apply(_ event: SuggestionEvent, to identifier: Suggestion.ID, isAutomatic: Bool = false) async -> Bool {
        guard var effects = try? board.apply(event, to: identifier, at: configuration.now()) else { return false }
        if isAutomatic { effects.removeAll { if case .engaged = $0 { true } else { false } } }
        await carryOut(effects)
        armExpiry()
        return true
    }

    private func carryOut(_ effects: [SuggestionEffect], keepingNotification: Bool = false) async {
        for effect in effects {
            do {
                switch effect {
                case .changed(let life): try await show(life, keepingNotification: keepingNotification)
                case .engaged(let engagement):
                    try await habits.record(engagement)
                case .muted(let pair):
                    try await history.use { store, now in
                        try store.mute(MutedPair(trigger: pair.trigger, application: pair.application, date: now))
                    }
                }
            } catch {
                await note?("an engagement could not be announced or recorded: \(error)")
            }
        }
    }

    private func show(_ life: SuggestionLife, keepingNotification: Bool) async throws {
        let path = try HunchNames.suggestionPath(life.id)
        guard life.state.isOver else {
            try await server.propertiesChanged(path, HunchNames.suggestion, ["State"])
            if case .accepted = life.state {
                await card.noteStarting(life.id)
                try await surface.withdraw(life.id)
            } else if failures[life.id] != nil {
                await card.noteFailure(life.id)
            }
            return
        }
        failures[life.id] = nil
        ended[life.id] = life.state.name
        defer { ended[life.id] = nil }
        try await server.propertiesChanged(path, HunchNames.suggestion, ["State"])
        try await server.unexport(path)
        guard !keepingNotification else { return }
        await card.withdraw(life.id)
        try await surface.withdraw(life.id)
    }

    private func armExpiry() {
        if let expiryTimer { loop.cancel(expiryTimer) }
        expiryTimer = nil
        guard let deadline = board.nextDeadline else { return }
        let delay = max(0, deadline.timeIntervalSince(configuration.now()))
        expiryTimer = loop.schedule(after: .clamping(seconds: delay + 0.001)) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.expire() }
        }
    }

    func expire() async {
        await carryOut(board.expire(at: configuration.now()))
        armExpiry()
    }

    /// The state that a suggestion has or had last.
    func state(of identifier: Suggestion.ID) -> String {
        board.life(of: identifier)?.state.name ?? ended[identifier] ?? "withdrawn"
    }
}
