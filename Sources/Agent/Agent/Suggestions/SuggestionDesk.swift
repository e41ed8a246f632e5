internal import Apps
package import AgentInterface
package import FoundationEssentials
internal import History
package import EventLoops
package import HunchDBus
package import HunchModel
internal import Learning
internal import Localization
package import Suggestions
package import Surfaces

/// Makes suggestions: keeps the board, shows suggestions on the bus and the surfaces, carries them out, and records
/// engagements.
package actor SuggestionDesk: Part {
    package let environment: AgentEnvironment
    package let surface: NotificationSurface
    /// The suggestion as a paused player, for media widgets and keys.
    package let card: NowPlayingCard
    package internal(set) var board = SuggestionBoard()
    /// The results of triggers, as far as the desk decided them.
    package internal(set) var log = TriggerLog()
    /// When the user last had the results of triggers dropped, and the app or folder by whose exclusion; `nil` if not since the start.
    package internal(set) var dropped: (date: Date, excluded: AppID?)?
    /// An effect of a dismissal that the user can undo on its notification.
    enum Undo {
        case mute(of: SuggestionPair)
        /// With the pair that the same press muted.
        case silence(of: AudioDevice.ID, muting: SuggestionPair?)
    }
    /// The effect that the notification announces, with the dismissed suggestion.
    var undo: (suggestion: Suggestion.ID, effect: Undo)?
    private var expiryTimer: LoopTimer?
    /// The timer for the end of Do Not Disturb.
    var disturbanceTimer: LoopTimer?
    /// Everything about a suggestion other than its state on the board.
    var handlings: [Suggestion.ID: Handling] = [:]
    /// Learns from what was carried out.
    private var features: [any Feature] = []
    /// The reported problems of showing suggestions.
    var displayProblems: Set<String> = []
    /// Decides what is shown again after the notification server restarted.
    var recovery = NotificationRecovery()
    /// The departures and calls whose notification was not silent.
    var sounded: Set<Suggestion.ID> = []
    /// Whether the user sees the screen; see ``setScreen(isSeen:)``.
    package var isScreenSeen = true
    /// Whether answers on notifications are followed.
    private(set) var isFollowing = false
    /// The question on the notification; `nil` without one.
    var asked: AskedQuestion?
    /// The companions on the notification of a suggestion, in the order of their buttons.
    var companions: (suggestion: Suggestion.ID, shown: [Suggestion.ID]) = ("", [])
    /// The last suggestions that others replaced or that were withdrawn and may return, the latest last.
    private var replaced: [Suggestion.ID] = []
    private static let replacedLimit = 32
    /// The connections that requested suggestions and have not left the bus.
    var followed: Set<BusName> = []

    package init(_ environment: AgentEnvironment) {
        self.environment = environment
        surface = environment.notificationSurface()
        card = NowPlayingCard(
            on: environment.bus, server: environment.server, name: HunchNames.card,
            fallbackArtwork: environment.configuration.pictureURL
        ) { name in
            (try? await environment.callers.process(behind: name, on: environment.bus))?.application
        }
    }

    /// Sets the features that hear of carried-out suggestions and ended mutes. Called once, before the first suggestion.
    package func report(to features: [any Feature]) { self.features = features }

    /// Tells the features of a change.
    package func tell(_ event: CoreEvent) async { await features.handle(event) }

    /// Reads the limits from the history. Called before the first suggestion, and after something was forgotten.
    package func load() async throws {
        forgetTriggers()
        try await readLimits()
    }

    /// Reads the limits, but keeps the results of triggers.
    func readLimits() async throws {
        let (muted, engagements) = try await history.use { store, _ in
            (try store.mutedPairs(), try store.engagements(limit: 1_000))
        }
        board.restore(
            mutedPairs: Dictionary(
                muted.map { ($0.pair, $0.date) },
                uniquingKeysWith: max),
            engagements: engagements.reversed())
    }

    /// The pictures of current suggestions, as `file:` URIs.
    var shownArtwork: [String] { board.lives.compactMap(\.suggestion.artworkURL) }

    /// Follows the notification server until cancelled.
    package func run() async {
        isFollowing = true
        defer { isFollowing = false }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await environment.follow(surface) { await self.handle($0) } }
            group.addTask { [self] in
                for await event in await card.events() { await handle(event) }
            }
        }
    }

    package func close() async {
        for timer in [expiryTimer, disturbanceTimer].compactMap(\.self) { loop.cancel(timer) }
        let performances = handlings.values.compactMap(\.performance)
        for performance in performances { performance.cancel() }
        // A player that is muted during a jump gets its volume back before the bus is closed.
        for performance in performances { _ = await performance.result }
        await withdrawAll()
    }

    // MARK: Suggesting

    /// Announces an effect as soon as the accepted suggestion has been carried out.
    package func announce(_ effect: LastingEffect, of identifier: Suggestion.ID) {
        handlings[identifier]?.effect = effect
    }

    package nonisolated func makeIdentifier() -> Suggestion.ID {
        var random = SystemRandomNumberGenerator()
        return SuggestionIdentifier.make(using: &random)
    }

    /// Makes a spontaneous suggestion on the bus, as a notification and as a paused player, unless the board holds it.
    ///
    /// - Parameters:
    ///   - companions: further suggestions, best first, one of which may be accepted instead.
    ///   - keysCountFrom: the instant from which a media key counts as the user's; `nil` for no card, for example
    ///     while another player plays or is paused.
    ///   - occasion: the date of its trigger, if the decision was postponed.
    ///   - isTakenUp: whether its trigger happened before the agent started.
    ///   - wasShown: whether the user saw it before, so that it is on the bus only.
    ///   - performance: carries out whichever is accepted; `nil` if the launcher does.
    package func offer(
        _ suggestion: Suggestion, with companions: [Suggestion] = [], keysCountFrom: MonotonicInstant?,
        after occasion: Date? = nil, isTakenUp: Bool = false, wasShown: Bool = false,
        performing performance: Performance? = nil
    ) async throws -> OfferOutcome {
        if case .paused(let end) = try await hold() { return .held(.paused(until: end)) }
        let outcome = board.offer(suggestion, with: companions, at: configuration.now())
        guard case .offered(let effects) = outcome else {
            // A suggestion that is still open was offered before.
            if case .held(let hold) = outcome, hold != .identifierTaken {
                note(suggestion.context.trigger, after: occasion, isTakenUp: isTakenUp, hold: hold)
            }
            return outcome
        }
        replaced.removeAll { $0 == suggestion.id }
        let alternatives = board.companions(of: suggestion.id)
        if let performance {
            for offered in [suggestion] + alternatives { handlings[offered.id] = Handling(performer: performance) }
        }
        // The previous suggestion's notification is replaced rather than closed and reopened.
        await carryOut(effects, keepingNotification: true)
        guard try await export(suggestion) else { return outcome }
        for alternative in alternatives { _ = try await export(alternative) }
        armExpiry()
        if wasShown { await apply(.show, to: suggestion.id, isAutomatic: true) }
        await showCard(try await fit(suggestion), keysCountFrom)
        let hold = wasShown ? nil : try await notify(of: suggestion)
        note(suggestion.context.trigger, after: occasion, isTakenUp: isTakenUp, wasOffered: true, hold: hold)
        return outcome
    }

    /// Exports suggestions that a caller requested: answers, which no limit holds.
    ///
    /// - Parameters:
    ///   - suggestions: best first.
    ///   - requester: the caller. They end with its connection.
    ///   - performance: carries out whichever is accepted; `nil` if the launcher does.
    /// - Returns: the paths of those that have not ended meanwhile.
    package func present(
        _ suggestions: [Suggestion], for requester: Requester, as origin: OfferedSuggestion.Origin,
        performing performance: Performance? = nil
    ) async throws -> [ObjectPath] {
        let effects = board.present(suggestions, for: requester.key, at: configuration.now())
        for suggestion in suggestions where board.life(of: suggestion.id) != nil {
            handlings[suggestion.id] = Handling(lifeline: requester.lifeline, performer: performance)
        }
        await carryOut(effects)
        var paths: [ObjectPath] = []
        for suggestion in suggestions
        where try await export(suggestion, as: origin, for: requester.connection, about: requester.subject) {
            paths.append(try HunchNames.suggestionPath(suggestion.id))
        }
        armExpiry()
        follow(requester.lifeline)
        return paths
    }

    /// Exports a suggestion on the bus, unless it has ended meanwhile. Returns whether it was exported.
    ///
    /// - Parameters:
    ///   - requester: the connection that requested it.
    ///   - subject: who may see it; `nil` for whoever may see its app.
    private func export(
        _ suggestion: Suggestion, as origin: OfferedSuggestion.Origin = .spontaneous, for requester: BusName? = nil,
        about subject: String? = nil
    ) async throws -> Bool {
        guard let life = board.life(of: suggestion.id), life.state.isOpen else { return false }
        try await server.export(
            try HunchNames.suggestionPath(suggestion.id),
            [interface(of: suggestion, as: origin, for: requester)],
            about: subject ?? (suggestion.revealedApplication ?? AppID(HunchNames.desktopEntry)).rawValue)
        return true
    }

    /// The uninvited suggestions that others replaced before the user answered, or that were withdrawn and may return.
    package var replacedIdentifiers: Set<Suggestion.ID> { Set(replaced) }

    /// Replaces the content of an open suggestion. Returns whether that changed anything.
    func replaceContent(_ suggestion: Suggestion) -> Bool {
        guard board.revise(suggestion) else { return false }
        armExpiry()
        return true
    }

    /// Withdraws the suggestions that satisfy a condition. Returns how many of them were not requested.
    ///
    /// - Parameter mayReturn: whether they may be made again, since neither the user nor an event ended them.
    @discardableResult
    package func withdraw(
        because reason: String, mayReturn: Bool = false, where condition: @Sendable (Suggestion) -> Bool
    ) async -> Int {
        let former = openIdentifiers
        await carryOut(board.withdraw(because: reason, at: configuration.now(), where: condition))
        let withdrawn = former.subtracting(openIdentifiers)
        if mayReturn { replaced = (replaced + withdrawn).suffix(Self.replacedLimit) }
        armExpiry()
        return withdrawn.count
    }

    func withdrawAll() async { await withdraw(because: "Hunch ends") { _ in true } }

    // MARK: The user's answers

    /// Carries out a suggestion for a caller on the bus.
    ///
    /// - Parameter isAutomatic: whether a program chose it and not the user. Then nothing is learned, except for an
    ///   existing habit.
    /// - Throws: ``DBusError``: `NotOffered` if it has ended, `ActionFailed` if it cannot be carried out.
    package func accept(
        _ identifier: Suggestion.ID, activationToken: String?, isAutomatic: Bool = false
    ) async throws {
        // The expiry timer stops while the machine sleeps; the wall clock does not.
        await expire()
        if let device = handlings[identifier]?.awaitedDevice {
            throw DBusError(.actionFailed, localized("it was accepted already and waits for %1", device))
        }
        let wasOffered: Bool
        let life = board.life(of: identifier)
        do {
            wasOffered = try await take(identifier, activationToken: activationToken, isAutomatic: isAutomatic)
        } catch {
            // Failures of requested suggestions are reported only to the caller.
            if let life, !life.wasRequested, !(error is CancellationError || error is Interruption) {
                await tellFailure(of: life.suggestion, error)
            }
            throw DBusError(.actionFailed, ErrorMapping.sentence(error))
        }
        if !wasOffered { throw DBusError(.notOffered, localized("the suggestion has ended")) }
    }

    /// Carries out a suggestion. Returns whether it was still current. After a failure the suggestion is open again,
    /// unless the user cancelled it.
    ///
    /// - Throws: the error of carrying it out.
    package func take(
        _ identifier: Suggestion.ID, activationToken: String?, isAutomatic: Bool = false
    ) async throws -> Bool {
        guard let suggestion = board.life(of: identifier)?.suggestion,
            await apply(.accept, to: identifier, isAutomatic: isAutomatic)
        else { return false }
        let performer = handlings[identifier]?.performer ?? launcher.perform
        let performance = Task(executorPreference: loop) { [configuration, loop] in
            try await withDeadline(configuration.performanceTime, on: loop) {
                try await performer(suggestion, activationToken)
            }
        }
        handlings[identifier, default: Handling()].performance = performance
        let patience = loop.schedule(after: configuration.startingTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.tellStarting(identifier) }
        }
        defer {
            handlings[identifier]?.performance = nil
            if board.life(of: identifier) == nil { handlings[identifier] = nil }
            loop.cancel(patience)
        }
        do {
            try await withTaskCancellationHandler {
                try await performance.value
            } onCancel: {
                performance.cancel()
            }
        } catch {
            let interruption = handlings[identifier]?.interruption
            let event = SuggestionEvent(failure: error, sentence: ErrorMapping.sentence(error))
            if case .retry(let reason) = event {
                handlings[identifier]?.failure = .failed(
                    reason, playsAnew: (error as? any SuggestionFailure)?.playsAnew == true)
            }
            await apply(event, to: identifier)
            throw interruption ?? error
        }
        problems.settle(Self.carryingOut)
        await tell(.carriedOut(suggestion, isAutomatic: isAutomatic))
        let effect = handlings[identifier]?.effect
        await apply(.finish, to: identifier)
        if let effect, isScreenSeen { try await surface.announce(effect, of: suggestion) }
        return true
    }

    // MARK: Effects

    /// Applies an event. Returns whether that was possible.
    ///
    /// - Parameter isAutomatic: whether no person caused the event, so that it is not recorded as an engagement.
    @discardableResult
    package func apply(_ event: SuggestionEvent, to identifier: Suggestion.ID, isAutomatic: Bool = false) async -> Bool
    {
        guard var effects = try? board.apply(event, to: identifier, at: configuration.now()) else { return false }
        if isAutomatic { effects.removeAll { if case .engaged = $0 { true } else { false } } }
        await carryOut(effects)
        armExpiry()
        return true
    }

    private func carryOut(_ effects: [SuggestionEffect], keepingNotification: Bool = false) async {
        var items: [Suggestion.ID: SuggestedItem] = [:]
        for effect in effects {
            do {
                switch effect {
                case .changed(let life):
                    items[life.id] = life.wasRequested ? nil : life.suggestion.item
                    try await show(life, keepingNotification: keepingNotification)
                case .engaged(var engagement):
                    // Every suggestion is shown first, perhaps in a list.
                    if engagement.outcome == .shown { engagement.item = items[engagement.suggestion] }
                    try await habits.record(engagement)
                case .muted(let pair): try await history.use { store, _ in try store.mute(pair) }
                }
            } catch {
                problems.report(localized("an engagement could not be announced or recorded: %1", "\(error)"))
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
            } else if handlings[life.id]?.failure != nil {
                await card.noteFailure(life.id)
            }
            return
        }
        replaced.removeAll { $0 == life.id }
        // An accepted companion is the answer.
        if case .replaced(_, let successor) = life.state, board.life(of: successor)?.companionOf != life.id {
            replaced = (replaced + [life.id]).suffix(Self.replacedLimit)
        }
        // One that is being carried out is removed afterwards.
        let former = handlings[life.id]
        if former?.failure != nil { problems.settle(Self.carryingOut) }
        handlings[life.id] = Handling(
            performance: former?.performance, interruption: former?.interruption, lastState: life.state.name)
        defer { if handlings[life.id]?.performance == nil { handlings[life.id] = nil } }
        try await server.propertiesChanged(path, HunchNames.suggestion, ["State"])
        try await server.unexport(path)
        guard !keepingNotification else { return }
        await card.withdraw(life.id)
        try await surface.withdraw(life.id)
        try await removeButton(of: life)
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

    package func expire() async {
        await carryOut(board.expire(at: configuration.now()))
        armExpiry()
    }
}
