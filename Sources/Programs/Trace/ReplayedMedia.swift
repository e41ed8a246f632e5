internal import Players
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

/// The environment of a replay: players, devices and time come from the trace, and effects are recorded instead of
/// carried out.
actor ReplayedMedia: LoopActor {
    let now: @Sendable () -> Date
    let loop: EventLoop
    private let history: HistoryKeeper
    let habits: Habits
    private let present: CurrentContext
    private let records: MediaRecords
    private let driver: MediaDriver
    let desk: ReplayDesk

    let clock: ReplayClock
    let tell: @Sendable (TraceOutcome) async -> Void
    var triggers: TriggerReplay
    var traced = TracedPlayers()
    private var contents: [AppID: TracedContent] = [:]
    /// The timers in the order in which they were set.
    var timers: [(timer: MediaPolicy.Timer, due: Duration)] = []
    /// The accepted suggestions that are being started.
    private var pending: [Task<Void, Never>] = []
    /// The times at which playback began, in seconds.
    private(set) var starts: [Double] = []
    var tellPause: (@Sendable () -> Void)?
    @TaskLocal private static var isPersonActing = false

    init(
        now: @escaping @Sendable () -> Date, timing: GateTiming, loop: EventLoop, history: HistoryKeeper,
        clock: ReplayClock, tell: @escaping @Sendable (TraceOutcome) async -> Void
    ) {
        self.now = now
        self.loop = loop
        self.history = history
        self.clock = clock
        self.tell = tell
        habits = Habits(loop: loop, history: history, problems: ProblemReporter())
        present = CurrentContext(
            environment: [:], now: now, loop: loop, history: history, problems: ProblemReporter(), sessionBus: nil
        ) {
            throw DBusError(.noServer, "a replay has no buses")
        }
        records = MediaRecords(history: history, habits: habits, present: present, now: now)
        driver = MediaDriver(
            loop: loop, records: records, timing: MediaPolicy.Timing(rejoin: timing.rejoin),
            resumeTime: .seconds(86_400))
        desk = ReplayDesk(now: now, loop: loop, history: history, clock: clock, tell: tell)
        triggers = TriggerReplay(timing: timing)
    }

    var instant: MonotonicInstant { MonotonicInstant(sinceStart: clock.now) }

    // MARK: Apps

    nonisolated var candidates: MediaCandidates {
        MediaCandidates(
            now: now, history: history, habits: habits, present: present,
            name: { [self] in await name(of: $0) }, runningContentApps: { [self] in await contents.keys.sorted() },
            learned: { _, _ in LearnedActions() })
    }

    /// Returns the desktop identifier of a player: one that the trace has, or the likeliest one.
    func desktopID(of player: MPRISPlayer) -> AppID {
        let candidates = player.desktopIDCandidates
        return candidates.first { contents[$0] != nil } ?? candidates.first ?? AppID(player.name.text)
    }

    func prepare(
        _ candidate: MediaCandidate, for trigger: MediaTrigger, within time: Duration
    ) async -> MediaPolicy.Preparation {
        let content = contents[candidate.application]
        let name = name(of: candidate.application)
        // Only an app knows what follows an item that was played to its end.
        guard content?.fails != true, let info = content?.info ?? candidate.info else {
            return .failed("\(name) prepared nothing")
        }
        return .ready(
            Suggestion(
                ofPrepared: info, by: (candidate.application, name), candidate,
                PlaybackContext(device: trigger.device), id: await desk.makeIdentifier(),
                in: await candidates.context(at: trigger), until: now() + SuggestionLimits.offerTime / .seconds(1)))
    }

    func name(of application: AppID) -> String {
        if let content = contents[application] { return content.name }
        let player = traced.players(at: instant).first { desktopID(of: $0) == application }
        return player.map(\.identity).flatMap { $0.isEmpty ? nil : $0 } ?? application.rawValue
    }

    func play(
        _ item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool {
        let isSwitchedOn =
            if let device = context.device { try await records.policy(of: device).resumes } else { false }
        let by = Self.isPersonActing ? "person" : isSwitchedOn ? "policy" : "nobody"
        await tell(
            TraceOutcome(
                clock.now, "play", "\(suggestion.applicationName): \(suggestion.title), by \(by)",
                ["application": .text(suggestion.application.rawValue), "item": .text(item), "by": .text(by)]))
        return true
    }

    func pause(_ identifiers: Set<MPRISPlayer.ID>) async {
        for player in traced.players(at: instant)
        where identifiers.contains(player.id) && player.status == .playing {
            await tell(
                TraceOutcome(
                    clock.now, "pause", player.identity.isEmpty ? player.name.text : player.identity,
                    ["player": .text(player.name.text)]))
        }
    }

    // MARK: Replaying

    /// Advances the clock to an instant, and fires the timers due on the way.
    func advance(to end: Duration) async {
        while let due = await nextDeadline(), due <= end {
            clock.now = due
            await handle(triggers.advance(to: clock.now))
            for (timer, _) in timers.filter({ $0.due <= clock.now }) {
                // Another timer due at the same time may have cancelled it.
                guard let index = timers.firstIndex(where: { $0.timer == timer && $0.due <= clock.now }) else {
                    continue
                }
                timers.remove(at: index)
                await driver.process(.timer(timer), in: self)
            }
            await finishPending()
            if let deadline = await desk.nextDeadline, deadline <= clock.now { await desk.expire() }
        }
        clock.now = end
        await present.passTime()
    }

    private func nextDeadline() async -> Duration? {
        // A deadline that passed meanwhile is due now.
        [triggers.nextDeadline, timers.map(\.due).min(), await desk.nextDeadline].compactMap(\.self).min()
            .map { max($0, clock.now) }
    }

    /// Applies a line of the trace at its time.
    func take(_ entry: TraceLine.Entry) async {
        switch entry {
        case .observe(let observation):
            await handle(triggers.take(observation, at: clock.now))
            await finishPending()
            for personEvent in await present.take(observation) { await handle(personEvent) }
        case .player(let name, let properties, let processes):
            await take(traced.take(name, properties, processes: processes, at: instant))
        case .playerGone(let name): await take(traced.remove(name, at: instant))
        case .content(let application, let content): contents[application] = content
        case .remembered(let point, let secondsAgo):
            await write { store, now in
                var point = point
                point.date = now.addingTimeInterval(-secondsAgo)
                _ = try store.remember(point, now: now)
            }
        case .announced(let application, let list, let items):
            await write { store, now in _ = try store.announce(items, in: list, of: application, now: now) }
        case .policy(let device, let policy): await write { store, _ in try store.setPolicy(policy, of: device) }
        case .person(.accept): await accept()
        case .person(.dismiss(let reason)):
            let dismissed = await desk.dismiss(reason: reason)
            guard reason == SuggestionBoard.never, let device = dismissed?.device else { return }
            await write { store, _ in
                try store.changePolicy(of: device) { $0.suggests = false }
            }
        case .key(let request, let origin): await press(request, origin)
        case .head, .wait, .unknown: break
        }
    }

    private func write(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Void
    ) async {
        do { try await history.use(body) } catch { await tell(TraceOutcome(clock.now, "problem", "\(error)")) }
    }

    private func take(_ observations: [MediaObservation]) async {
        for observation in observations {
            if observation.change == .started { starts.append(clock.now / .seconds(1)) }
            await driver.process(.player(observation, application: desktopID(of: observation.player)), in: self)
        }
        if traced.players(at: instant).contains(where: \.isActive) { await desk.withdrawCard() }
    }

    /// Accepts the current suggestion and runs it until it finishes or waits for the trace.
    private func accept() async {
        let (pauses, sink) = AsyncStream.makeStream(of: Void.self)
        tellPause = { sink.yield() }
        pending.append(
            Task(executorPreference: loop) {
                await self.desk.accept { suggestion in
                    try await Self.$isPersonActing.withValue(true) {
                        try await self.driver.play(suggestion, activationToken: nil, in: self)
                    }
                }
                sink.finish()
            })
        for await _ in pauses { break }
        tellPause = nil
        await finishPending()
    }

    /// Awaits the tasks that no longer wait for a device, so that the order of outcomes is fixed.
    private func finishPending() async {
        guard !pending.isEmpty, await !driver.isWaiting else { return }
        let tasks = pending
        pending = []
        for task in tasks { await task.value }
    }

    private func press(_ request: CardPress.Request, _ origin: CardPress.Origin) async {
        let meaning = await desk.meaning(of: request, from: origin)
        let word =
            switch meaning {
            case .play?: "the person accepts the suggestion"
            case .cancel?, .nothing?: "it is ignored"
            case nil: "Hunch shows no card"
            }
        await tell(
            TraceOutcome(
                clock.now, "key", "\(request.rawValue): \(word)",
                ["request": .text(request.rawValue), "counts": .boolean(meaning == .play)]))
        if meaning == .play { await accept() }
    }

    // MARK: Outcomes

    private func handle(_ outcomes: [TriggerOutcome]) async {
        for outcome in outcomes {
            switch outcome {
            case .held(let device, let reason):
                await tell(
                    TraceOutcome(
                        clock.now, "held", "\(device.name): \(reason)",
                        ["device": device.traceValue, "reason": .text(reason.code)]))
            case .launched(let application): await handle(.launched(application))
            case .device(let event): await handle(event)
            }
        }
    }

    private func handle(_ event: TriggerEvent) async {
        await driver.dropHold()
        switch event {
        case .deviceReady(let device, _): await tell(.of(device, "ready", at: clock.now))
        case .deviceReconnected(let device, let away, _):
            await tell(.of(device, "returned", after: away, at: clock.now))
        case .deviceRegained: break
        case .deviceDisconnected(let device, _): await tell(.of(device, "lost", at: clock.now))
        }
        await driver.process(.device(event), in: self)
        await tellHold()
    }

    private func handle(_ personEvent: PersonEvent) async {
        await driver.dropHold()
        var details: [String: TraceValue] = ["trigger": .text(personEvent.word)]
        var text = personEvent.word
        if case .launched(let application) = personEvent {
            details["application"] = .text(application.rawValue)
            text += " \(application)"
        }
        await tell(TraceOutcome(clock.now, "occasion", text, details))
        await driver.process(.person(personEvent), in: self)
        await tellHold()
    }

    /// Reports the hold, unless something was suggested.
    private func tellHold() async {
        if let hold = await driver.lastHold { await tell(TraceOutcome(clock.now, "notOffered", hold.description)) }
    }
}

extension TraceOutcome {
    fileprivate static func of(
        _ device: AudioDevice, _ event: String, after: Duration? = nil, at now: Duration
    ) -> TraceOutcome {
        var details = ["device": device.traceValue]
        details["after"] = after.map { .number($0 / .seconds(1)) }
        let away = after.map { ", after \($0 / .seconds(1)) s" } ?? ""
        return TraceOutcome(
            now, event, "\(device.name) (\(device.kind.rawValue), \(device.transport.rawValue)\(away))", details)
    }
}
