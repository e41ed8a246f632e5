internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Suggestions
internal import Surfaces
internal import Triggers

/// The media flow in a trace: players, devices and time are the trace's, and what would be done is told and not done.
actor ReplayedMedia: MediaStage {
    private struct Waiting {
        let due: Duration
        let body: @Sendable () async -> Void
    }

    let configuration: AgentConfiguration
    let loop: EventLoop
    let history: HistoryKeeper
    let habits: Habits
    let present: PresentContext
    let desk: ReplayDesk
    var memory = PlaybackMemory()
    var plays: [MPRISPlayer.ID: Int] = [:]
    var donated: [MPRISPlayer.ID: String] = [:]
    var accepted: [String: (date: Date, item: String, title: String)] = [:]
    var lastHold: String?
    var departures: [AudioDevice.ID: MediaDeparture<Int>] = [:]
    var lastDeparture = 0
    var interrupted: Set<AudioDevice.ID> = []

    private let clock: ReplayClock
    private let tell: @Sendable (TraceOutcome) async -> Void
    private var triggers: TriggerReplay
    private var traced = TracedPlayers()
    private var contents: [String: TracedContent] = [:]
    private var timers: [Int: Waiting] = [:]
    private var lastTimer = 0
    /// The accepted suggestions that wait for their device.
    private var pending: [Task<Void, Never>] = []
    /// The times at which playback began, in seconds.
    private(set) var starts: [Double] = []
    private var tellPause: (@Sendable () -> Void)?
    @TaskLocal private static var isPersonActing = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, timing: GateTiming, loop: EventLoop, history: HistoryKeeper,
        clock: ReplayClock, tell: @escaping @Sendable (TraceOutcome) async -> Void
    ) {
        self.configuration = configuration
        self.loop = loop
        self.history = history
        self.clock = clock
        self.tell = tell
        habits = Habits(loop: loop, history: history)
        present = PresentContext(configuration: configuration, loop: loop, history: history, sessionBus: nil)
        desk = ReplayDesk(configuration: configuration, loop: loop, history: history, clock: clock, tell: tell)
        triggers = TriggerReplay(timing: timing)
    }

    // MARK: Stage

    var players: ReplayedPlayers? { ReplayedPlayers(seen: traced.players(at: instant), media: self) }
    var monitor: ReplayedMonitor? { ReplayedMonitor(present: triggers.status(at: clock.now)) }
    var instant: MonotonicInstant { MonotonicInstant(sinceStart: clock.now) }

    func after(_ delay: Duration, _ body: @escaping @Sendable () async -> Void) -> Int {
        lastTimer += 1
        timers[lastTimer] = Waiting(due: clock.now + delay, body: body)
        return lastTimer
    }

    func cancel(_ timer: Int) { timers[timer] = nil }

    func report(_ problem: String) async { await tell(TraceOutcome(clock.now, "problem", problem)) }

    /// Returns the desktop identifier of a player: one that the trace has, or the likeliest one.
    func desktopID(of player: MPRISPlayer) -> String {
        let candidates = player.desktopIDCandidates
        return candidates.first { contents[$0] != nil } ?? candidates.first ?? player.name.text
    }

    func runningContentApps() -> [String] { contents.keys.sorted() }

    func prepare(
        _ candidate: MediaCandidate, for moment: MediaMoment, within time: Duration
    ) async throws(AlreadyPlaying) -> Suggestion? {
        let content = contents[candidate.application]
        let name = await name(of: candidate.application)
        // Only an app knows what comes after an item that was played to its end.
        guard content?.fails != true, let info = content?.info ?? candidate.info else {
            lastHold = "\(name) prepared nothing"
            return nil
        }
        return await suggestion(
            of: info, by: (candidate.application, name), artworkURL: nil, candidate,
            PlaybackContext(device: moment.device), at: moment)
    }

    func name(of application: String) async -> String {
        if let content = contents[application] { return content.name }
        let player = traced.players(at: instant).first { desktopID(of: $0) == application }
        return player.map(\.identity).flatMap { $0.isEmpty ? nil : $0 } ?? application
    }

    func initiatePlayback(
        of item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool {
        let isSwitchedOn = if let device = context.device { try await policy(of: device).resumes } else { false }
        let by = Self.isPersonActing ? "person" : isSwitchedOn ? "policy" : "nobody"
        await tell(
            TraceOutcome(
                clock.now, "play", "\(suggestion.applicationName): \(suggestion.title), by \(by)",
                ["application": .text(suggestion.application), "item": .text(item), "by": .text(by)]))
        return true
    }

    fileprivate func takeBackTouch(of players: [MPRISPlayer.ID]) { traced.takeBackTouch(of: players) }

    fileprivate func notePause(of player: MPRISPlayer) async {
        await tell(
            TraceOutcome(
                clock.now, "pause", player.identity.isEmpty ? player.name.text : player.identity,
                ["player": .text(player.name.text)]))
    }

    // MARK: Replaying

    /// Advances the time to an instant, and does what is due on the way.
    func advance(to end: Duration) async {
        while let due = await nextDeadline(), due <= end {
            clock.now = due
            await handle(triggers.advance(to: clock.now))
            for (number, timer) in timers.sorted(by: { $0.key < $1.key }) where timer.due <= clock.now {
                // One that was due too may have cancelled it.
                guard timers.removeValue(forKey: number) != nil else { continue }
                await timer.body()
            }
            await finishPending()
            if let deadline = await desk.nextDeadline, deadline <= clock.now { await desk.expire() }
        }
        clock.now = end
        await present.passTime()
    }

    private func nextDeadline() async -> Duration? {
        // A deadline that passed while something else was done is due now.
        [triggers.nextDeadline, timers.values.map(\.due).min(), await desk.nextDeadline].compactMap(\.self).min()
            .map { max($0, clock.now) }
    }

    /// Applies a line at its time.
    func take(_ entry: TraceLine.Entry) async {
        switch entry {
        case .sign(let sign):
            await handle(triggers.take(sign, at: clock.now))
            await finishPending()
            for occasion in await present.take(sign) { await happen(occasion) }
        case .player(let name, let properties): await take(traced.take(name, properties, at: instant))
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
            guard reason == SuggestionDesk.never, let device = dismissed?.device else { return }
            await write { store, _ in
                var policy = try store.policies()[device] ?? DevicePolicy()
                policy.suggests = false
                try store.setPolicy(policy, of: device)
            }
        case .key(let request, let origin): await press(request, origin)
        case .head, .wait, .unknown: break
        }
    }

    private func write(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Void
    ) async {
        do { try await history.use(body) } catch { await report("\(error)") }
    }

    private func take(_ observations: [MediaObservation]) async {
        for observation in observations {
            if observation.change == .started { starts.append(clock.now / .seconds(1)) }
            await handle(observation)
        }
        if traced.players(at: instant).contains(where: \.isActive) { await desk.withdrawCard() }
    }

    /// Does what stands, until it is done or waits for the trace to go on.
    private func accept() async {
        let (pauses, sink) = AsyncStream.makeStream(of: Void.self)
        tellPause = { sink.yield() }
        pending.append(
            Task(executorPreference: loop) {
                await self.desk.accept { suggestion in
                    try await Self.$isPersonActing.withValue(true) {
                        try await self.play(suggestion, activationToken: nil)
                    }
                }
                sink.finish()
            })
        for await _ in pauses { break }
        tellPause = nil
        await finishPending()
    }

    func waitsForDevice() { tellPause?() }

    /// Finishes tasks that no longer wait for a device, so that the outcome has a fixed order.
    private func finishPending() async {
        guard !pending.isEmpty, departures.values.allSatisfy(\.waiting.isEmpty) else { return }
        let tasks = pending
        pending = []
        for task in tasks { await task.value }
    }

    private func press(_ request: CardPress.Request, _ origin: CardPress.Origin) async {
        let meaning = await desk.meaning(of: request, from: origin)
        let word =
            switch meaning {
            case .play?: "the person wants what is offered"
            case .cancel?, .nothing?: "it counts for nothing"
            case nil: "Hunch has no card for it"
            }
        await tell(
            TraceOutcome(
                clock.now, "key", "\(request.rawValue): \(word)",
                ["request": .text(request.rawValue), "counts": .boolean(meaning == .play)]))
        if meaning == .play { await accept() }
    }

    // MARK: What comes of it

    private func handle(_ outcomes: [TriggerOutcome]) async {
        for outcome in outcomes {
            switch outcome {
            case .held(let device, let reason):
                await tell(
                    TraceOutcome(
                        clock.now, "held", "\(device.name): \(reason)",
                        ["device": device.traceValue, "reason": .text(reason.word)]))
            case .launched(let application): await happen(.launched(application))
            case .device(let event): await happen(event)
            }
        }
    }

    private func happen(_ event: TriggerEvent) async {
        lastHold = nil
        switch event {
        case .deviceReady(let device, _): await tell(.of(device, "ready", at: clock.now))
        case .deviceReturned(let device, let away, _):
            await tell(.of(device, "returned", after: away, at: clock.now))
        case .deviceLost(let device, _): await tell(.of(device, "lost", at: clock.now))
        }
        await handle(event)
        await tellHold()
    }

    private func happen(_ occasion: Occasion) async {
        lastHold = nil
        var details: [String: TraceValue] = ["trigger": .text(occasion.word)]
        var text = occasion.word
        if case .launched(let application) = occasion {
            details["application"] = .text(application)
            text += " " + application
        }
        await tell(TraceOutcome(clock.now, "occasion", text, details))
        await consider(occasion)
        await tellHold()
    }

    /// Reports the hold, unless something was suggested.
    private func tellHold() async {
        if let lastHold { await tell(TraceOutcome(clock.now, "notOffered", lastHold)) }
    }
}

/// The players of a trace at one instant.
struct ReplayedPlayers: PlayerSource {
    let seen: [MPRISPlayer]
    let media: ReplayedMedia

    func players() -> [MPRISPlayer] { seen }
    func present(_ player: MPRISPlayer.ID) -> MPRISPlayer? { seen.first { $0.id == player } }
    func pause(_ player: MPRISPlayer) async { await media.notePause(of: player) }
    func takeBackTouch(of players: [MPRISPlayer.ID]) async { await media.takeBackTouch(of: players) }
}

/// The devices of a trace at one instant.
struct ReplayedMonitor: DeviceSource {
    let present: TriggerStatus

    func status() -> TriggerStatus { present }
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
