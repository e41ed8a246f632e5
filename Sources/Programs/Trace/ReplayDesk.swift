internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Media
internal import Suggestions
internal import Surfaces
internal import Triggers

/// The suggestion desk of a replay. It uses the same board as the agent, and a log instead of screens.
actor ReplayDesk: LoopActor {
    typealias Performance = @Sendable (Suggestion) async throws -> Void

    private let now: @Sendable () -> Date
    let loop: EventLoop
    private let history: HistoryKeeper
    private let clock: ReplayClock
    private let tell: @Sendable (TraceOutcome) async -> Void
    private(set) var board = SuggestionBoard()
    private var number = 0
    private var press: CardPress?

    init(
        now: @escaping @Sendable () -> Date, loop: EventLoop, history: HistoryKeeper, clock: ReplayClock,
        tell: @escaping @Sendable (TraceOutcome) async -> Void
    ) {
        self.now = now
        self.loop = loop
        self.history = history
        self.clock = clock
        self.tell = tell
    }

    func makeIdentifier() -> Suggestion.ID {
        number += 1
        return "offer\(number)"
    }

    func hold() -> Hold? { board.hold(at: now()) }

    func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, keysCountFrom: MonotonicInstant?
    ) async -> OfferOutcome {
        let outcome = board.offer(suggestion, with: companion.map { [$0] } ?? [], at: now())
        guard case .offered(let effects) = outcome else { return outcome }
        await carryOut(effects)
        press = keysCountFrom.map { CardPress(keysCountFrom: $0) }
        let alternative = board.companions(of: suggestion.id).first
        await tell(.offered(suggestion, or: alternative, hasCard: press != nil, at: clock.now))
        await apply(.show, to: suggestion.id)
        return outcome
    }

    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async {
        await carryOut(board.withdraw(because: reason, at: now(), where: condition))
    }

    func holdKeys(until instant: MonotonicInstant) { press?.keysCountFrom = instant }

    /// Withdraws the card, because another player has the keys now.
    func withdrawCard() { press = nil }

    // MARK: The user's actions

    /// Accepts the current suggestion.
    func accept(_ perform: Performance) async {
        guard let suggestion = current else { return await tell(.nothingSuggested(at: clock.now)) }
        await apply(.accept, to: suggestion.id)
        do {
            try await perform(suggestion)
            await apply(.finish, to: suggestion.id)
        } catch {
            await apply(SuggestionEvent(failure: error, sentence: "\(error)"), to: suggestion.id)
        }
    }

    /// Dismisses the current suggestion. Returns it; `nil` if there is none.
    func dismiss(reason: String) async -> Suggestion? {
        guard let suggestion = current else {
            await tell(.nothingSuggested(at: clock.now))
            return nil
        }
        await apply(.dismiss(reason: reason), to: suggestion.id)
        return suggestion
    }

    /// Returns the meaning of a key for the card; `nil` if there is no card.
    func meaning(of request: CardPress.Request, from origin: CardPress.Origin) -> CardPress.Meaning? {
        guard current != nil else { return nil }
        return press?.meaning(
            of: request, from: origin, isStarting: false, at: MonotonicInstant(sinceStart: clock.now))
    }

    private var current: Suggestion? { board.lives.first { $0.state.isOpen }?.suggestion }

    // MARK: Time and effects

    /// The time at which ``expire()`` has something to do; `nil` if nothing is due.
    var nextDeadline: Duration? { board.nextDeadline.map(clock.time(of:)) }

    func expire() async { await carryOut(board.expire(at: now())) }

    private func apply(_ event: SuggestionEvent, to identifier: Suggestion.ID) async {
        guard let effects = try? board.apply(event, to: identifier, at: now()) else { return }
        await carryOut(effects)
    }

    private func carryOut(_ effects: [SuggestionEffect]) async {
        for effect in effects {
            do {
                switch effect {
                case .changed(let life):
                    if life.state.isOver { press = nil }
                    await tell(life)
                case .engaged(let engagement):
                    _ = try await history.use { store, now in try store.record(engagement, now: now) }
                case .muted(let pair): try await history.use { store, _ in try store.mute(pair) }
                }
            } catch {
                await tell(TraceOutcome(clock.now, "problem", "\(error)"))
            }
        }
    }

    private func tell(_ life: SuggestionLife) async {
        // The outcome of a companion follows from that of its suggestion.
        guard life.state.isOver, life.companionOf == nil else { return }
        let reason = life.state.reason
        var details: [String: TraceValue] = [
            "suggestion": .text(life.id), "application": .text(life.suggestion.application.rawValue),
            "title": .text(life.suggestion.title),
        ]
        details["reason"] = reason.map(TraceValue.text)
        let text = life.suggestion.title + (reason.map { ": \($0)" } ?? "")
        await tell(TraceOutcome(clock.now, life.state.name, text, details))
    }
}

extension TraceOutcome {
    fileprivate static func offered(
        _ suggestion: Suggestion, or companion: Suggestion?, hasCard: Bool, at now: Duration
    ) -> TraceOutcome {
        var details: [String: TraceValue] = [
            "suggestion": .text(suggestion.id), "application": .text(suggestion.application.rawValue),
            "title": .text(suggestion.title), "subtitle": .text(suggestion.subtitle),
            "score": .number(suggestion.score), "reasons": .list(suggestion.explanation.texts.map(TraceValue.text)),
            "card": .boolean(hasCard),
        ]
        details["device"] = suggestion.device.map { .text($0.rawValue) }
        details["trigger"] = suggestion.context.trigger.map { .text($0.description) }
        if case .play(let item, _, _) = suggestion.action { details["item"] = .text(item) }
        details["or"] = companion.map { .text($0.title) }
        let texts = [suggestion, companion].compactMap { $0 }.map { "\($0.title) · \($0.applicationName)" }
        return TraceOutcome(now, "offered", texts.joined(separator: ", or: "), details)
    }

    fileprivate static func nothingSuggested(at now: Duration) -> TraceOutcome {
        TraceOutcome(now, "problem", "there is no suggestion to accept or dismiss")
    }
}
