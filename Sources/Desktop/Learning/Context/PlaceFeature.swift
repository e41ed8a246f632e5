internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Prediction
internal import Triggers
internal import Localization

/// The place where the user stays (`home`, `work` or `place-N`), and arrivals and departures, if the user allowed
/// location.
actor PlaceFeature: ContextFeature {
    nonisolated let name = "place"
    private let now: @Sendable () -> Date
    let loop: EventLoop
    private let history: HistoryKeeper
    private let openBus: @Sendable () async throws -> Connection
    /// Signals that the user's permission may have changed.
    private var settings: AsyncStream<Void>.Continuation?
    /// `nil` while nothing is followed, and while something is being forgotten.
    private var whereabouts: Whereabouts?
    private var state: LocationState?
    private var isAllowed = false
    /// The connection to GeoClue, of its own.
    private var connection: Connection?
    private var position: Position?
    private var last: DatedTrigger?
    /// The receiver of arrivals and departures; does nothing in a replay, whose traces contain positions only.
    private var tell: @Sendable (ContextReport) -> Void = { _ in }
    private var timer: LoopTimer?
    private let problems: ProblemReporter

    init(
        now: @escaping @Sendable () -> Date, loop: EventLoop, history: HistoryKeeper, problems: ProblemReporter,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.now = now
        self.problems = problems
        self.loop = loop
        self.history = history
        self.openBus = openBus
    }

    func value(at date: Date) -> String? { whereabouts?.present?.word }

    func recentTrigger(at date: Date) -> DatedTrigger? { last.flatMap { $0.isRecent(at: date) ? $0 : nil } }

    /// The position of the user, if known.
    var present: Position? { position }

    var report: PartReport? {
        func part(_ state: String, _ text: String? = nil, _ level: PartReport.Level = .ok, remedy: String? = nil)
            -> PartReport
        { PartReport("location", localized("location"), state: state, text, level, remedy: remedy) }
        guard isAllowed else {
            return part(
                "not allowed", localized("not allowed, so GeoClue is not asked where you are"),
                remedy: "hunch allow location")
        }
        return switch state {
        case nil: part("starting")
        case .absent:
            part(
                "absent", localized("allowed, but GeoClue is not installed"), .limited,
                remedy: "sudo apt install geoclue-2.0")
        case .waitingForAgent:
            part(
                "no agent", localized("GeoClue waits for a program that asks you: the desktop's, or its demo agent"),
                .limited, remedy: "/usr/libexec/geoclue-2.0/demos/agent &")
        case .denied(let reason):
            part("denied: \(reason)", localized("GeoClue gives no position: %1", reason), .limited)
        case .searching: part("searching")
        case .at: part("watching")
        }
    }

    // MARK: Following

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws {
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

    /// Starts or stops following, as the user now allows.
    ///
    /// - Throws: if the setting cannot be read. Following stops then.
    func settingsChanged() async throws {
        isAllowed = false
        defer { settings?.yield() }
        do { isAllowed = try await isLocationAllowed() } catch {
            await connection?.close()
            throw error
        }
        guard !isAllowed else { return }
        // At once, so that the next reader of the settings does not find the position.
        if position != nil { await losePosition() }
        // GeoClue stops when its client disconnects.
        await connection?.close()
    }

    /// Follows the location until it is forbidden, cancelled, or the bus closes.
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
            if isAllowed { problems.report(localized("your location is unknown: %1", "\(error)")) }
        }
        await connection?.close()
        connection = nil
        // Not cancelled with its parent, so that learned places reach the disk.
        await Task(executorPreference: loop) { await self.losePosition() }.value
        dropMemory()
        (position, state) = (nil, nil)
    }

    /// Ends the stay and forgets the position, which is no longer known. The user has not left, as far as is known, so
    /// nothing is suggested.
    private func losePosition() async {
        let ended = whereabouts?.leave(at: now()) ?? []
        (position, last) = (nil, nil)
        tell(.positionLost)
        arm()
        await keep(ended)
    }

    func take(_ observation: TriggerObservation, _ tell: @Sendable (PersonEvent) -> Void) async {
        guard case .location(let state) = observation else { return }
        if whereabouts == nil { await load() }
        await take(state) { if case .trigger(let event) = $0 { tell(event) } }
    }

    private func take(_ state: LocationState, _ tell: @Sendable (ContextReport) -> Void) async {
        self.state = state
        guard case .at(let position) = state else {
            if self.position != nil { await losePosition() }
            return
        }
        tell(.trigger(.moved(from: self.position, to: position)))
        self.position = position
        await happened(whereabouts?.take(position, at: now()) ?? [])
    }

    private func happened(_ events: [Whereabouts.Event]) async {
        for event in events {
            let trigger: Trigger
            switch event {
            case .arrived(let place, _): trigger = .arrival(place.word)
            case .found: continue
            case .left(let place, _): trigger = .departure(place.word)
            }
            last = DatedTrigger(trigger: trigger, date: now())
            tell(.trigger(.plain(trigger)))
        }
        arm()
        await keep(events)
    }

    /// Starts a timer for the moment when the user has stayed long enough at the current position.
    private func arm() {
        if let timer { loop.cancel(timer) }
        timer = whereabouts?.deadline.map { deadline in
            let wait = max(0, deadline.timeIntervalSince(now()))
            return loop.schedule(after: .clamping(seconds: wait + 0.001)) { [weak self, loop] in
                Task(executorPreference: loop) { await self?.pass() }
            }
        }
    }

    /// Updates the places after time has passed in a replay.
    func pass() async { await happened(whereabouts?.advance(to: now()) ?? []) }

    // MARK: Storage

    private func keep(_ events: [Whereabouts.Event]) async {
        for event in events {
            guard let places = whereabouts?.places else { return }
            let stay =
                switch event {
                case .arrived(_, let stay), .found(_, let stay), .left(_, let stay): stay
                }
            do {
                let outcome = try await history.use { store, now in
                    try store.record(places, staying: stay, now: now)
                }
                if case .refused(let error) = outcome { throw error }
            } catch {
                problems.report(localized("the places where you stay could not be saved: %1", "\(error)"))
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
            problems.report(localized("the places where you stay could not be read: %1", "\(error)"))
        }
    }

    /// Discards unsaved data, so that forgotten data is not stored again.
    func dropMemory() {
        if let timer { loop.cancel(timer) }
        (timer, whereabouts, last) = (nil, nil, nil)
    }

    /// Reloads what is left after something was forgotten.
    func reload() async {
        guard connection != nil else { return }
        await load()
        guard let position else { return }
        await happened(whereabouts?.take(position, at: now()) ?? [])
    }
}
