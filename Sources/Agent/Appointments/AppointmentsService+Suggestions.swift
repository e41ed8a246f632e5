internal import Appointments
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Suggestions

/// The suggestions because of appointments.
extension AppointmentsService {
    /// The prior confidence that the person wants to go to their appointment, and to join its call.
    private static let score = 0.8
    /// The maximum number of earlier directions that tell the usual mode.
    private static let modeMemory = 50
    /// The number of directions from which a mode counts as usual.
    private static let usualDirections = 3

    /// The outcome of suggesting something.
    enum Outcome {
        case offered
        /// Something forbids it now.
        case held(Hold)
        /// No app can do it.
        case impossible
    }

    /// Suggests something because of an appointment.
    func offer(_ candidate: AppointmentCandidate) async throws -> Outcome {
        if let hold = try await desk.hold(isUrgent: candidate.isUrgent) {
            await desk.note(.appointment, hold: hold)
            return .held(hold)
        }
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let made: (suggestion: Suggestion, donation: [String: String])? =
            switch candidate.step {
            case .leave: try await departure(candidate)
            case .join: try await page(candidate, candidate.plan.event.meetingURL, .join, excluding: excluded)
            case .checkIn: try await page(candidate, candidate.plan.event.webPageURL, .checkIn, excluding: excluded)
            }
        guard let made else {
            await desk.note(.appointment, hold: .noApp)
            return .impossible
        }
        await desk.setDonations([made.suggestion.id: made.donation])
        let event = candidate.plan.event
        do {
            let outcome = try await desk.offer(
                made.suggestion, keysCountFrom: nil,
                performing: { [weak self, launcher] suggestion, token in
                    try await launcher.perform(suggestion, activationToken: token)
                    if candidate.step == .leave { await self?.noteDeparture(for: event) }
                })
            if case .held(let hold) = outcome { return .held(hold) }
        } catch {
            // It may be on the bus though showing it failed.
            guard await desk.isOpen(made.suggestion.id) else { throw error }
            problems.report("a suggestion for an appointment could not be shown: \(ErrorMapping.logged(error))")
        }
        return .offered
    }

    private func noteDeparture(for event: CalendarEvent) { policy.noteDeparture(for: event) }

    /// Returns the suggestion to leave; `nil` if no app shows the route any more.
    private func departure(
        _ candidate: AppointmentCandidate
    ) async throws -> (suggestion: Suggestion, donation: [String: String])? {
        let event = candidate.plan.event
        guard let place = event.place, let route = try await route(to: place, by: usualModes())?.route else {
            return nil
        }
        let now = configuration.now()
        let title =
            switch candidate.leave {
            case let leave? where leave > now:
                localized("Leave by %1 for “%2”", LocalDate.time(leave), event.title)
            case .some: localized("Leave now for “%1”", event.title)
            case nil: localized("“%1” begins at %2", event.title, LocalDate.time(event.start))
            }
        var distance: String?
        if case .known(let metres, _) = candidate.plan.route { distance = LocalNumber.distance(metres) }
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        // Without a time to leave, the title says when it begins.
        let details =
            candidate.leave == nil
            ? [route.title, route.applicationName, event.doubt] : [route.applicationName, distance, start, event.doubt]
        return (
            Suggestion(
                id: candidate.id, title: title,
                subtitle: details.compactMap(\.self).joined(separator: " · "), application: route.application,
                applicationName: route.applicationName, source: source(of: event), score: Self.score,
                explanation: [reason(of: event)] + estimate(candidate) + route.explanation,
                context: await context(), expiry: candidate.end, action: .openDirections(route.launch),
                subject: SuggestionSubject(event: event.title)),
            // Hunch chose the mode, so nothing is learned from it.
            route.donation.filter { $0.key != "mode" }
        )
    }

