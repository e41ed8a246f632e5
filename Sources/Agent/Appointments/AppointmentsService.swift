internal import AgentInterface
internal import Appointments
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Suggestions

/// Follows the calendars, if the person allows it, and suggests to leave for appointments, to join their calls, and to check
/// in.
///
/// Events of calendars are kept in memory only.
actor AppointmentsService: WatchingPart {
    /// The time for which events are read ahead, and after which they are read again, in seconds.
    private static let readAhead = AppointmentPolicy.horizon + readInterval
    private static let readInterval = 12 * 3_600.0
    /// The time after which a calendar reader that ended is started again, in seconds.
    private static let restartTime = 300.0
    /// The maximum number of appointments to which the way is looked up.
    private static let maximumPlans = 16
    /// The movement of the person in metres from which the ways are estimated again.
    private static let movement = 500.0

    /// The reasons to look at the appointments again.
    private enum Wake {
        case settings, calendars, readerEnded, time, position
    }

    let environment: AgentEnvironment
    let desk: SuggestionDesk
    let directions: DirectionsService
    var policy = AppointmentPolicy()
    private let reader: CalendarReaderClient
    private var events: [CalendarEvent] = []
    /// The date after which the events have to be read again.
    private var readUntil = Date.distantPast
    private var isFollowing = false
    private var timer: WallClockTimer?
    /// The position for which the ways were estimated.
    private var position: Coordinate?
    private var wake: AsyncStream<Wake>.Continuation?

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, directions: DirectionsService) {
        self.environment = environment
        self.desk = desk
        self.directions = directions
        reader = CalendarReaderClient(bus: environment.bus)
    }

    // MARK: Following

    func run() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Wake.self, bufferingPolicy: .bufferingNewest(8))
        self.wake = wake
        defer { self.wake = nil }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await watchReader() }
            wake.yield(.settings)
            for await reason in wakes { await look(because: reason) }
            group.cancelAll()
        }
        await stop()
    }

    /// Follows the signals and the end of the calendar reader.
    private func watchReader() async {
        do {
            let (changes, owners) = (try await reader.changes(), try await bus.owners(of: HunchNames.calendarReader))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in for await _ in changes { await notice(.calendars) } }
                group.addTask { [self] in for await owner in owners where owner == nil { await notice(.readerEnded) } }
            }
        } catch is CancellationError {} catch {
            problems.report("changes of calendars are not followed: \(error)")
        }
    }

    private func notice(_ reason: Wake) { wake?.yield(reason) }

    /// Starts or stops reading calendars, as the person now allows.
    func settingsChanged() { notice(.settings) }

    /// Looks at the reservations again, because they changed or something was forgotten.
    func reservationsChanged() { notice(.position) }

    /// Estimates the ways again if the person has moved.
    func consider(_ event: PersonEvent) {
        guard case .moved(_, let new) = event, isFollowing,
            position.map({ $0.distance(to: new.coordinate) >= Self.movement }) ?? true
        else { return }
        notice(.position)
    }

    private func look(because reason: Wake) async {
        do {
            guard try await isAllowed() else { return await stop() }
            let now = configuration.now()
            switch reason {
            case .settings where !isFollowing, .calendars: readUntil = .distantPast
            case .readerEnded where isFollowing:
                isFollowing = false
                readUntil = min(readUntil, now.addingTimeInterval(Self.restartTime))
            case .settings, .readerEnded, .time, .position: break
            }
            if now >= readUntil { await read(at: now) }
            try await plan()
            try await suggest()
            try arm()
        } catch is CancellationError {} catch {
            problems.report("appointments could not be suggested: \(ErrorMapping.logged(error))")
        }
    }

    private func isAllowed() async throws -> Bool {
        await history.privacyGate.pass()
        return try await history.use { store, now in
            let settings = try store.settings()
            return settings.allowedCategories.contains(.calendar) && settings.isEnabled
                && settings.pausedUntil.map { $0 <= now } ?? true
        }
    }

    /// Reads the events of the calendars. If that fails, it is tried again in five minutes.
    private func read(at now: Date) async {
        do {
            let first = now.addingTimeInterval(-AppointmentPolicy.past)
            if !isFollowing {
                try await reader.follow()
                isFollowing = true
            }
            let answer = try await reader.upcoming(from: first, until: now.addingTimeInterval(Self.readAhead))
            events = answer.events
            readUntil = now.addingTimeInterval(Self.readInterval)
            for problem in answer.problems { problems.report(problem) }
        } catch {
            readUntil = now.addingTimeInterval(Self.restartTime)
            guard !(error is CancellationError) else { return }
            problems.report("calendars cannot be read: \(ErrorMapping.logged(error))")
        }
    }

    /// Reads the events between two dates for a caller.
    func readCalendars(from start: Date, until end: Date) async throws -> (events: [CalendarEvent], problems: [String])
    {
        do {
            return try await reader.upcoming(from: start, until: end)
        } catch let error as DBusError where error.isServiceAbsent {
            return ([], ["the calendar reader is not installed, so only reservations are listed"])
        }
    }

    private func stop() async {
        timer?.cancel()
        timer = nil
        (events, readUntil) = ([], .distantPast)
        await desk.withdraw(policy.update([], at: configuration.now()))
        guard isFollowing else { return }
        isFollowing = false
        // Not cancelled with its parent, so that the reader ends.
        await Task(executorPreference: loop) { [reader] in await reader.unfollow() }.value
    }

    /// Wakes when the next suggestion becomes due, and when the events have to be read again.
    private func arm() throws {
        timer?.cancel()
        timer = nil
        let now = configuration.now()
        guard let date = [policy.nextDue(after: now), readUntil].compactMap(\.self).min() else { return }
        timer = try WallClockTimer(on: loop, after: max(0, date.timeIntervalSince(now)) + 0.001) { [weak self] in
            self?.execute { $0.notice(.time) }
        }
    }

    // MARK: Planning

    /// Looks up the ways to the next appointments.
    private func plan() async throws {
        let now = configuration.now()
        let start = now.addingTimeInterval(-AppointmentPolicy.past)
        let reserved = try await history.use { store, _ in
            try store.reservations(from: start, until: now.addingTimeInterval(AppointmentPolicy.horizon))
        }
        var plans: [AppointmentPolicy.Plan] = []
        let current = Self.merged(events, reserved).filter {
            (start..<now.addingTimeInterval(AppointmentPolicy.horizon)).contains($0.start)
        }
        for event in current.prefix(Self.maximumPlans) { plans.append(try await plan(for: event)) }
        await desk.withdraw(policy.update(plans, at: now))
    }

    /// Returns events in order of time. A reservation replaces the same event of a calendar, because it says more.
    static func merged(_ events: [CalendarEvent], _ reserved: [CalendarEvent]) -> [CalendarEvent] {
        let known = Set(reserved.map(\.identifier))
        return (reserved + events.filter { !known.contains($0.identifier) }).sorted {
            ($0.start, $0.title) < ($1.start, $1.title)
        }
    }

    /// Returns an event with the estimated way to it.
    func plan(for event: CalendarEvent) async throws -> AppointmentPolicy.Plan {
        // Words that are no place, such as “Room 5”, have no position, though some apps would search for them.
        guard !event.isAllDay, let place = event.place, let route = try await route(to: place),
            let end = route.position
        else { return AppointmentPolicy.Plan(event: event, journey: nil, hasRoute: false) }
        position = await present.position()?.coordinate
        guard let position else {
            return AppointmentPolicy.Plan(event: event, journey: nil, hasRoute: true)
        }
        let distance = position.distance(to: end)
        let journey = AppointmentPolicy.Journey(
            distance: distance, seconds: TravelEstimate.seconds(for: distance, by: route.modes))
        return AppointmentPolicy.Plan(event: event, journey: journey, hasRoute: true)
    }

    // MARK: Suggesting

    private func suggest() async throws {
        while let candidate = policy.due(at: configuration.now()) {
            switch try await offer(candidate) {
            case .offered(let suggestion): policy.made(suggestion, of: candidate)
            case .held: policy.postpone(candidate, at: configuration.now())
            case .impossible: policy.drop(candidate)
            }
        }
    }
}

extension SuggestionDesk {
    /// Withdraws suggestions whose appointment is no more.
    fileprivate func withdraw(_ suggestions: Set<Suggestion.ID>) async {
        guard !suggestions.isEmpty else { return }
        await withdraw(because: "its appointment has changed") { suggestions.contains($0.id) }
    }
}
