internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Prediction
internal import Triggers

/// The place where the person stays (`home`, `work` or `place-N`), and arrivals and departures, if the person allowed
/// it.
actor PlaceFeature: ContextFeature {
    nonisolated let name = "place"
    private let configuration: AgentConfiguration
    private let loop: EventLoop
    private let history: HistoryKeeper
    private let openBus: @Sendable () async throws -> Connection
    /// Told each time that what the person allows may have changed.
    private var settings: AsyncStream<Void>.Continuation?
    /// `nil` while nothing is followed, and while something is being forgotten.
    private var whereabouts: Whereabouts?
    private var state: LocationState?
    private var isAllowed = false
    /// GeoClue's own.
    private var connection: Connection?
    private var position: Position?
    private var last: Happening?
    /// Told that the person came to a place or left it; nobody in a trace, which tells of positions alone.
    private var tell: @Sendable (Occasion) -> Void = { _ in }
    private var timer: LoopTimer?
    private var note: @Sendable (String) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, loop: EventLoop, history: HistoryKeeper,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.configuration = configuration
        self.loop = loop
        self.history = history
        self.openBus = openBus
    }

    /// Says where problems go.
    func setNote(_ note: @escaping @Sendable (String) async -> Void) { self.note = note }

    func value(at date: Date) -> String? { whereabouts?.present?.word }

    func happening(at date: Date) -> Happening? { last.flatMap { $0.isRecent(at: date) ? $0 : nil } }

    /// The position of the person, as far as it is known.
    var present: Position? { position }

    /// The state for `hunch status`.
    var standing: String {
        guard isAllowed else { return "not allowed" }
        return switch state {
        case nil: "starting"
        case .absent: "absent"
        case .waitingForAgent: "no agent"
        case .denied(let reason): "denied: \(reason)"
        case .searching: "searching"
        case .at: "watching"
        }
    }

    // MARK: Following

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (Occasion) -> Void) async throws {
        let (changes, settings) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.settings = settings
        self.tell = tell
        defer { (self.settings, self.tell) = (nil, { _ in }) }
        var iterator = changes.makeAsyncIterator()
        repeat {
            isAllowed = try await isLocationAllowed()
            if isAllowed { await followLocation() }
        } while await iterator.next() != nil
    }

    private func isLocationAllowed() async throws -> Bool {
        try await history.use { store, _ in try store.settings().allowedCategories.contains(.location) }
    }

    /// Begins or ends as the person now wants.
    func settingsChanged() async throws {
        isAllowed = try await isLocationAllowed()
        // GeoClue stops with it.
        if !isAllowed { await connection?.close() }
        settings?.yield()
    }

    /// Follows until it is forbidden, cancelled, or the bus goes.
    private func followLocation() async {
        await load()
        do {
            let connection = try await openBus()
            self.connection = connection
            if isAllowed {
                try await Location(on: loop, application: HunchNames.desktopEntry).follow(connection) {
                    await self.take($0, self.tell)
                }
            }
        } catch is CancellationError {
        } catch {
            if isAllowed { await note("where you are is not known: \(error)") }
        }
        await connection?.close()
        connection = nil
        // Not cancelled with what is followed: what was learned is to be on disk.
        await Task(executorPreference: loop) { await self.end() }.value
    }

    private func end() async {
        if let ended = whereabouts?.leave(at: configuration.now()) { await keep(ended) }
        dropMemory(andPosition: true)
        state = nil
    }

    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) async {
        guard case .location(let state) = sign else { return }
        if whereabouts == nil { await load() }
        await take(state, tell)
    }

    private func take(_ state: LocationState, _ tell: @Sendable (Occasion) -> Void) async {
        self.state = state
        guard case .at(let position) = state else { return }
        tell(.moved(from: self.position, to: position))
        self.position = position
        await happened(whereabouts?.take(position, at: configuration.now()) ?? [])
    }

    private func happened(_ events: [Whereabouts.Event]) async {
        for event in events {
            let trigger: Trigger =
                switch event {
                case .arrived(let place, _): .arrival(place.word)
                case .left(let place, _): .departure(place.word)
                }
            last = Happening(trigger: trigger, date: configuration.now())
            tell(.stay(trigger))
        }
        arm()
        await keep(events)
    }

    /// Waits until the person has been long enough where they are.
    private func arm() {
        if let timer { loop.cancel(timer) }
        timer = whereabouts?.deadline.map { deadline in
            let wait = max(0, deadline.timeIntervalSince(configuration.now()))
            return loop.schedule(after: .clamping(seconds: wait + 0.001)) { [weak self, loop] in
                Task(executorPreference: loop) { await self?.pass() }
            }
        }
    }

    /// Updates the places after time has passed.
    func pass() async { await happened(whereabouts?.advance(to: configuration.now()) ?? []) }

    // MARK: What is kept

    private func keep(_ events: [Whereabouts.Event]) async {
        for event in events {
            guard let places = whereabouts?.places else { return }
            let stay =
                switch event {
                case .arrived(_, let stay), .left(_, let stay): stay
                }
            do {
                let outcome = try await history.use { store, now in
                    try store.record(places, staying: stay, now: now)
                }
                if case .refused(let error) = outcome { throw error }
            } catch {
                await note("where you stay could not be written down: \(error)")
            }
        }
    }

    private func load() async {
        do {
            let (places, stays) = try await history.use { store, _ in try store.whereabouts() }
            whereabouts = Whereabouts(places: places, stays: stays) { date in
                let time = Context(at: date)
                return (time.hour ?? 0, time.weekday ?? 1)
            }
        } catch {
            await note("where you stayed could not be read: \(error)")
        }
    }

    /// Drops what is in mind, so that nothing of it is written down later.
    func dropMemory(andPosition: Bool) {
        if let timer { loop.cancel(timer) }
        (timer, whereabouts) = (nil, nil)
        if andPosition { (position, last) = (nil, nil) }
    }

    /// Takes up what is left after something was forgotten.
    func reload() async {
        guard connection != nil else { return }
        await load()
        guard let position else { return }
        await happened(whereabouts?.take(position, at: configuration.now()) ?? [])
    }
}