    /// Returns the suggestion to open a page; `nil` if no browser can.
    private func page(
        _ candidate: AppointmentCandidate, _ address: String?, _ purpose: Suggestion.PagePurpose,
        excluding excluded: Set<AppID>
    ) async throws -> (suggestion: Suggestion, donation: [String: String])? {
        guard let address, let browser = try await handler(for: "x-scheme-handler/https", excluding: excluded) else {
            return nil
        }
        let event = candidate.plan.event
        let title =
            switch purpose {
            case .join: localized("Join “%1”", event.title)
            case .checkIn: localized("Check in for “%1”", event.title)
            }
        let host = WebAddress.host(of: address).map(String.init)
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        return (
            Suggestion(
                id: candidate.id, title: title,
                subtitle: [host, start, event.doubt].compactMap(\.self).joined(separator: " · "), application: browser,
                applicationName: try await name(of: browser), source: source(of: event), score: Self.score,
                explanation: [reason(of: event)], context: await context(), expiry: candidate.end,
                action: .openPage(uri: address, purpose), subject: SuggestionSubject(event: event.title)),
            [:]
        )
    }

    private func context() async -> Context { await present.now(trigger: .appointment) }

    private func source(of event: CalendarEvent) -> String {
        event.reservation == nil ? localized("From your calendar") : localized("From your reservation")
    }

    /// Returns the reason that names where the appointment comes from.
    private func reason(of event: CalendarEvent) -> Explanation.Reason {
        .init(event.reservation == nil ? localized("it is in your calendar") : localized("you reserved it"))
    }

    /// Returns the reason with the estimated time of the route.
    private func estimate(_ candidate: AppointmentCandidate) -> Explanation {
        guard case .known(_, let seconds) = candidate.plan.route else { return [] }
        let minutes = Int(clamping: (seconds / 60).rounded(.up))
        return [
            .init(localizedPlural("the route takes about %1 minute", "the route takes about %1 minutes", minutes))
        ]
    }

    // MARK: The route

    /// Returns an event with the estimated route to it.
    ///
    /// - Parameters:
    ///   - position: the position of the person; `nil` if it is not known.
    ///   - modes: the usual travel modes; empty for any.
    func plan(
        for event: CalendarEvent, from position: Coordinate?, by modes: Set<TransportMode>
    ) async throws -> AppointmentPlan {
        guard !event.isAllDay, let place = event.place, let (route, kind) = try await route(to: place, by: modes),
            // Words that are no place, such as “Room 5”, have no position, though some apps would search for them.
            let end = route.position
        else { return AppointmentPlan(event: event, route: .none) }
        let distance = position?.distance(to: end)
        switch kind {
        case .exact: break
        // The town of an address whose street is not known.
        case .address: return AppointmentPlan(event: event, route: .unknown)
        // The name of a town says where it is only from far away.
        case .town:
            guard let distance, distance >= Self.townDistance else {
                return AppointmentPlan(event: event, route: .none)
            }
        }
        guard let distance else { return AppointmentPlan(event: event, route: .unknown) }
        return AppointmentPlan(
            event: event,
            route: .known(distance: distance, seconds: TravelEstimate.seconds(for: distance, by: route.modes)))
    }

    /// The distance in metres from which a town counts as a destination.
    private static let townDistance = 15_000.0

    /// Returns the route to a place by the usual modes, and how exactly the place is known. If no app has those modes, any
    /// modes count.
    private func route(
        to place: MapItem, by modes: Set<TransportMode>
    ) async throws -> (route: PlannedRoute, precision: DirectionsService.Precision)? {
        let (located, precision) = try await directions.located(place)
        if !modes.isEmpty, let route = try await directions.route(to: located, by: modes) { return (route, precision) }
        return try await directions.route(to: located).map { ($0, precision) }
    }

    /// Returns the modes of most of the recent directions; empty if most had none or there are too few.
    func usualModes() async throws -> Set<TransportMode> {
        let donations = try await history.use { store, _ in
            try store.donations(of: .getDirections, limit: Self.modeMemory)
        }
        let counts = Dictionary(grouping: donations.compactMap { $0.parameters["mode"] }) { $0 }.mapValues(\.count)
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            usual.value >= Self.usualDirections, usual.value * 2 > donations.count
        else { return [] }
        return Set(usual.key.split(separator: ",").compactMap { TransportMode(rawValue: String($0)) })
    }
}
