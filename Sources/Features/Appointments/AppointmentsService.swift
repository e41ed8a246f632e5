package import DirectionServices
package import Agent
package import AgentInterface
internal import FoundationEssentials
internal import History
internal import EventLoops
package import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization

/// Follows the calendars, if the user allows it, and suggests to leave for appointments, to join their calls, and to check
/// in.
///
/// Events of calendars are kept in memory only.
package actor AppointmentsService: Feature {
    package static let name = "appointments"

    /// The time after which events are read again, in seconds.
    private static let readInterval = 12 * 3_600.0
    /// The time ahead in seconds for which events are read, which counts them as `hunch calendar` does.
    private static let readAhead = usualTime + readInterval
    /// The time ahead in seconds for which routes are looked up.
    private static let planAhead = AppointmentPolicy.horizon + readInterval
    /// The time in seconds after which something that failed is tried again.
    private static let retryTime = 300.0
    /// The maximum number of appointments that are planned: those of a day and a half.
    private static let maximumPlans = 1_000
    /// The movement of the user in metres from which the routes are estimated again.
    private static let movement = 150.0

    private static let unread = "the calendar reader does not answer"
    private static let someUnread = "some calendars cannot be read; “hunch calendar” names them"

    /// A reason to look at the appointments again.
    private enum Reason {
        case settings, calendars, readerEnded, time, position
    }

    package let environment: AgentEnvironment
    let desk: SuggestionDesk
    let directions: DirectionsService
    var policy = AppointmentPolicy()
    private let reader: CalendarReaderClient
    private var events: [CalendarEvent] = []
    /// The events together with the reservations.
    private var known: [CalendarEvent] = []
    /// The date after which the events have to be read again.
    private var readUntil = Date.distantPast
    private var isFollowing = false
    /// The state of the calendars as a code: `not allowed`, `starting`, `absent`, `unreachable`, `partly`, `watching` or `off`.
    private var state = "off"
    /// Sentences about calendars that cannot be read, for the user only.
    private var unreadCalendars: [String] = []
    private var timer: WallClockTimer?
    /// The position for which the routes were estimated.
    private var plannedPosition: Coordinate?
    /// The routes of the last plan, which its suggestions show.
    private(set) var routes: [CalendarEvent: (journey: Journey, outset: Outset)] = [:]
    private var reasons: Set<Reason> = []
    private var wake: AsyncStream<Void>.Continuation?
    /// The date until which departures without a known route wait for the first position.
    private var awaitedUntil = Date.distantPast

    package init(_ environment: AgentEnvironment, desk: SuggestionDesk, directions: DirectionsService) {
        self.environment = environment
        self.desk = desk
        self.directions = directions
        reader = CalendarReaderClient(bus: environment.bus)
    }

    package nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    // MARK: Following

    package func run() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        awaitedUntil = configuration.now().addingTimeInterval(configuration.positionTime / .seconds(1))
        await restoreAnswers()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await watchReader() }
            notice(.settings)
            for await _ in wakes { await look() }
            group.cancelAll()
        }
        self.wake = nil
        await stop()
        state = "off"
    }

    package func completed(_ status: AgentStatus, isComplete: Bool) -> AgentStatus {
        guard isComplete else { return status }
        var status = status
        status.parts.append(report)
        // The state says the rest.
        let isSaid = [Self.unread, Self.someUnread].contains
        status.problems = (status.problems ?? []).filter { !isSaid($0) } + unreadCalendars
        return status
    }

    /// The row of the calendars in `hunch status` and `hunch doctor`.
    private var report: PartReport {
        func part(_ text: String?, _ level: PartReport.Level = .ok, remedy: String? = nil) -> PartReport {
            PartReport(
                "calendar", localized("calendar"), state: state, text, level, count: count, remedy: remedy)
        }
        // As many as `hunch calendar` would list.
        let now = configuration.now()
        let count = known.count { (now...now.addingTimeInterval(Self.usualTime)).contains($0.start) }
        switch state {
        case "not allowed":
            return part(localized("not allowed, so no calendar is read"), remedy: "hunch allow calendar")
        case "absent": return part(localized("allowed, but the program hunch-calendar is not installed"), .limited)
        case "unreachable":
            return part(localized("the program hunch-calendar does not answer"), .limited, remedy: "hunch calendar")
        case "watching", "partly":
            let text = localizedPlural(
                "watching, %1 appointment in the next 7 days", "watching, %1 appointments in the next 7 days", count)
            // The problems of the agent name the calendars that cannot be read.
            return state == "watching"
                ? part(text) : part(localized("%1; some calendars cannot be read", text), .limited)
        default: return part(nil)
        }
    }

    /// Follows the signals and the end of the calendar reader.
    private func watchReader() async {
        do {
            let (changes, owners) = (try await reader.changes(), try await bus.owners(of: HunchNames.calendarReader))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in for await _ in changes { await notice(.calendars) } }
                group.addTask { [self] in
                    var wasPresent = false
                    for await owner in owners {
                        if wasPresent, owner == nil { await notice(.readerEnded) }
                        wasPresent = owner != nil
                    }
                }
            }
        } catch is CancellationError {} catch {
            problems.report(localized("changes of calendars are not followed: %1", "\(error)"))
        }
    }

    private func notice(_ reason: Reason) {
        reasons.insert(reason)
        wake?.yield()
    }

    package func handle(_ event: CoreEvent) {
        switch event {
        case .settingsChanged: notice(.settings)
        case .recordsChanged, .excluded: reservationsChanged()
        case .person(.moved(_, let new)):
            // The routes are estimated again.
            guard isFollowing, plannedPosition.map({ $0.distance(to: new.coordinate) >= Self.movement }) ?? true else {
                return
            }
            notice(.position)
        case .positionLost: notice(.position)
        case .unmuted:
            policy.retry()
            notice(.time)
        case .person, .switchedOff, .forgetting, .carriedOut: break
        }
    }

    /// Looks at the reservations again.
    package func reservationsChanged() { notice(.position) }

    private func look() async {
        let reasons = reasons
        self.reasons = []
        var isDone = false
        do {
            // Off or paused: following is about to end, and nothing was revoked.
            guard let isAllowed = try await isAllowed() else { return }
            guard isAllowed else {
                await stop(isRevoked: true)
                return state = "not allowed"
            }
            if state == "off" || state == "not allowed" { state = "starting" }
            let now = configuration.now()
            if reasons.contains(.calendars) || reasons.contains(.settings) && !isFollowing { readUntil = .distantPast }
            if reasons.contains(.readerEnded) {
                isFollowing = false
                readUntil = min(readUntil, now.addingTimeInterval(Self.retryTime))
            }
            if now >= readUntil { await read(at: now) }
            try await plan()
            try await suggest()
            try await revise()
            isDone = true
        } catch is CancellationError {
            return
        } catch {
            problems.report(localized("appointments could not be suggested: %1", ErrorMapping.logged(error)))
        }
        arm(isRetry: !isDone)
    }

    /// Returns whether the user allows to read the calendars; `nil` while Hunch is off or paused.
    private func isAllowed() async throws -> Bool? {
        await history.privacyGate.pass()
        return try await history.use { store, now in
            let settings = try store.settings()
            guard settings.isEnabled, !settings.isPaused(at: now) else { return nil }
            return settings.allowedCategories.contains(.calendar)
        }
    }

    /// Reads the events of the calendars. If that fails, those that are known stay.
    private func read(at now: Date) async {
        do {
            let first = now.addingTimeInterval(-AppointmentPolicy.past)
            if !isFollowing {
                try await reader.follow()
                isFollowing = true
            }
            let answer = try await reader.upcoming(from: first, until: now.addingTimeInterval(Self.readAhead))
            // A calendar that fails for a moment does not cancel its events.
            let isWorse = !Set(answer.problems).isSubset(of: unreadCalendars)
            events = answer.events + (isWorse ? missing(in: answer.events) : [])
            unreadCalendars = answer.problems
            readUntil = now.addingTimeInterval(answer.problems.isEmpty ? Self.readInterval : Self.retryTime)
            state = answer.problems.isEmpty ? "watching" : "partly"
            problems.settle(Self.unread)
            problems.settle(Self.someUnread)
            if !answer.problems.isEmpty { problems.report(Self.someUnread) }
        } catch {
            readUntil = now.addingTimeInterval(Self.retryTime)
            guard !(error is CancellationError) else { return }
            state = (error as? DBusError)?.isServiceAbsent == true ? "absent" : "unreachable"
            problems.report(Self.unread)
        }
    }

    /// Returns the known events that others do not have, in any version.
    private func missing(in others: [CalendarEvent]) -> [CalendarEvent] {
        let identifiers = Set(others.flatMap { [$0.identifier, $0.occurrence] }.compactMap(\.self))
        return events.filter { !identifiers.contains($0.identifier) && !identifiers.contains($0.occurrence ?? "") }
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

    /// - Parameter isRevoked: whether the user no longer allows to read the calendars.
    private func stop(isRevoked: Bool = false) async {
        timer?.cancel()
        timer = nil
        (events, known, readUntil, isFollowing, plannedPosition) = ([], [], .distantPast, false, nil)
        routes = [:]
        unreadCalendars = []
        let open = await desk.openIdentifiers
        let (seen, replaced) = (await desk.seenIdentifiers, await desk.replacedIdentifiers)
        await withdraw(
            isRevoked
                ? policy.forgetAppointments(open: open, seen: seen, at: configuration.now())
                : policy.update([], open: open, replaced: replaced, at: configuration.now()))
        problems.settle(Self.unread)
        problems.settle(Self.someUnread)
        // Not cancelled with its parent, so that the reader ends.
        await Task(executorPreference: loop) { [reader] in await reader.unfollow() }.value
    }

    /// Wakes when the next suggestion becomes due, and when the events have to be read again.
    private func arm(isRetry: Bool) {
        timer?.cancel()
        timer = nil
        let now = configuration.now()
        let retry = isRetry ? now.addingTimeInterval(Self.retryTime) : nil
        let awaited = awaitedUntil > now ? awaitedUntil : nil
        guard let date = [policy.nextDue(after: now), readUntil, retry, awaited].compactMap(\.self).min() else {
            return
        }
        do {
            timer = try WallClockTimer(on: loop, after: max(0, date.timeIntervalSince(now)) + 0.001) { [weak self] in
                self?.execute { $0.notice(.time) }
            }
        } catch {
            problems.report(localized("appointments are not followed: %1", "\(error)"))
        }
    }

    /// Restores which suggestions the user has answered, so that a restart does not repeat them. Those without an answer are
    /// shown again, because their notifications ended with the agent.
    private func restoreAnswers() async {
        for (id, last) in await desk.appointmentOutcomes() {
            policy.restore(
                id, isAnswered: !last.outcome.leavesOpen, isAccepted: last.outcome == .accepted, at: last.date)
        }
    }

    // MARK: Planning

    /// Looks up the routes to the next appointments.
    private func plan() async throws {
        let now = configuration.now()
        let range = now.addingTimeInterval(-AppointmentPolicy.past)..<now.addingTimeInterval(Self.planAhead)
        let reserved = try await history.use { store, _ in
            try store.reservations(from: range.lowerBound, until: now.addingTimeInterval(Self.readAhead))
        }
        known = Self.merged(events, reserved)
        let current = known.filter { range.contains($0.start) && $0.mayLeadSomewhere }
        let outset = try await outset()
        var plans: [AppointmentPlan] = []
        var journeys: [Aim: Journey?] = [:]
        routes = [:]
        for event in current.prefix(Self.maximumPlans) {
            plans.append(try await plan(for: event, from: outset, &journeys))
            if let journey = aim(of: event).flatMap({ journeys[$0] ?? nil }) { routes[event] = (journey, outset) }
        }
        if awaitedUntil > now, outset.position == nil, await isPositionAwaited() {
            for index in plans.indices where plans[index].route == .unknown { plans[index].route = .none }
        }
        plannedPosition = outset.position
        await withdraw(
            policy.update(plans, open: await desk.openIdentifiers, replaced: await desk.replacedIdentifiers, at: now))
    }

    /// Returns events in order of time. A reservation replaces the same event of a calendar, because it says more.
    static func merged(_ events: [CalendarEvent], _ reserved: [CalendarEvent]) -> [CalendarEvent] {
        let known = Set(reserved.map(\.identifier))
        return (reserved + events.filter { !known.contains($0.identifier) }).sorted {
            ($0.start, $0.title) < ($1.start, $1.title)
        }
    }

    private func withdraw(_ suggestions: Set<Suggestion.ID>) async {
        guard !suggestions.isEmpty else { return }
        await desk.withdraw(because: "its appointment has changed") { suggestions.contains($0.id) }
    }

    // MARK: Suggesting

    /// Changes the open suggestions in place when their appointments have changed, or when it is time to leave.
    private func revise() async throws {
        let open = await desk.openIdentifiers
        for candidate in policy.current where open.contains(candidate.id) {
            guard let suggestion = try await suggestion(candidate) else {
                await withdraw([candidate.id])
                continue
            }
            await desk.revise(suggestion, isNews: policy.takeNews(of: candidate, at: configuration.now()))
        }
    }

    /// Whether the position is followed and was not known yet when a plan began, as just after a start.
    private func isPositionAwaited() async -> Bool {
        // It has become known meanwhile.
        if await present.position() != nil { return true }
        let location = await present.parts(isWatching: true).first { $0.id == "location" }?.state
        if location == "starting" || location == "searching" { return true }
        // At first, the permission is not read yet.
        let settings = try? await history.use { store, _ in try store.settings() }
        return location == "not allowed" && settings?.allowedCategories.contains(.location) == true
    }

    private func suggest() async throws {
        while let candidate = policy.due(at: configuration.now()) {
            let open = await desk.openIdentifiers
            let now = configuration.now()
            if let end = policy.wait(of: candidate, for: open, at: now) {
                policy.postpone(candidate, until: end, at: now)
                continue
            }
            let wasSeen = policy.wasSeen(candidate, at: now)
            switch try await offer(candidate, wasSeen: wasSeen) {
            case .offered:
                // Those that were answered meanwhile stay answered.
                let replaced = open.intersection(await desk.replacedIdentifiers)
                policy.noteMade(candidate, wasSeen: wasSeen, replacing: replaced, at: configuration.now())
            case .held(.muted): policy.postpone(candidate, until: candidate.end, at: configuration.now())
            case .held(.unlikely), .impossible: policy.drop(candidate)
            case .held(.tooMany(let end)), .held(.paused(let end)):
                policy.postpone(candidate, until: end, at: configuration.now())
            // It takes seconds.
            case .held(.beingCarriedOut): policy.postpone(candidate, until: now, at: configuration.now())
            case .held: policy.postpone(candidate, at: configuration.now())
            }
        }
    }
}
